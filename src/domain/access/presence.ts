import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { listSignInMethods } from "../../persistence/people/identity-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Whether the person of a session has lately proved to be present. A token proves nothing. */
export function isPresent({ credential, presentAt }: Omit<ActorCaller, "rights">, at: Date): boolean {
  return credential === "SESSION" && isRecent(presentAt, at);
}

function isRecent(time: string | undefined, at: Date): boolean {
  return time !== undefined && at.getTime() - Date.parse(time) <= LIMITS.presenceMs;
}

type PresenceDeps = Pick<Deps, "database" | "clock" | "publicUrl">;

/**
 * Throws REAUTHENTICATION_REQUIRED for a session whose person did not lately prove to be present, or whose token was not
 * lately shown: its cookie may be in other hands. A token is not asked: its owner was present when it was made, and no
 * one is there when it is used. A run has no one either.
 */
export async function requirePresence(deps: PresenceDeps, caller: ActorCaller): Promise<void> {
  const { credential, openedBy } = caller;
  if (credential !== "SESSION" || isRecent(openedBy?.shownAt ?? caller.presentAt, deps.clock())) return;
  throw await reauthenticationRequired(deps, caller);
}

/**
 * Makes the error REAUTHENTICATION_REQUIRED, with the ways in which the caller's person can sign in. `what`
 * begins the message: what takes it.
 */
export async function reauthenticationRequired(
  { database, publicUrl }: PresenceDeps,
  { actor, openedBy }: Pick<ActorCaller, "actor" | "openedBy">,
  what = "This",
): Promise<UserError> {
  const page = openedBy === undefined ? "/auth/login?fresh=1" : "/login?fresh=1";
  const url = publicUrl === null ? null : publicUrl + page;
  const minutes = LIMITS.presenceMs / 60_000;
  const where = url === null ? "" : ` at ${url}`;
  const message = `${what} takes a sign-in of the last ${minutes} minutes. Sign in again${where}, then repeat it.`;
  const methods = openedBy === undefined ? await listSignInMethods(database, actor.id) : (["TOKEN"] as const);
  return new UserError("REAUTHENTICATION_REQUIRED", message, { reauthentication: { url, methods } });
}
