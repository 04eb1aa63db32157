import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { listPasskeys } from "../../persistence/people/passkey-store.ts";
import { listSessionsOfActor } from "../../persistence/people/session-store.ts";
import type { Deps } from "../kit/deps.ts";
import { sessionTime } from "./authenticate-session.ts";

/** Creates the queries of sessions and passkeys. */
export function createSessionQueries({ database, clock }: Pick<Deps, "database" | "clock">) {
  return {
    /** The sessions of the caller that have not ended, newest first. */
    ownSessions: (caller: ActorCaller) =>
      listSessionsOfActor(database, caller.actor.id, sessionTime(clock()), LIMITS.sessionsShown),
    /** The passkeys of the caller, oldest first. */
    ownPasskeys: (caller: ActorCaller) => listPasskeys(database, caller.actor.id),
  };
}
