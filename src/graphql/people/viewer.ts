import type { AccessExplanation } from "../../domain/people/explain-access.ts";
import type { Charge, OperationCost, Quota } from "../../model/limit/charge.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionsIn } from "../../model/people/permission-set.ts";
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
      description:
        "The reasons for which the permission is lacking: limits of the token, an isolated project, a disabled actor.",
      resolve: ({ limitedBy }) => [...limitedBy],
    }),
    reason: t.exposeString("reason", { description: "The reason in words." }),
  }),
});

/** The points of the caller's credential, with the cost of the operation that asks. */
interface RateLimit {
  quota: Quota;
  cost: OperationCost;
  at: Date;
}

const RateLimitRef = builder.objectRef<RateLimit>("RateLimit").implement({
  description: "The points that the token or session of the caller has left on this server.",
  fields: (t) => ({
    limit: t.int({
      description:
        "The points that are available at once when none were used, and the most that one operation may cost.",
      resolve: ({ quota }) => quota.policy.limit,
    }),
    remaining: t.int({ description: "The points that are left.", resolve: ({ quota }) => quota.remaining }),
    resetAt: t.field({
      type: "DateTime",
      description: "When all points are available again, if none are used until then.",
      resolve: ({ quota, at }) => new Date(at.getTime() + quota.resetMs).toISOString(),
    }),
    cost: t.int({ description: "The points that this operation costs.", resolve: ({ cost }) => cost.points }),
    nodeCount: t.int({
      description: "The objects that the lists of this operation can return, and its fields at the root.",
      resolve: ({ cost }) => cost.nodes,
    }),
  }),
});

function rateLimitOf(charged: Charge | undefined): RateLimit | null {
  if (charged?.type !== "charged") return null;
  const quota = charged.quotas.find(({ policy }) => policy.whose === "credential");
  return quota === undefined ? null : { quota, cost: charged.cost, at: charged.at };
}

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
    permissions: t.field({
      type: [PermissionEnum],
      description:
        "The permissions that the caller has on the installation, and so everywhere but in isolated projects. `viewerPermissions` of an organization, a project or a workspace has those there.",
      resolve: ({ rights }) => permissionsIn(rights.everywhere),
    }),
    rateLimit: t.field({
      type: RateLimitRef,
      nullable: true,
      extensions: ACTOR_DEPENDENT,
      description:
        "The remaining allowance of the token or session of the caller. `null` if the server has no such limit.",
      resolve: (_caller, _args, { charged }) => rateLimitOf(charged),
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
