import type { EstimatedProgress } from "../../domain/run/read-progress.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ProgressAction, ResourceAtWork } from "../../model/run/run-progress.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { PhaseKindEnum } from "../plan/phase-kind.ts";
import { RunRef } from "../kit/refs.ts";
import { ofWholeRun } from "./whole-run.ts";

const ProgressActionEnum = describedEnum<ProgressAction>("ProgressAction", "What the engine does with a resource.", {
  REFRESH: "Compares it with what the state says.",
  READ: "Reads it.",
  CREATE: "Creates it.",
  UPDATE: "Changes it.",
  DELETE: "Destroys it.",
  OTHER: "Something that Holdpoint does not know.",
});

const ResourceAtWorkRef = builder.objectRef<ResourceAtWork>("ResourceAtWork").implement({
  description: "A resource that the engine works on.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "Its address; a sensitive value in it is masked." }),
    action: t.expose("action", { type: ProgressActionEnum, description: "What is done with it." }),
    startedAt: t.expose("startedAt", { type: "DateTime", description: "When that began." }),
  }),
});

const RunProgressRef = builder.objectRef<EstimatedProgress>("RunProgress").implement({
  description:
    "How far the engine is, from its own events. While a plan is made it counts the resources that are refreshed and read; in an apply those that are changed, of which a replaced one counts once.",
  fields: (t) => ({
    phase: t.expose("phase", { type: PhaseKindEnum, description: "PLAN, APPLY or DESTROY." }),
    total: t.exposeInt("total", {
      nullable: true,
      description: "How many resources there are to do; null: not known.",
    }),
    done: t.exposeInt("done", { description: "How many of them are done." }),
    failed: t.exposeInt("failed", { description: "How many of them failed." }),
    current: t.field({
      type: [ResourceAtWorkRef],
      description: `What is being worked on, the oldest first; at most ${LIMITS.resourcesAtWorkShown}. Empty when the phase is over.`,
      resolve: ({ current }) => [...current],
    }),
    currentCount: t.exposeInt("currentCount", { description: "How many resources are being worked on." }),
    estimatedEndAt: t.expose("estimatedEndAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When the phase will have ended, by what it took in earlier runs of the workspace; null when it is over, and where fewer than five went before.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When the runner said so." }),
  }),
});

builder.objectField(RunRef, "progress", (t) =>
  t.field({
    type: RunProgressRef,
    nullable: true,
    description:
      "How far its newest phase of planning or applying is, or was when it ended; null before the first word of that. Streams tell it with a RunChanged that names `progress`, about every two seconds.",
    ...ofWholeRun((run, { loaders }) => loaders.progress.load(run)),
  }),
);
