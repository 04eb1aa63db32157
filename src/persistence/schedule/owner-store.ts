import { sql } from "kysely";
import type { Reader } from "../database/database.ts";

/** Finds the actor under whose rights a schedule, an inbound hook or a pipeline acts; `null` if it was deleted. */
export async function findOwner(reader: Reader, id: string): Promise<string | null> {
  const { rows } = await sql<{ owner_id: string }>`
    select owner_id from schedule where id = ${id} and deleted_at is null
    union all
    select owner_id from inbound_hook where id = ${id} and deleted_at is null
    union all
    select owner_id from promotion_pipeline where id = ${id} and deleted_at is null
  `.execute(reader.sql);
  return rows[0]?.owner_id ?? null;
}
