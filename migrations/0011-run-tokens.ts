import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Grants to workspaces: their runs act with them on the API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = await readFile(new URL("tokens/run-tokens.sql", import.meta.url), "utf8");
  await sql.raw(text).execute(db);
}
