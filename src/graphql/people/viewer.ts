import type { TokenCaller } from "../../model/people/permission.ts";
import { ActorRef } from "./actor.ts";
import { builder } from "../kit/builder.ts";
import { TokenRoleEnum } from "./token.ts";

const ViewerRef = builder.objectRef<TokenCaller>("Viewer").implement({
  description: "The caller and its permissions.",
  fields: (t) => ({
    actor: t.field({ type: ActorRef, description: "The actor of the token.", resolve: ({ actor }) => actor }),
    isAdmin: t.boolean({ description: "Whether the role is ADMIN.", resolve: ({ role }) => role === "ADMIN" }),
    role: t.expose("role", { type: TokenRoleEnum, description: "The role of the token." }),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerRef,
    description: "The caller. A request without valid credentials is refused with status 401.",
    resolve: (_root, _args, { caller }) => caller,
  }),
);
