import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Files of `approvals`, in order. */
const PARTS = ["permissions", "approvers"];

/** A permission for each gate and for each kind of run, and what approvals record about their approvers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) {
    const text = await readFile(new URL(`approvals/${part}.sql`, import.meta.url), "utf8");
    await sql.raw(text).execute(db);
  }
}
