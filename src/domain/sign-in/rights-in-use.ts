/** Commands commit only under rights that are in force at their commit. */
import type { ActorCaller } from "../../model/people/permission.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { RightsChanged } from "../../persistence/database/database.ts";
import type { RunCommand } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import { findCurrentCaller } from "./current-caller.ts";

/** How often a command is tried. Each change of rights in the installation while it runs costs one. */
const TRIES = 10;

/**
 * Returns dependencies whose transactions throw RightsChanged at their commit, unless the rights of the caller are
 * still in force. A transaction given `null` instead of rights is a consequence of what was committed, and needs none.
 */
export function underRightsOf(deps: Deps, caller: ActorCaller): Deps {
  const { database, clock } = deps;
  const own = { version: caller.accessVersion.version, credentialId: caller.credentialId };
  return {
    ...deps,
    database: {
      ...database,
      transaction: (work, rights = own) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          if (rights !== null && hasEnded(caller, clock())) throw new RightsChanged("The rights have ended.");
          return result;
        }, rights),
    },
  };
}

/** Whether the credential or one of the grants of a caller has ended. */
function hasEnded({ expiresAt, rightsUntil }: ActorCaller, at: Date): boolean {
  const now = at.toISOString();
  return [expiresAt, rightsUntil].some((end) => end !== undefined && end <= now);
}

/**
 * Creates the function that runs a command under the rights of its caller. If they have changed when it commits, it is
 * run again under the new ones. Throws FORBIDDEN if the credential is not in force any more.
 */
export function createRunCommand(deps: Deps): RunCommand {
  return async (caller, work) => {
    let current = caller;
    for (let tried = 1; ; tried++) {
      try {
        return await work(underRightsOf(deps, current), current);
      } catch (error) {
        if (!(error instanceof RightsChanged) || tried === TRIES) throw error;
        const found = await findCurrentCaller(deps, current);
        if (found === null) {
          throw new UserError("FORBIDDEN", "The token or session was revoked, or it has ended. Sign in again.");
        }
        current = found;
      }
    }
  };
}

/** Keeps the first answer of a body that can be read only once: a command may be run again. */
export function once<Body>(read: () => Promise<Body>): () => Promise<Body> {
  let body: Promise<Body> | undefined;
  return () => (body ??= read());
}
