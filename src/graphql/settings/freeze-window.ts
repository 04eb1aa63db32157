import type { FreezeWindow } from "../../model/approval/run-rules.ts";
import { builder } from "../kit/builder.ts";

const WORDS = {
  name: "The name, unique within the list.",
  cron: "When the window opens, as a cron expression in the time zone: minute, hour, day of month, month, day of week.",
  durationMinutes: "The length of the window in elapsed minutes.",
  timeZone: "The IANA name of the time zone, for example Europe/Berlin.",
} as const;

export const FreezeWindowRef = builder.objectRef<FreezeWindow>("FreezeWindow").implement({
  description: "A recurring time in which nothing is applied. Approved runs wait for its end.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    cron: t.exposeString("cron", { description: WORDS.cron }),
    durationMinutes: t.int({
      description: WORDS.durationMinutes,
      resolve: ({ durationMs }) => durationMs / 60_000,
    }),
    timeZone: t.exposeString("timeZone", { description: WORDS.timeZone }),
    open: t.boolean({
      description: "Whether the window is open now.",
      resolve: (window, _args, { domain }) => domain.freezeWindowStates([window])[0]?.open ?? false,
    }),
    nextOpensAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When the window opens next. `null` if it never does.",
      resolve: (window, _args, { domain }) => domain.freezeWindowStates([window])[0]?.nextOpensAt,
    }),
  }),
});

export const FreezeWindowInputRef = builder.inputType("FreezeWindowInput", {
  description: "A recurring time in which nothing is applied. The whole list of windows is set at once.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    cron: t.string({ required: true, description: WORDS.cron }),
    durationMinutes: t.int({ required: true, description: WORDS.durationMinutes }),
    timeZone: t.string({ required: true, defaultValue: "UTC", description: WORDS.timeZone }),
  }),
});
