import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { listSignInMethods } from "../../persistence/people/identity-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Whether the person of a session has lately proved to be present. A token proves nothing. */
export function isPresent({ credential, presentAt }: Omit<ActorCaller, "rights">, at: Date): boolean {
  if (credential !== "SESSION" || presentAt === undefined) return false;
  return at.getTime() - Date.parse(presentAt) <= LIMITS.presenceMs;
}

type PresenceDeps = Pick<Deps, "database" | "clock" | "publicUrl">;

/**
 * Throws REAUTHENTICATION_REQUIRED for a session whose person did not lately prove to be present: its cookie may be in
 * other hands. A token is not asked: its owner was present when it was made, and no one is there when it is used. A run has no one either.
 */
export async function requirePresence(deps: PresenceDeps, caller: ActorCaller): Promise<void> {
  if (caller.credential !== "SESSION" || isPresent(caller, deps.clock())) return;
  throw await reauthenticationRequired(deps, caller);
}

/**
 * Makes the error REAUTHENTICATION_REQUIRED, with the ways in which the caller's person can sign in. `what`
 * begins the message: what takes it.
 */
export async function reauthenticationRequired(
  { database, publicUrl }: PresenceDeps,
  { actor }: Pick<ActorCaller, "actor">,
  what = "This",
): Promise<UserError> {
  const url = publicUrl === null ? null : `${publicUrl}/auth/login?fresh=1`;
  const minutes = LIMITS.presenceMs / 60_000;
  const where = url === null ? "" : ` at ${url}`;
  const message = `${what} takes a sign-in of the last ${minutes} minutes. Sign in again${where}, then repeat it.`;
  const methods = await listSignInMethods(database, actor.id);
  return new UserError("REAUTHENTICATION_REQUIRED", message, { reauthentication: { url, methods } });
}
