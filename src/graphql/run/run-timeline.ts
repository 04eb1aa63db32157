import type { TimelineEntry } from "../../model/run/timeline.ts";
import { ActorRef } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { RunRef } from "../kit/refs.ts";
import { RunLegEnum, RunStatusEnum } from "./run-enums.ts";
import { ofWholeRun } from "./whole-run.ts";

const TimelineEntryRef = builder.objectRef<TimelineEntry>("RunTimelineEntry").implement({
  description: "A stretch of a run in one status.",
  fields: (t) => ({
    status: t.expose("status", { type: RunStatusEnum, description: "Where the run was." }),
    leg: t.expose("leg", { type: RunLegEnum, description: "The stretch of work that it was on." }),
    at: t.expose("at", { type: "DateTime", description: "When it came there." }),
    actor: t.field({
      type: ActorRef,
      description: "Who brought it there; the system actor where nobody did.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.actor.load(actorId), `Actor ${actorId}`),
    }),
    reason: t.exposeString("reason", { nullable: true, description: "What whoever brought it there said." }),
    durationSeconds: t.float({
      nullable: true,
      description: "How long it was there; null while it still is, and for the end.",
      resolve: ({ durationMs }) => (durationMs === null ? null : durationMs / 1000),
    }),
  }),
});

builder.objectField(RunRef, "timeline", (t) =>
  t.field({
    type: [TimelineEntryRef],
    description: "Every status that it went through, oldest first.",
    ...ofWholeRun((run, { loaders }) => loaders.timeline.load(run)),
  }),
);
