import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Files of `sign-in`, in order. */
const PARTS = ["identities", "sessions", "passkeys"];

/** Identities of people at an identity provider, passkeys, invitations, and sessions of browsers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) {
    const text = await readFile(new URL(`sign-in/${part}.sql`, import.meta.url), "utf8");
    await sql.raw(text).execute(db);
  }
}
