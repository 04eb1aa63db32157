import type { ActorCaller } from "../../model/people/permission.ts";
import { findSessionInForce } from "../../persistence/people/session-store.ts";
import { findTokenInForce } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { findCallerOfRun } from "../token/authenticate-run.ts";
import { callerOf, tokenTime } from "../token/authenticate.ts";
import { findOwner } from "../../persistence/schedule/owner-store.ts";
import { callerOfOwner } from "./owner-caller.ts";
import { callerOfSession, sessionTime } from "./authenticate-session.ts";

/**
 * Returns the caller of a credential with its rights of now; `null` if the credential was revoked or has ended.
 */
export async function findCurrentCaller(
  deps: Pick<Deps, "database" | "rights" | "clock">,
  { credential, credentialId }: Pick<ActorCaller, "credential" | "credentialId">,
): Promise<ActorCaller | null> {
  const at = deps.clock();
  if (credential === "TOKEN") {
    const token = await findTokenInForce(deps.database, credentialId, tokenTime(at));
    return token === null ? null : callerOf(deps, token);
  }
  if (credential === "RUN") return findCallerOfRun(deps, credentialId);
  if (credential === "OWNER") {
    const ownerId = await findOwner(deps.database, credentialId);
    return ownerId === null ? null : callerOfOwner(deps, { credentialId, ownerId });
  }
  const session = await findSessionInForce(deps.database, credentialId, sessionTime(at));
  return session === null ? null : callerOfSession(deps, session);
}
