import type { ActorCaller } from "../../model/people/permission.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import { findEnabledActor } from "../../persistence/people/actor-store.ts";
import { isExchangedToken } from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Returns a caller that acts for an actor later, by a schedule, an inbound hook or a pipeline, with the rights that the actor has now.
 * `null` if the actor was disabled. `credentialId`: the schedule, the hook or the pipeline.
 */
export async function callerOfOwner(
  { database, rights: cache }: Pick<Deps, "database" | "rights">,
  { credentialId, ownerId }: { credentialId: string; ownerId: string },
): Promise<ActorCaller | null> {
  const version = await readAccessVersion(database);
  const found = await findEnabledActor(database, ownerId);
  if (found === null) return null;
  const holder = { credentialId: `all of ${ownerId}`, principalId: ownerId, cap: null };
  const { rights, accessVersion, until } = await cache.rightsOf(holder, version);
  return {
    type: "actor",
    credential: "OWNER",
    credentialId,
    actor: found.actor,
    rights,
    accessVersion,
    ...(until !== null && { rightsUntil: until }),
  };
}

/**
 * Throws FORBIDDEN for credentials that nothing may outlive: those of runs, and tokens that were exchanged for others.
 * `doing`: what they cannot do.
 */
export async function requireLastingCredential(
  deps: Pick<Deps, "database">,
  caller: ActorCaller,
  doing: string,
): Promise<void> {
  if (caller.credential === "RUN") {
    throw new UserError("FORBIDDEN", `A run cannot ${doing}, which would act after its end.`);
  }
  if (caller.credential === "TOKEN" && (await isExchangedToken(deps.database, caller.credentialId))) {
    throw new UserError(
      "FORBIDDEN",
      `A token that was exchanged for another cannot ${doing}: it ends with its trust rule.`,
    );
  }
}
