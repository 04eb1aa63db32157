import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import { builder } from "../kit/builder.ts";

const WORDS = {
  name: "Unique among the windows beside it.",
  cron: "When it opens: minute, hour, day of month, month and day of week, by the clock of the time zone.",
  durationMinutes: "How long it stays open, in minutes that pass.",
  timeZone: "IANA name of the time zone, for example Europe/Berlin.",
} as const;

export const FreezeWindowRef = builder.objectRef<FreezeWindow>("FreezeWindow").implement({
  description: "A time in which nothing is applied: what is approved waits, nothing is applied without a person.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    cron: t.exposeString("cron", { description: WORDS.cron }),
    durationMinutes: t.int({
      description: WORDS.durationMinutes,
      resolve: ({ durationMs }) => durationMs / 60_000,
    }),
    timeZone: t.exposeString("timeZone", { description: WORDS.timeZone }),
    open: t.boolean({
      description: "Whether it is open now.",
      resolve: (window, _args, { domain }) => domain.freezeWindowStates([window])[0]?.open ?? false,
    }),
    nextOpensAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it opens next; null: never again.",
      resolve: (window, _args, { domain }) => domain.freezeWindowStates([window])[0]?.nextOpensAt,
    }),
  }),
});

export const FreezeWindowInputRef = builder.inputType("FreezeWindowInput", {
  description: "A time in which nothing is applied. Windows are given as a whole list.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    cron: t.string({ required: true, description: WORDS.cron }),
    durationMinutes: t.int({ required: true, description: WORDS.durationMinutes }),
    timeZone: t.string({ required: true, defaultValue: "UTC", description: WORDS.timeZone }),
  }),
});
