import { loaderById } from "../kit/loader.ts";
import type { ActorKind } from "../../model/people/actor.ts";
import type { TokenRole } from "../../model/people/role.ts";
import type { Token } from "../../model/people/token.ts";
import { permissionsIn } from "../../model/people/permission-set.ts";
import { PermissionEnum } from "../kit/permission.ts";
import { ActorRef } from "./actor.ts";
import { revokedSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { TokenRef } from "../kit/refs.ts";

const tokenLoader = loaderById(["token"], (domain, caller, ids) => domain.tokens(caller, ids));

export const TokenRoleEnum = describedEnum<TokenRole>(
  "TokenRole",
  "The role of a token. Each role includes the permissions of the roles before it.",
  {
    READER: "Reads everything except secrets.",
    WRITER:
      "Also creates workspaces and runs, sets variables, replans, cancels and discards, and downloads states with their secrets.",
    APPROVER: "Also approves and rejects.",
    ADMIN: "Has all permissions, including tokens and commands with force.",
  },
);

const ActorKindEnum = describedEnum<Exclude<ActorKind, "SYSTEM">>("ActorKind", "The kind of actor that uses a token.", {
  USER: "A person.",
  MACHINE: "A program.",
});

addNode("token", "Token", tokenLoader);
TokenRef.implement({
  extensions: requiredPermissions("TOKEN_WRITE"),
  description: "A credential for the API. Its secret is shown once, when it is created. Only admins see tokens.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique among the tokens that are not revoked." }),
    role: t.field({
      type: TokenRoleEnum,
      description: "The role that limits the token. `ADMIN` if no role does.",
      resolve: ({ role }) => role ?? "ADMIN",
    }),
    permissions: t.field({
      type: [PermissionEnum],
      nullable: true,
      description: "The permissions to which it is reduced. `null`: all that its actor has.",
      resolve: ({ permissions }) => (permissions === null ? null : permissionsIn(permissions)),
    }),
    scopeIds: t.idList({
      nullable: true,
      description:
        "The organizations, projects and workspaces to which it is reduced. `null`: all places where its actor has rights.",
      resolve: ({ scopeIds }) => (scopeIds === null ? null : [...scopeIds]),
    }),
    actor: t.field({ type: ActorRef, description: "The actor that uses the token.", resolve: ({ actor }) => actor }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "The approximate time of the last use. `null` if it was never used.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the token expires. `null` if it never does.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the token was revoked. `null` if it was not.",
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
    description: "The tokens of the installation, newest first. Empty unless the caller is an admin.",
    args: {
      ...pageArgs(),
      revoked: t.arg.boolean({
        description:
          "Whether to list only revoked tokens (true) or only valid ones (false). If absent, all are listed.",
      }),
    },
    resolve: async (_root, { revoked, ...args }, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      return toConnection(LIST, await domain.listTokens(caller, revoked ?? null, request), ({ id }) => id);
    },
  }),
);

mutation("createToken", {
  description: "Creates a token.",
  argument: "The token.",
  input: {
    description: "The token to create. Its secret is shown once, in the result.",
    fields: (t) => ({
      name: t.string({
        required: true,
        description:
          "The name of the token and of its actor, which is always a new one. The name of a revoked token may be used again.",
      }),
      actor: t.field({
        type: ActorKindEnum,
        required: true,
        defaultValue: "USER",
        description: "The kind of the actor. Runs that a machine user creates have the trigger API.",
      }),
      role: t.field({
        type: TokenRoleEnum,
        description:
          "A role on the installation. It makes a new actor of the same name, which is granted the role; give it instead of an owner.",
      }),
      ownerId: t.id({
        description:
          "The caller itself, or a machine user: the token has the rights of its owner, reduced by the fields below.",
      }),
      permissions: t.field({
        type: [PermissionEnum],
        description: "The permissions to which it is reduced. If absent, all that the owner has.",
      }),
      scopeIds: t.idList({
        description:
          "The organizations, projects and workspaces to which it is reduced. If absent, all places where the owner has rights.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description:
          "When the token expires. If absent: after 90 days with an owner, and never with a role. An owner's token lasts at most 366 days.",
      }),
    }),
  },
  success: {
    description: "The token was created.",
    fields: (t) => ({
      token: t.field({ type: TokenRef, description: "The token.", resolve: ({ value }) => value.token }),
      secret: t.string({
        description: "The secret, to be sent as bearer token. It is never shown again.",
        resolve: ({ value }) => value.secret,
      }),
    }),
  },
  run: ({ createToken }, caller, { input }) =>
    createToken(caller, {
      ...input,
      role: input.role ?? null,
      ownerId: input.ownerId ?? null,
      permissions: input.permissions ?? null,
      scopeIds: input.scopeIds ?? null,
      expiresAt: input.expiresAt ?? null,
    }),
});

mutation("revokeToken", {
  description: "Revokes a token at once.",
  argument: "The token to revoke.",
  input: {
    description: "The token to revoke.",
    fields: (t) => ({ tokenId: t.id({ required: true, description: "The token." }) }),
  },
  success: revokedSuccess("The token no longer works.", "The id of the token."),
  run: ({ revokeToken }, caller, { input }) => revokeToken(caller, input),
});
