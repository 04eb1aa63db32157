import { sql } from "kysely";
import type { Reader } from "../database/database.ts";

/** The number of a run of the workspace that ended since then with its state uncertain; null: none did. */
export async function findUncertainSince(reader: Reader, workspaceId: string, since: string): Promise<number | null> {
  const row = await reader.sql
    .selectFrom("run")
    .select("number")
    .where("workspace_id", "=", workspaceId)
    .where("finished_at", ">", since)
    .where(sql<boolean>`(failure ->> 'stateUncertain')::boolean`)
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? null;
}
