import { loaderByRun } from "../kit/loader.ts";
import type { EstimatedProgress } from "../../domain/run/read-progress.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ProgressAction, ResourceInProgress } from "../../model/run/run-progress.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { PhaseKindEnum } from "../plan/phase-kind.ts";
import { RunRef } from "../kit/refs.ts";
import { wholeRunField } from "./whole-run.ts";

const progressLoader = loaderByRun((domain, caller, runs) => domain.progress(caller, runs));

const ProgressActionEnum = describedEnum<ProgressAction>("ProgressAction", "The engine's action on a resource.", {
  REFRESH: "The engine compares the resource with the state.",
  READ: "The engine reads a data source.",
  CREATE: "The engine creates the resource.",
  UPDATE: "The engine changes the resource in place.",
  DELETE: "The engine destroys the resource.",
  OTHER: "An action that Holdpoint does not know.",
});

const ResourceAtWorkRef = builder.objectRef<ResourceInProgress>("ResourceAtWork").implement({
  description: "A resource that the engine works on.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address of the resource." }),
    action: t.expose("action", { type: ProgressActionEnum, description: "The action on the resource." }),
    startedAt: t.expose("startedAt", { type: "DateTime", description: "When the action began." }),
  }),
});

const RunProgressRef = builder.objectRef<EstimatedProgress>("RunProgress").implement({
  description:
    "The progress of the engine, from its own events. A plan counts refreshed and read resources; an apply counts changed resources, a replaced one once.",
  fields: (t) => ({
    phase: t.expose("phase", { type: PhaseKindEnum, description: "PLAN, APPLY or DESTROY." }),
    total: t.exposeInt("total", {
      nullable: true,
      description: "The number of resources in the phase. `null` if it is not known.",
    }),
    done: t.exposeInt("done", { description: "The number of resources that are done." }),
    failed: t.exposeInt("failed", { description: "The number of resources that failed." }),
    current: t.field({
      type: [ResourceAtWorkRef],
      description: `The resources that the engine works on, oldest first; at most ${LIMITS.resourcesAtWorkShown}. Empty when the phase is over.`,
      resolve: ({ current }) => [...current],
    }),
    currentCount: t.exposeInt("currentCount", { description: "The number of resources that the engine works on." }),
    estimatedEndAt: t.expose("estimatedEndAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When the phase is expected to end, from earlier runs of the workspace. `null` if the phase is over, or fewer than five runs went before.",
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When the runner reported it." }),
  }),
});

builder.objectField(RunRef, "progress", (t) =>
  t.field({
    type: RunProgressRef,
    nullable: true,
    description:
      "The progress of the newest phase of planning or applying, or its last progress. `null` before the first report. Streams send a RunChanged that names `progress` about every two seconds.",
    ...wholeRunField((run, { loaders }) => loaders.load(progressLoader, run)),
  }),
);
