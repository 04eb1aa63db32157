/** Commands about sessions of people. */
import { idKind } from "../../model/kit/id.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import type { Session } from "../../model/people/session.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { findSessions, revokeSessions as revoke } from "../../persistence/people/session-store.ts";
import { requireOwnCredentials } from "../token/own-rights.ts";
import { command, requireSomewhere } from "../access/command.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";

const demand = { permission: "MEMBER_WRITE", words: "ending sessions of others" } as const;

/** Ends one session: one's own, or that of another person. Its connections are closed. */
function revokeSession(deps: Deps, caller: ActorCaller, input: { sessionId: string }): Promise<string> {
  const { sessionId } = input;
  const spec = {
    ...demand,
    name: "revokeSession",
    presence: "FOR_OTHERS",
    subjectId: sessionId,
    noun: "session",
    find: async (tx: Transaction) => {
      const [session = null] = idKind(sessionId) === "session" ? await findSessions(tx, [sessionId]) : [];
      // The same answer for a session of another and for one that does not exist.
      if (session?.actor.id !== caller.actor.id) requireSomewhere(caller, demand);
      return session;
    },
    placeOf: () => INSTALLATION,
    isOwn: ({ actor }: Session) => actor.id === caller.actor.id,
    sight: "MEMBER_WRITE",
  } as const;
  return command(deps, caller, spec, async (tx, { actor }) => {
    const isOther = actor.id === caller.actor.id && caller.credentialId !== sessionId;
    if (isOther) await requireOwnCredentials(tx, deps, caller, "end other sessions");
    const ended = await revoke(tx, { id: sessionId }, deps.clock().toISOString());
    if (ended.length === 0) throw notFound("session");
    tx.announce(`token:${sessionId}`);
    return sessionId;
  });
}

/** Ends all sessions of a person: one's own, or those of another. */
function revokeSessions(deps: Deps, caller: ActorCaller, input: { userId: string }): Promise<Actor> {
  const { userId } = input;
  const spec = {
    ...demand,
    name: "revokeSessions",
    presence: "FOR_OTHERS",
    subjectId: userId,
    noun: "user",
    find: async (tx: Transaction) => {
      if (userId !== caller.actor.id) requireSomewhere(caller, demand);
      const [actor = null] = idKind(userId) === "user" ? await findActors(tx, [userId]) : [];
      return actor;
    },
    placeOf: () => INSTALLATION,
    isOwn: ({ id }: Actor) => id === caller.actor.id,
    sight: "MEMBER_WRITE",
  } as const;
  return command(deps, caller, spec, async (tx, actor) => {
    if (actor.id === caller.actor.id) await requireOwnCredentials(tx, deps, caller, "end other sessions");
    const ended = await revoke(tx, { actorId: actor.id }, deps.clock().toISOString());
    for (const id of ended) tx.announce(`token:${id}`);
    return actor;
  });
}

/** The commands about sessions, by name. */
export const SESSION_COMMANDS = {
  revokeSession: { run: revokeSession, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  revokeSessions: { run: revokeSessions, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
} as const satisfies Commands;
