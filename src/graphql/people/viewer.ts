import type { AccessExplanation } from "../../domain/people/explain-access.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { tokenRoleIn } from "../../model/people/role.ts";
import { ActorRef } from "./actor.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { TokenRef } from "../kit/refs.ts";
import { builder } from "../kit/builder.ts";
import { PermissionEnum } from "../kit/permission.ts";
import { GrantRef } from "../kit/refs.ts";
import { TokenRoleEnum } from "./token.ts";

const AccessExplanationRef = builder.objectRef<AccessExplanation>("AccessExplanation").implement({
  description: "Why an actor has a permission in a place, or why not.",
  fields: (t) => ({
    allowed: t.exposeBoolean("allowed", { description: "Whether it has the permission there." }),
    permission: t.expose("permission", { type: PermissionEnum, description: "The permission." }),
    by: t.field({
      type: [GrantRef],
      description: "The grants that give the permission there, without those that the caller may not read.",
      resolve: ({ grants }) => [...grants],
    }),
    limitedBy: t.stringList({
      description: "What takes away the permission: limits of the token, an isolated project, a disabled actor.",
      resolve: ({ limitedBy }) => [...limitedBy],
    }),
    reason: t.exposeString("reason", { description: "The reason in words." }),
  }),
});

export const ViewerRef = builder.objectRef<ActorCaller>("Viewer").implement({
  description: "The caller and its permissions.",
  fields: (t) => ({
    tokens: t.field({
      type: [TokenRef],
      extensions: ACTOR_DEPENDENT,
      description: "The tokens of the caller that were not revoked, newest first.",
      resolve: (caller, _args, { domain }) => domain.ownTokens(caller),
    }),
    actor: t.field({ type: ActorRef, description: "The actor of the token.", resolve: ({ actor }) => actor }),
    isAdmin: t.boolean({
      description: "Whether the caller has all permissions on the installation.",
      resolve: ({ rights }) => tokenRoleIn(rights.everywhere) === "ADMIN",
    }),
    role: t.field({
      type: TokenRoleEnum,
      description: "The highest role whose permissions the caller has on the installation.",
      resolve: ({ rights }) => tokenRoleIn(rights.everywhere),
    }),
    explain: t.field({
      type: AccessExplanationRef,
      nullable: true,
      description:
        "Why the caller, or another actor, has a permission in a place, or why not. `null` if the place or the actor does not exist, or the caller may not read it.",
      args: {
        permission: t.arg({ type: PermissionEnum, required: true, description: "The permission." }),
        subjectId: t.arg.id({
          description: "The organization, the project or the workspace. If absent, it is the installation.",
        }),
        actorId: t.arg.id({
          description: "The person or the machine user, which takes MEMBER_READ there. If absent, it is the caller.",
        }),
      },
      resolve: (viewer, { permission, subjectId, actorId }, { domain, caller }) =>
        domain.explainAccess(caller, {
          permission,
          scopeId: subjectId ?? null,
          actorId: actorId ?? viewer.actor.id,
        }),
    }),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerRef,
    description: "The caller. A request without valid credentials is refused with status 401.",
    resolve: (_root, _args, { caller }) => caller,
  }),
);
