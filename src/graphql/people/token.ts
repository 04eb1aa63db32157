import type { ActorKind } from "../../model/people/actor.ts";
import type { Token, TokenRole } from "../../model/people/token.ts";
import { ActorRef } from "./actor.ts";
import { answer } from "../kit/answer.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { NodeRef } from "../kit/node.ts";
import { TokenRef } from "../kit/refs.ts";
import { ForbiddenErrorRef, InvalidInputErrorRef, NameTakenErrorRef, NotFoundErrorRef } from "../kit/user-error.ts";

export const TokenRoleEnum = describedEnum<TokenRole>(
  "TokenRole",
  "READER reads; WRITER also creates, replans, cancels, discards; APPROVER also approves and rejects; ADMIN does everything.",
  {
    READER: "Reads everything but secrets.",
    WRITER:
      "Also creates workspaces and runs, sets variables, replans, cancels and discards, and takes states with all that is in them.",
    APPROVER: "Also approves and rejects.",
    ADMIN: "Everything: also tokens, and whatever needs force.",
  },
);

const ActorKindEnum = describedEnum<Exclude<ActorKind, "SYSTEM">>("ActorKind", "Who acts by a token.", {
  USER: "A person.",
  MACHINE: "A program.",
});

TokenRef.implement({
  extensions: asksFor("token:write"),
  description: "A credential for the API. Its secret is shown once, when it is created. Only admins see tokens.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, shared with no other token that is not revoked." }),
    role: t.expose("role", { type: TokenRoleEnum, description: "What it may do." }),
    actor: t.field({ type: ActorRef, description: "Who acts by it.", resolve: ({ actor }) => actor }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "About when it was last used; null where it never was.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ends; null: never.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was revoked; null if it was not.",
    }),
  }),
});

const LIST = "tokens";
const EdgeRef = edgeRef<Token>("Token", "token");
const ConnectionRef = connectionRef<Token>("Token", "A page of tokens, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: TokenRef, description: "The token.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The tokens.", resolve: (connection) => connection.edges }),
);

builder.queryField("tokens", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The tokens of the installation, newest first, for admins. Empty for every other role.",
    args: {
      ...pageArgs(),
      revoked: t.arg.boolean({
        description: "true: only tokens that were revoked; false: only those that were not; absent: all.",
      }),
    },
    resolve: async (_root, { revoked, ...args }, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      return toConnection(LIST, await domain.listTokens(caller, revoked ?? null, request), ({ id }) => id);
    },
  }),
);

const CreateTokenInputRef = builder.inputType("CreateTokenInput", {
  description: "A new token. The secret is shown once, in the answer.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description:
        "A name for the token and its actor. Only a revoked token may have had it before. The actor is always a new one.",
    }),
    actor: t.field({
      type: ActorKindEnum,
      required: true,
      defaultValue: "USER",
      description: "Who acts by it: runs of a machine user have the trigger API.",
    }),
    role: t.field({ type: TokenRoleEnum, required: true, description: "What it may do." }),
    expiresAt: t.field({ type: "DateTime", description: "When it ends; absent: never." }),
  }),
});

const CreateTokenSuccessRef = builder
  .objectRef<{ type: "CreateTokenSuccess"; token: Token; secret: string }>("CreateTokenSuccess")
  .implement({
    description: "The token exists.",
    fields: (t) => ({
      token: t.field({ type: TokenRef, description: "The token.", resolve: ({ token }) => token }),
      secret: t.exposeString("secret", {
        description: "What its owner sends as bearer token. It is never shown again.",
      }),
    }),
  });

const CreateTokenResultRef = builder.unionType("CreateTokenResult", {
  description: "What came of `createToken`.",
  types: [CreateTokenSuccessRef, InvalidInputErrorRef, ForbiddenErrorRef, NameTakenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("createToken", (t) =>
  t.field({
    type: CreateTokenResultRef,
    description: "Creates a token.",
    args: { input: t.arg({ type: CreateTokenInputRef, required: true, description: "The token." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "ForbiddenError", "NameTakenError"], async () => ({
        type: "CreateTokenSuccess" as const,
        ...(await context.domain.createToken(context.caller, { ...input, expiresAt: input.expiresAt ?? null })),
      })),
  }),
);

const RevokeTokenInputRef = builder.inputType("RevokeTokenInput", {
  description: "A token that is to end.",
  fields: (t) => ({ tokenId: t.id({ required: true, description: "The token." }) }),
});

const RevokeTokenSuccessRef = builder
  .objectRef<{ type: "RevokeTokenSuccess"; revokedId: string }>("RevokeTokenSuccess")
  .implement({
    description: "The token lets nobody in any more.",
    fields: (t) => ({ revokedId: t.exposeID("revokedId", { description: "The id of the token." }) }),
  });

const RevokeTokenResultRef = builder.unionType("RevokeTokenResult", {
  description: "What came of `revokeToken`.",
  types: [RevokeTokenSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("revokeToken", (t) =>
  t.field({
    type: RevokeTokenResultRef,
    description: "Ends a token at once.",
    args: { input: t.arg({ type: RevokeTokenInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "RevokeTokenSuccess" as const,
        revokedId: await context.domain.revokeToken(context.caller, input),
      })),
  }),
);
