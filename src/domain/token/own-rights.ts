import { UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, tokenIdOf } from "../../model/people/permission.ts";
import { fingerprint } from "../../model/people/rights.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import { isExchangedToken } from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Throws FORBIDDEN if the credential of a caller has less rights than the caller: with another secret it would have more.
 * `doing`: what such a token cannot do.
 */
export async function requireOwnRights(deps: Deps, caller: ActorCaller, doing: string): Promise<void> {
  if (caller.credential === "TOKEN" && (await isExchangedToken(deps.database, caller.credentialId))) {
    throw new UserError(
      "FORBIDDEN",
      `A token that was exchanged for another cannot ${doing}: it ends with its trust rule.`,
    );
  }
  const whole = await deps.rights.rightsOf(
    { credentialId: `all of ${caller.actor.id}`, principalId: caller.actor.id, cap: null },
    await readAccessVersion(deps.database),
  );
  if (fingerprint(whole.rights) === fingerprint(caller.rights)) return;
  throw new UserError("FORBIDDEN", `A token that is limited cannot ${doing}. Use one with all of your rights.`);
}

/**
 * Throws FORBIDDEN if a token, or a session of one, has less rights than its owner and would change another credential of
 * the owner: a session, a passkey or a token. A person in a session may. `doing`: what such a token cannot do.
 */
export async function requireOwnCredentials(deps: Deps, caller: ActorCaller, doing: string): Promise<void> {
  if (tokenIdOf(caller) !== null) await requireOwnRights(deps, caller, doing);
}
