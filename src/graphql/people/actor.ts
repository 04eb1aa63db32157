import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import type { Actor, ActorKind } from "../../model/people/actor.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";

export const actorLoader = loaderById(["user", "machineUser", "systemActor"], (domain, _caller, ids) =>
  domain.actors(ids),
);

/** Builds the field of the actor that created an object. */
export function creatorField(description = "The actor that created it.") {
  return {
    type: ActorRef,
    description,
    resolve: async (
      { id, createdById }: { id: string; createdById: string },
      _args: unknown,
      { loaders }: Pick<GraphqlContext, "loaders">,
    ): Promise<Actor> => present(await loaders.load(actorLoader, createdById), `Creator of ${id}`),
  };
}

/** Finds actors by id, for themselves and for callers who may read people. Others see an actor where it acted. */
export const personLoader = loaderById(["user", "machineUser"], (domain, caller, ids) => domain.people(caller, ids));

const TYPE_OF_KIND = {
  USER: "User",
  MACHINE: "MachineUser",
  SYSTEM: "SystemActor",
} as const satisfies Record<ActorKind, string>;

export const ActorRef = builder.interfaceRef<Actor>("Actor").implement({
  description: "A person, a program or the system, as the cause of something. Actors are never deleted.",
  interfaces: [NodeRef],
  resolveType: ({ kind }) => TYPE_OF_KIND[kind],
  fields: (t) => ({ name: t.exposeString("name", { description: "The display name." }) }),
});

addNode("user", "User", personLoader);
addNode("machineUser", "MachineUser", personLoader);
addNode("systemActor", "SystemActor", actorLoader);

builder.objectRef<Actor>("User").implement({ description: "A person.", interfaces: [ActorRef, NodeRef] });
const workspaceOfActorLoader = loaderOf((domain, caller, ids) => domain.workspacesOfActors(caller, ids));

export const MachineUserRef = builder.objectRef<Actor>("MachineUser").implement({
  description: "A program with a token of its own, for example a pipeline, or the runs of a workspace.",
  interfaces: [ActorRef, NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      extensions: { ...requiredPermissions("WORKSPACE_READ"), ...LEAVES_WORKSPACE },
      description:
        "The workspace for whose runs it acts. `null` if it is not one of these, or the caller may not read the workspace.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(workspaceOfActorLoader, id),
    }),
  }),
});
builder.objectRef<Actor>("SystemActor").implement({
  description: "Holdpoint itself, for scheduling, time-outs and automatic applies.",
  interfaces: [ActorRef, NodeRef],
});
