import { sql } from "kysely";
import type { Reader } from "../database/database.ts";

/** Returns by how much a plan raises the monthly cost, by its estimate; `null` if it has none. */
export async function findPlanCost(reader: Reader, planId: string): Promise<number | null> {
  const row = await reader.sql
    .selectFrom("plan_document")
    .select(sql<string | null>`cost ->> 'monthlyDelta'`.as("delta"))
    .where("plan_id", "=", planId)
    .executeTakeFirst();
  const delta = row?.delta ?? "";
  const amount = delta.trim() === "" ? Number.NaN : Number(delta);
  return Number.isFinite(amount) ? amount : null;
}
