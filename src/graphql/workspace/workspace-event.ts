import type { WorkspaceEvent } from "../../model/run/feed.ts";
import { ActorRef } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { StreamItemRef } from "../stream/stream-item.ts";

/** A change of a workspace with its place in a stream. */
export interface WorkspaceChanged {
  type: "WorkspaceChanged";
  cursor: string;
  change: WorkspaceEvent;
}

export const WorkspaceChangedRef = builder.objectRef<WorkspaceChanged>("WorkspaceChanged").implement({
  description: "Something about the workspace changed: locked, unlocked, paused, settings, deployment status, outputs.",
  interfaces: [StreamItemRef],
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When it happened.", resolve: ({ change }) => change.at }),
    actor: t.field({
      type: ActorRef,
      description: "Who caused it.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.actor.load(change.actorId), `Actor ${change.actorId}`),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace as it is now, or was when it was deleted.",
      resolve: async ({ change }, _args, { loaders }) =>
        present(await loaders.workspaceEver.load(change.workspaceId), `Workspace ${change.workspaceId}`),
    }),
    fields: t.stringList({
      description:
        'The names of the fields of Workspace that may have changed; "created" where it is new, "deleted" where it is gone.',
      resolve: ({ change }) => change.fields,
    }),
  }),
});
