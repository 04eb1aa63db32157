import type { Retention } from "../../model/workspace/retention.ts";
import { builder } from "../kit/builder.ts";
import { OrganizationRef, RunRef } from "../kit/refs.ts";

const WORDS = {
  logDays: "Of the logs of runs, in days after the end of the run. `Run.logExpiredAt` tells that one is gone.",
  eventDays:
    "Of what happened in runs, in days after their end, but for their statuses and the decisions of people, which stay; and of the feeds of the organization and its workspaces, in days after it happened: older cursors are CursorExpired.",
  archiveDays:
    "Of the files that a saved plan is applied with, in days after the end of the run. Afterwards no APPLY can be made of it; the plan itself can still be read.",
} as const satisfies Record<keyof Retention, string>;

const RetentionRef = builder.objectRef<Retention>("Retention").implement({
  description:
    "How long is kept what ended runs leave behind; null: for ever. Runs, plans as people read them, and states stay.",
  fields: (t) => ({
    logDays: t.exposeInt("logDays", { nullable: true, description: WORDS.logDays }),
    eventDays: t.exposeInt("eventDays", { nullable: true, description: WORDS.eventDays }),
    archiveDays: t.exposeInt("archiveDays", { nullable: true, description: WORDS.archiveDays }),
  }),
});

export const RetentionInputRef = builder.inputType("RetentionInput", {
  description:
    "How long is kept what ended runs leave behind, in days from 1; an absent field stays, null is for ever.",
  fields: (t) => ({
    logDays: t.int({ description: WORDS.logDays }),
    eventDays: t.int({ description: WORDS.eventDays }),
    archiveDays: t.int({ description: WORDS.archiveDays }),
  }),
});

/** The description of the same field of two inputs. */
export const RETENTION_INPUT_WORDS =
  "How long is kept what ended runs leave behind; a new organization keeps archives for 90 days unless it says otherwise.";

builder.objectField(OrganizationRef, "retention", (t) =>
  t.field({
    type: RetentionRef,
    description: "How long is kept what its ended runs leave behind.",
    resolve: ({ retention }) => retention,
  }),
);

builder.objectField(RunRef, "logExpiredAt", (t) =>
  t.field({
    type: "DateTime",
    nullable: true,
    description: "Since when its log is no longer kept, and therefore empty; null: it is, or there never was a line.",
    resolve: (run, _args, { loaders }) => loaders.logExpiredAt.load(run.id),
  }),
);
