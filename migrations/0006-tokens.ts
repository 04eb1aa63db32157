import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** The rotation of tokens, and an end for each of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = await readFile(new URL("tokens/tokens.sql", import.meta.url), "utf8");
  await sql.raw(text).execute(db);
}
