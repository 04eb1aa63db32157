import type { Selectable } from "kysely";
import type { Passkey, PasskeyCredential } from "../../model/people/passkey.ts";
import { toActor } from "./actor-store.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Pick<Selectable<Tables["passkey"]>, "id" | "actor_id" | "name" | "created_at" | "last_used_at">;

function toPasskey(row: Row): Passkey {
  return {
    id: row.id,
    actorId: row.actor_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

function shown(reader: Reader) {
  return reader.sql.selectFrom("passkey").select(["id", "actor_id", "name", "created_at", "last_used_at"]);
}

/** Throws a unique violation of `passkey_credential_id_key` if the passkey is known already. */
export async function insertPasskey(
  tx: Transaction,
  passkey: Passkey,
  { credentialId, publicKey, counter }: Pick<PasskeyCredential, "credentialId" | "publicKey" | "counter">,
): Promise<void> {
  await tx.sql
    .insertInto("passkey")
    .values({
      id: passkey.id,
      actor_id: passkey.actorId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .execute();
}

/** The passkey with an id of its authenticator. */
export async function findPasskeyCredential(reader: Reader, credentialId: Buffer): Promise<PasskeyCredential | null> {
  const row = await reader.sql
    .selectFrom("passkey")
    .innerJoin("actor", "actor.id", "passkey.actor_id")
    .select(["passkey.id", "credential_id", "public_key", "counter"])
    .select(["actor.id as actor_id", "actor.kind", "actor.name", "actor.disabled_at"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    actor: toActor({ id: row.actor_id, kind: row.kind, name: row.name }),
    disabled: row.disabled_at !== null,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
  };
}

/**
 * Notes a signature with its count; `false` if the passkey is gone, or if the count does not go up, which means that
 * the passkey was copied. Authenticators that do not count always send 0.
 */
export async function usePasskey(tx: Transaction, id: string, counter: number, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("passkey")
    .set({ counter, last_used_at: at })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("counter", "<", counter), eb.and([eb("counter", "=", 0), eb.lit(counter === 0)])]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The passkeys of a person, oldest first. */
export async function listPasskeys(reader: Reader, actorId: string): Promise<Passkey[]> {
  const rows = await shown(reader).where("actor_id", "=", actorId).orderBy("id").execute();
  return rows.map(toPasskey);
}

/** The ids by which authenticators know the passkeys of a person. */
export async function listCredentialIds(reader: Reader, actorId: string): Promise<Buffer[]> {
  const rows = await reader.sql.selectFrom("passkey").select("credential_id").where("actor_id", "=", actorId).execute();
  return rows.map((row) => row.credential_id);
}

export async function findPasskeys(reader: Reader, ids: readonly string[]): Promise<(Passkey | null)[]> {
  const rows = await shown(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toPasskey), (passkey) => passkey.id);
}

export async function renamePasskeyRow(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.sql.updateTable("passkey").set({ name }).where("id", "=", id).execute();
}

/** Locks the passkeys of a person against other deletions until the transaction ends. */
export async function lockPasskeys(tx: Transaction, actorId: string): Promise<void> {
  await tx.sql.selectFrom("actor").select("id").where("id", "=", actorId).forNoKeyUpdate().execute();
}

/** Whether there was one. */
export async function removePasskey(tx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("passkey").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
