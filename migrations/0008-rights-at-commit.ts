import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Lets a command commit only under rights that are still in force. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = await readFile(new URL("rights-at-commit/epoch.sql", import.meta.url), "utf8");
  await sql.raw(text).execute(db);
}
