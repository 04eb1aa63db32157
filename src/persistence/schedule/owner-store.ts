import type { Reader } from "../database/database.ts";

/** Finds the actor under whose rights a schedule acts; `null` if it was deleted. */
export async function findOwner(reader: Reader, scheduleId: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("schedule")
    .select("owner_id")
    .where("id", "=", scheduleId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.owner_id ?? null;
}
