import { pastWorkspaceLoader } from "./workspace.ts";
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
