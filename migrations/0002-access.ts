import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Files of `access`, in order: a table comes after those that it refers to. */
const PARTS = ["projects", "grants", "tokens", "first-grants"];

/** Projects, grants of roles to people, teams and machine users, and tokens that narrow them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) {
    const text = await readFile(new URL(`access/${part}.sql`, import.meta.url), "utf8");
    await sql.raw(text).execute(db);
  }
}
