import { loaderById } from "../kit/loader.ts";
import type { ActorKind } from "../../model/people/actor.ts";
import type { TokenRole } from "../../model/people/role.ts";
import { idleEndOf, type Token } from "../../model/people/token.ts";
import { permissionsIn } from "../../model/people/permission-set.ts";
import { PermissionEnum } from "../kit/permission.ts";
import { ActorRef } from "./actor.ts";
import { revokedSuccess } from "../kit/success.ts";
import { mutation, type Success } from "../kit/mutation.ts";
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
    networks: t.stringList({
      description: "The networks from which it may be used, in CIDR notation. Empty: any.",
      resolve: ({ networks }) => [...networks],
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "The approximate time of the last use. `null` if it was never used.",
    }),
    lastUsedFrom: t.exposeString("lastUsedFrom", {
      nullable: true,
      description: "The network address of that use, the first 64 bits of IPv6. `null` if unknown.",
    }),
    idleEndsAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When the token ends unless it is used before. `null` for the admin token of the installation.",
      resolve: idleEndOf,
    }),
    rotatedAt: t.expose("rotatedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its secret was last replaced. `null` if it never was.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the token expires. `null` for the admin token of the installation, which never does.",
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
    description:
      "The tokens of the installation, or of the machine users of one organization, newest first. Empty without the permission TOKEN_WRITE there.",
    args: {
      ...pageArgs(),
      revoked: t.arg.boolean({
        description:
          "Whether to list only revoked tokens (true) or only valid ones (false). If absent, all are listed.",
      }),
      organizationId: t.arg.id({ description: "The organization. If absent, all tokens are listed." }),
    },
    resolve: async (_root, { revoked, organizationId, ...args }, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      const filter = { revoked: revoked ?? null, organizationId: organizationId ?? null };
      return toConnection(LIST, await domain.listTokens(caller, filter, request), ({ id }) => id);
    },
  }),
);

function secretSuccess(description: string): Success<{ token: Token; secret: string }> {
  return {
    description,
    fields: (t) => ({
      token: t.field({ type: TokenRef, description: "The token.", resolve: ({ value }) => value.token }),
      secret: t.string({
        description: "The secret, to be sent as bearer token. It is never shown again.",
        resolve: ({ value }) => value.secret,
      }),
    }),
  };
}

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
          "A role on the installation. It makes a new actor of the same name, which is granted the role; give it instead of an owner. At gates whose rules distinguish people, the approval of such an actor does not count.",
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
          "When the token expires. If absent, after 90 days; at most after 366. A token also ends after 90 days without a request.",
      }),
      networks: t.stringList({
        description:
          "The networks from which it may be used, in CIDR notation. If absent, those of the caller's own token, and any if it has none.",
      }),
    }),
  },
  success: secretSuccess("The token was created."),
  run: ({ createToken }, caller, { input }) =>
    createToken(caller, {
      ...input,
      role: input.role ?? null,
      ownerId: input.ownerId ?? null,
      permissions: input.permissions ?? null,
      scopeIds: input.scopeIds ?? null,
      expiresAt: input.expiresAt ?? null,
      networks: input.networks ?? null,
    }),
});

mutation("updateToken", {
  description: "Renames a token, or reduces what it may do. A token never gets more than it has.",
  argument: "The token, and what changes.",
  input: {
    description: "The token, and what changes. Fields that are absent stay as they are.",
    fields: (t) => ({
      tokenId: t.id({ required: true, description: "The token." }),
      name: t.string({ description: "The name." }),
      permissions: t.field({ type: [PermissionEnum], description: "The permissions that it keeps." }),
      scopeIds: t.idList({
        description:
          "The organizations, projects and workspaces that it keeps; any if it was not reduced to some before.",
      }),
      networks: t.stringList({
        description: "The networks that it keeps, in CIDR notation: parts of those that it has.",
      }),
      expiresAt: t.field({ type: "DateTime", description: "An earlier end." }),
    }),
  },
  success: {
    description: "The token has changed. Its connections that could do more are closed.",
    fields: (t) => ({
      token: t.field({ type: TokenRef, description: "The token.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ updateToken }, caller, { input }) =>
    updateToken(caller, {
      ...input,
      name: input.name ?? null,
      permissions: input.permissions ?? null,
      scopeIds: input.scopeIds ?? null,
      networks: input.networks ?? null,
      expiresAt: input.expiresAt ?? null,
    }),
});

mutation("rotateToken", {
  description:
    "Gives a token a new secret. Its id, its owner and its limits stay. The former secret is good for the overlap; one from an earlier rotation ends at once.",
  argument: "The token to rotate.",
  input: {
    description: "The token to rotate: one of the caller, or of a machine user whose grants the caller has itself.",
    fields: (t) => ({
      tokenId: t.id({ required: true, description: "The token." }),
      overlapHours: t.int({
        description:
          "For how many hours the former secret is good, up to 168. If absent, 24. With 0 it ends at once, with the connections that it opened.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description:
          "The new end of the token, at most 366 days from now, which a limited token cannot give itself. If absent, the end stays.",
      }),
    }),
  },
  success: secretSuccess("The token has a new secret."),
  run: ({ rotateToken }, caller, { input }) =>
    rotateToken(caller, {
      ...input,
      overlapHours: input.overlapHours ?? null,
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
