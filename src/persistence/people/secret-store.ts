/** Secrets of tokens, locked for what is opened with them. */
import type { Transaction } from "../database/database.ts";

/** A secret that is in force. */
export interface SecretInForce {
  tokenId: string;
  /** When it ends, because the token got another one; `null`: with the token. */
  until: string | null;
}

/**
 * Locks the token with a secret, also one from before a rotation, so that neither changes before the transaction ends;
 * `null` if no token has it. `hash`: SHA-256 of the secret.
 */
export async function lockSecret(tx: Transaction, hash: Buffer, at: string): Promise<SecretInForce | null> {
  const row = await tx.sql
    .selectFrom("token")
    .select((eb) => [
      "id",
      eb.case().when("secret_hash", "=", hash).then(null).else(eb.ref("former_until")).end().as("until"),
    ])
    .where((eb) =>
      eb.or([eb("secret_hash", "=", hash), eb.and([eb("former_hash", "=", hash), eb("former_until", ">", at)])]),
    )
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { tokenId: row.id, until: row.until };
}
