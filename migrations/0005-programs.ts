import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Files of `programs`, in order. */
const PARTS = ["requests", "trust-rules"];

/** Programs that get a token: by asking a person for it, or for a token of another issuer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) {
    const text = await readFile(new URL(`programs/${part}.sql`, import.meta.url), "utf8");
    await sql.raw(text).execute(db);
  }
}
