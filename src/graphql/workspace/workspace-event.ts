import { pastWorkspaceLoader } from "./workspace.ts";
import { RuntimeHealthEnum } from "../health/runtime-health.ts";
import type { HealthChange } from "../../model/health/runtime-health.ts";
import type { WorkspaceEvent } from "../../model/run/feed.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { StreamItemRef } from "../stream/stream-item.ts";

/** A change of a workspace with its position in a stream. */
export interface WorkspaceChanged {
  type: "WorkspaceChanged";
  cursor: string;
  change: WorkspaceEvent;
}

export const WorkspaceChangedRef = builder.objectRef<WorkspaceChanged>("WorkspaceChanged").implement({
  description: "A change of a workspace: lock, pause, settings, deployment status, outputs.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When it happened.", resolve: ({ change }) => change.at }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that caused it.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, change.actorId), `Actor ${change.actorId}`),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace as it is now, or as it was when it was deleted.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.load(pastWorkspaceLoader, change.workspaceId), `Workspace ${change.workspaceId}`),
    }),
    fields: t.stringList({
      description:
        'The names of the fields of Workspace that may have changed; "created" if it is new, "deleted" if it was deleted.',
      resolve: ({ change }) => change.fields,
    }),
  }),
});

/** A change of the health of a workspace with its position in a stream. */
export interface HealthChanged {
  type: "HealthChanged";
  cursor: string;
  change: WorkspaceEvent & { health: HealthChange };
}

export const HealthChangedRef = builder.objectRef<HealthChanged>("HealthChanged").implement({
  description:
    "A change of the runtime health of a workspace. Its deployment status may have changed with it; no WorkspaceChanged repeats it.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When it was found.", resolve: ({ change }) => change.at }),
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace as it is now, or as it was when it was deleted.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.load(pastWorkspaceLoader, change.workspaceId), `Workspace ${change.workspaceId}`),
    }),
    previousHealth: t.field({
      type: RuntimeHealthEnum,
      description: "The health before.",
      resolve: ({ change }) => change.health.from,
    }),
    runtimeHealth: t.field({
      type: RuntimeHealthEnum,
      description: "The health since then.",
      resolve: ({ change }) => change.health.to,
    }),
    reason: t.field({
      type: "String",
      nullable: true,
      description: "Why it is not HEALTHY; `null` if it is.",
      resolve: ({ change }) => change.health.reason,
    }),
  }),
});
