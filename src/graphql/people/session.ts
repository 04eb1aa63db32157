import type { ActorCaller, CredentialKind } from "../../model/people/permission.ts";
import type { Session } from "../../model/people/session.ts";
import type { Passkey } from "../../model/people/passkey.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mutation } from "../kit/mutation.ts";
import { SignInMethodEnum } from "../kit/sign-in-method.ts";
import { deletedSuccess, revokedSuccess } from "../kit/success.ts";
import { ActorRef } from "./actor.ts";
import { ViewerRef } from "./viewer.ts";

const CredentialKindEnum = describedEnum<CredentialKind>("CredentialKind", "The kind of credential of a caller.", {
  TOKEN: "A token of the API.",
  SESSION: "A browser in which a person is signed in.",
  RUN: "A run at work, by the token in the environment of its engine.",
});

/** A session as its own person sees it. */
interface ShownSession extends Session {
  current: boolean;
}

const SessionRef = builder.objectRef<ShownSession>("Session").implement({
  description: "A browser in which a person is signed in. Its secret is in a cookie that scripts cannot read.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id." }),
    actor: t.field({ type: ActorRef, description: "The person.", resolve: ({ actor }) => actor }),
    method: t.field({ type: SignInMethodEnum, description: "How it was opened.", resolve: ({ method }) => method }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The network address at the sign-in, the first 64 bits of IPv6. `null` if unknown.",
    }),
    userAgent: t.exposeString("userAgent", {
      nullable: true,
      description: "The name that the browser gave itself. `null` if it gave none.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the person signed in." }),
    lastSeenAt: t.field({
      type: "DateTime",
      description: "The last request, to the minute. A session without a request for 12 hours ends.",
      resolve: ({ seenAt }) => seenAt,
    }),
    presentAt: t.expose("presentAt", {
      type: "DateTime",
      nullable: true,
      description: "When the person last proved to be present. `null` if the identity provider did not send it.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends at the latest." }),
    current: t.exposeBoolean("current", { description: "Whether it is the session of this request." }),
  }),
});

const PasskeyRef = builder.objectRef<Passkey>("Passkey").implement({
  description: "A passkey of the caller: a key pair whose private half its device keeps.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id." }),
    name: t.exposeString("name", { description: "The name." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "The last sign-in with it. `null` if there was none.",
    }),
  }),
});

builder.objectField(ViewerRef, "passkeys", (t) =>
  t.field({
    type: [PasskeyRef],
    extensions: ACTOR_DEPENDENT,
    description: "The passkeys of the caller, oldest first. `/auth/passkey` is the page to make another one.",
    resolve: (viewer: ActorCaller, _args, { domain }) => domain.ownPasskeys(viewer),
  }),
);

builder.objectField(ViewerRef, "credential", (t) =>
  t.field({
    type: CredentialKindEnum,
    description: "The kind of credential of this request.",
    resolve: ({ credential }) => {
      if (credential === "OWNER") throw new Error("No request comes from a schedule.");
      return credential;
    },
  }),
);

builder.objectField(ViewerRef, "session", (t) =>
  t.field({
    type: SessionRef,
    nullable: true,
    extensions: ACTOR_DEPENDENT,
    description: "The session of this request. `null` if it has another credential. `revokeSession` ends it.",
    resolve: async (viewer: ActorCaller, _args, { domain }) => {
      if (viewer.credential !== "SESSION") return null;
      const session = (await domain.ownSessions(viewer)).find(({ id }) => id === viewer.credentialId);
      return session === undefined ? null : { ...session, current: true };
    },
  }),
);

builder.objectField(ViewerRef, "sessions", (t) =>
  t.field({
    type: [SessionRef],
    extensions: ACTOR_DEPENDENT,
    description: "The sessions of the caller that have not ended, newest first.",
    resolve: async (viewer: ActorCaller, _args, { domain }) => {
      const sessions = await domain.ownSessions(viewer);
      return sessions.map((session) => ({ ...session, current: session.id === viewer.credentialId }));
    },
  }),
);

const LIST = "sessions";
const EdgeRef = edgeRef<ShownSession>("Session", "session");
const ConnectionRef = connectionRef<ShownSession>("Session", "A page of sessions, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: SessionRef, description: "The session.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The sessions.", resolve: (connection) => connection.edges }),
);

builder.queryField("sessions", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("MEMBER_WRITE"),
    description:
      "The sessions of all people, or of one, that have not ended, newest first. Empty without the permission MEMBER_WRITE on the installation.",
    args: { ...pageArgs(), userId: t.arg.id({ description: "The person. If absent, those of all are listed." }) },
    resolve: async (_root, { userId, ...args }, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      const page = await domain.listSessions(caller, userId ?? null, request);
      const shown = page.items.map((session) => ({ ...session, current: session.id === caller.credentialId }));
      return toConnection(LIST, { ...page, items: shown }, ({ id }) => id);
    },
  }),
);

mutation("revokeSession", {
  description: "Ends a session at once and closes its connections. Ending one of another person takes MEMBER_WRITE.",
  argument: "The session to end.",
  input: {
    description: "The session to end.",
    fields: (t) => ({ sessionId: t.id({ required: true, description: "The session." }) }),
  },
  success: revokedSuccess("The session has ended.", "The id of the session."),
  run: ({ revokeSession }, caller, { input }) => revokeSession(caller, input),
});

mutation("revokeSessions", {
  description: "Ends all sessions of a person at once. Those of another person take MEMBER_WRITE.",
  argument: "The person.",
  input: {
    description: "The person whose sessions end.",
    fields: (t) => ({ userId: t.id({ required: true, description: "The person." }) }),
  },
  success: {
    description: "The sessions have ended.",
    fields: (t) => ({
      actor: t.field({ type: ActorRef, description: "The person.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ revokeSessions }, caller, { input }) => revokeSessions(caller, input),
});

mutation("renamePasskey", {
  description: "Renames a passkey of the caller. Renaming one of another person takes MEMBER_WRITE.",
  argument: "The passkey and its name.",
  input: {
    description: "The new name of a passkey.",
    fields: (t) => ({
      passkeyId: t.id({ required: true, description: "The passkey." }),
      name: t.string({ required: true, description: "The name." }),
    }),
  },
  success: {
    description: "The passkey has the name.",
    fields: (t) => ({
      passkey: t.field({ type: PasskeyRef, description: "The passkey.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ renamePasskey }, caller, { input }) => renamePasskey(caller, input),
});

mutation("deletePasskey", {
  description: "Deletes a passkey of the caller. Its sessions stay. Deleting one of another person takes MEMBER_WRITE.",
  argument: "The passkey to delete.",
  input: {
    description: "The passkey to delete.",
    fields: (t) => ({ passkeyId: t.id({ required: true, description: "The passkey." }) }),
  },
  success: deletedSuccess("The passkey is not accepted any more.", "The id of the passkey."),
  run: ({ deletePasskey }, caller, { input }) => deletePasskey(caller, input),
});
