import { LIMITS } from "../../model/kit/limits.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import { listPasskeys } from "../../persistence/people/passkey-store.ts";
import { listSessions, listSessionsOfActor } from "../../persistence/people/session-store.ts";
import type { Deps } from "../kit/deps.ts";
import { sessionTime } from "./authenticate-session.ts";

/** Creates the queries of sessions and passkeys. */
export function createSessionQueries({ database, clock }: Pick<Deps, "database" | "clock">) {
  return {
    /** The sessions of the caller that have not ended, newest first. */
    ownSessions: (caller: ActorCaller) =>
      listSessionsOfActor(database, caller.actor.id, sessionTime(clock()), LIMITS.sessionsShown),
    /** Lists sessions in force, newest first; positions are ids. Empty without the permission to end them. */
    listSessions: async (caller: ActorCaller, actorId: string | null, page: PageRequest<string>) =>
      can(caller, "MEMBER_WRITE", INSTALLATION)
        ? listSessions(database, actorId, sessionTime(clock()), page)
        : toPage(page, []),
    /** The passkeys of the caller, oldest first. */
    ownPasskeys: (caller: ActorCaller) => listPasskeys(database, caller.actor.id),
  };
}
