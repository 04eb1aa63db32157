import { logExpiredAtLoader } from "../run/log-stream.ts";
import type { Retention } from "../../model/workspace/retention.ts";
import { builder } from "../kit/builder.ts";
import { OrganizationRef, RunRef } from "../kit/refs.ts";

const WORDS = {
  logDays: "The retention of logs, in days after the end of the run. `Run.logExpiredAt` shows that a log was deleted.",
  eventDays:
    "The retention of run events and of results of policies, in days after the end of the run, and of feeds, in days after the event. Statuses, failures and decisions stay. Streams refuse older cursors with CursorExpired.",
  archiveDays:
    "The retention of the files needed to apply a saved plan, in days after the end of the run. Afterwards the plan can be read but not applied.",
} as const satisfies Record<keyof Retention, string>;

const RetentionRef = builder.objectRef<Retention>("Retention").implement({
  description:
    "How long the data of ended runs is kept. `null` if it is kept for ever. Runs, plan texts and states are always kept.",
  fields: (t) => ({
    logDays: t.exposeInt("logDays", { nullable: true, description: WORDS.logDays }),
    eventDays: t.exposeInt("eventDays", { nullable: true, description: WORDS.eventDays }),
    archiveDays: t.exposeInt("archiveDays", { nullable: true, description: WORDS.archiveDays }),
  }),
});

export const RetentionInputRef = builder.inputType("RetentionInput", {
  description:
    "How long the data of ended runs is kept, in days from 1. An absent field is not changed; null means for ever.",
  fields: (t) => ({
    logDays: t.int({ description: WORDS.logDays }),
    eventDays: t.int({ description: WORDS.eventDays }),
    archiveDays: t.int({ description: WORDS.archiveDays }),
  }),
});

/** The description of the field `retention` in inputs. */
export const RETENTION_INPUT_WORDS =
  "How long the data of ended runs is kept. By default a new organization keeps archives for 90 days.";

builder.objectField(OrganizationRef, "retention", (t) =>
  t.field({
    type: RetentionRef,
    description: "How long the data of its ended runs is kept.",
    resolve: ({ retention }) => retention,
  }),
);

builder.objectField(RunRef, "logExpiredAt", (t) =>
  t.field({
    type: "DateTime",
    nullable: true,
    description: "When its log was deleted by retention. `null` if the log is kept, or never had a line.",
    resolve: (run, _args, { loaders }) => loaders.load(logExpiredAtLoader, run.id),
  }),
);
