/** The grant of the role ADMIN on the installation that a group of the identity provider gives. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { builtInRoleId } from "../../model/people/role.ts";
import type { Reader, Transaction } from "../database/database.ts";

const ROLE_ID = builtInRoleId("ADMIN");

/** The grant of an actor, a lapsed one included; `null` if it was never given or has been revoked. */
export async function findAdministration(
  reader: Reader,
  actorId: string,
): Promise<{ expiresAt: string | null } | null> {
  const row = await reader.sql
    .selectFrom("access_grant")
    .select("expires_at")
    .where("principal_id", "=", actorId)
    .where("role_id", "=", ROLE_ID)
    .where("scope_id", "is", null)
    .where("revoked_at", "is", null)
    .where("granted_by", "=", SYSTEM_ACTOR_ID)
    .where("expires_at", "is not", null)
    .executeTakeFirst();
  return row === undefined ? null : { expiresAt: row.expires_at };
}

/** Gives the grant, or moves its end. A grant of the same role that a person gave stays as it is. */
export async function putAdministration(
  tx: Transaction,
  grant: { id: string; actorId: string; grantedById: string; reason: string; at: string; expiresAt: string },
): Promise<void> {
  await tx.sql
    .insertInto("access_grant")
    .values({
      id: grant.id,
      principal_id: grant.actorId,
      role_id: ROLE_ID,
      organization_id: null,
      scope_id: null,
      reason: grant.reason,
      granted_by: grant.grantedById,
      created_at: grant.at,
      expires_at: grant.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["principal_id", "role_id", "scope_id"])
        .where("revoked_at", "is", null)
        .doUpdateSet({ expires_at: grant.expiresAt })
        .where("access_grant.granted_by", "=", SYSTEM_ACTOR_ID)
        .where("access_grant.expires_at", "is not", null),
    )
    .execute();
}

/** Revokes the grant. */
export async function endAdministration(
  tx: Transaction,
  actorId: string,
  { at, byId }: { at: string; byId: string },
): Promise<void> {
  await tx.sql
    .updateTable("access_grant")
    .set({ revoked_at: at, revoked_by: byId })
    .where("principal_id", "=", actorId)
    .where("role_id", "=", ROLE_ID)
    .where("scope_id", "is", null)
    .where("revoked_at", "is", null)
    .where("granted_by", "=", SYSTEM_ACTOR_ID)
    .where("expires_at", "is not", null)
    .execute();
}

/**
 * Whether a person who can sign in has the role ADMIN on the installation, without an end. `byIdentity`: whether people
 * sign in at an identity provider.
 */
export async function hasAdministratorToSignIn(reader: Reader, byIdentity: boolean): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("access_grant")
    .innerJoin("actor", "actor.id", "access_grant.principal_id")
    .select("actor.id")
    .where("role_id", "=", ROLE_ID)
    .where("scope_id", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", "is", null)
    .where("actor.disabled_at", "is", null)
    .where((eb) => {
      const passkey = eb.selectFrom("passkey").select("passkey.id").whereRef("passkey.actor_id", "=", "actor.id");
      const identity = eb.selectFrom("identity").select("subject").whereRef("identity.actor_id", "=", "actor.id");
      return byIdentity ? eb.or([eb.exists(passkey), eb.exists(identity)]) : eb.exists(passkey);
    })
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
