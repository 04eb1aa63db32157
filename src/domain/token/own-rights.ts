import { UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, tokenIdOf } from "../../model/people/permission.ts";
import { projectTree } from "../../model/people/project-tree.ts";
import { fingerprint, type Rights, rightsOf } from "../../model/people/rights.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findGrantsInForce, listProjectNodes } from "../../persistence/people/access-store.ts";
import { isExchangedToken } from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Throws FORBIDDEN if the credential of a caller has less rights than the caller: with another secret it would have more.
 * `reader`: the transaction of the command. `doing`: what such a token cannot do.
 */
export async function requireOwnRights(
  reader: Reader,
  { clock }: Pick<Deps, "clock">,
  caller: ActorCaller,
  doing: string,
): Promise<void> {
  if (caller.credential === "TOKEN" && (await isExchangedToken(reader, caller.credentialId))) {
    throw new UserError(
      "FORBIDDEN",
      `A token that was exchanged for another cannot ${doing}: it ends with its trust rule.`,
    );
  }
  const whole = await readRights(reader, caller.actor.id, clock().toISOString());
  if (fingerprint(whole) === fingerprint(caller.rights)) return;
  throw new UserError("FORBIDDEN", `A token that is limited cannot ${doing}. Use one with all of your rights.`);
}

/**
 * Reads all rights of an actor. Not from the cache: it reads by other connections, and commands that each hold one of the
 * pool would wait for each other.
 */
async function readRights(reader: Reader, actorId: string, at: string): Promise<Rights> {
  const grants = (await findGrantsInForce(reader, [actorId], at)).flatMap((found) => found.grants);
  return rightsOf(grants, projectTree(await listProjectNodes(reader)));
}

/**
 * Throws FORBIDDEN if a token, or a session of one, has less rights than its owner and would change another credential of
 * the owner: a session, a passkey or a token. A person in a session may. `reader`: the transaction of the command.
 * `doing`: what such a token cannot do.
 */
export async function requireOwnCredentials(
  reader: Reader,
  deps: Pick<Deps, "clock">,
  caller: ActorCaller,
  doing: string,
): Promise<void> {
  if (tokenIdOf(caller) !== null) await requireOwnRights(reader, deps, caller, doing);
}
