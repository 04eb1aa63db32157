import type { ActorCaller } from "../../model/people/permission.ts";
import { tokenRoleIn } from "../../model/people/role.ts";
import { ActorRef } from "./actor.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { TokenRef } from "../kit/refs.ts";
import { builder } from "../kit/builder.ts";
import { TokenRoleEnum } from "./token.ts";

const ViewerRef = builder.objectRef<ActorCaller>("Viewer").implement({
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
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerRef,
    description: "The caller. A request without valid credentials is refused with status 401.",
    resolve: (_root, _args, { caller }) => caller,
  }),
);
