import { loaderByRun } from "../kit/loader.ts";
import type { TimelineEntry } from "../../model/run/timeline.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { RunRef } from "../kit/refs.ts";
import { RunLegEnum, RunStatusEnum } from "./run-enums.ts";
import { wholeRunField } from "./whole-run.ts";

const timelineLoader = loaderByRun((domain, caller, runs) => domain.timelines(caller, runs));

const TimelineEntryRef = builder.objectRef<TimelineEntry>("RunTimelineEntry").implement({
  description: "The time that a run spent in one status.",
  fields: (t) => ({
    status: t.expose("status", { type: RunStatusEnum, description: "The status." }),
    leg: t.expose("leg", { type: RunLegEnum, description: "The leg of the run at that time." }),
    at: t.expose("at", { type: "DateTime", description: "When the run entered the status." }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that caused the change; the system actor if no one did.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "The reason that the actor gave. `null` if there is none.",
    }),
    durationSeconds: t.float({
      nullable: true,
      description: "How long the run stayed. `null` if it is still there, or the status is terminal.",
      resolve: ({ durationMs }) => (durationMs === null ? null : durationMs / 1000),
    }),
  }),
});

builder.objectField(RunRef, "timeline", (t) =>
  t.field({
    type: [TimelineEntryRef],
    description: "Every status of the run so far, oldest first.",
    ...wholeRunField((run, { loaders }) => loaders.load(timelineLoader, run)),
  }),
);
