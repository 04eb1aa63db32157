import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Cipher } from "./cipher.ts";
import type { Database, Reader } from "../database/database.ts";

const OLDEST_SERVER = 150_000;

/** The database and this server do not fit each other; the message has the reason and the remedy. */
export class InstallationError extends Error {
  override readonly name = "InstallationError";
}

/** Refuses a Postgres that is older than 15. */
export async function checkServerVersion(reader: Reader): Promise<void> {
  const { rows } = await sql<{ number: string; text: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as text
  `.execute(reader.sql);
  const [version] = rows;
  if (version === undefined || Number(version.number) < OLDEST_SERVER) {
    throw new InstallationError(`DATABASE_URL: Postgres 15 or newer is needed, this is ${version?.text ?? "unknown"}.`);
  }
}

/** Refuses a master key other than the one that the database was first used with. */
export async function checkMasterKey(database: Database, cipher: Cipher): Promise<void> {
  const stored = await database.transaction(async (tx) => {
    await tx.sql
      .insertInto("installation")
      .values({ key_check: keyCheck(cipher) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx.sql.selectFrom("installation").select("key_check").executeTakeFirstOrThrow();
  });
  if (!isKeyCheck(stored.key_check, cipher)) {
    throw new InstallationError(
      "The master key does not fit this database: set HOLDPOINT_MASTER_KEY, or restore the file master.key in the " +
        "data folder, to the key that the database was created with.",
    );
  }
}

/** Whether this is the master key that the database was first used with; null where it was never used. */
export async function masterKeyFits(reader: Reader, cipher: Cipher): Promise<boolean | null> {
  const stored = await reader.sql.selectFrom("installation").select("key_check").executeTakeFirst();
  return stored === undefined ? null : isKeyCheck(stored.key_check, cipher);
}

function isKeyCheck(stored: Uint8Array, cipher: Cipher): boolean {
  const check = keyCheck(cipher);
  return stored.length === check.length && timingSafeEqual(stored, check);
}

function keyCheck(cipher: Cipher): Buffer {
  return cipher.mac("key-check", "holdpoint");
}

/** Whether the database answers. */
export async function isReachable(reader: Reader): Promise<boolean> {
  try {
    await sql`select 1`.execute(reader.sql);
    return true;
  } catch {
    return false;
  }
}
