/** The changes of plans without their values. */
import { RESOURCE_ACTIONS } from "../../model/plan/plan.ts";
import { INDEXED_CHANGES, type PlanIndex } from "../../model/plan/plan-index.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped } from "../database/group.ts";

/** Reads the index of each plan. */
export async function listPlanIndexes(reader: Reader, planIds: readonly string[]): Promise<PlanIndex[]> {
  const rows = await reader.sql
    .selectFrom("resource_change")
    .select(["plan_id", "position", "address", "action", "module", "type", "imported", "previous_address", "digest"])
    .where("plan_id", "in", planIds)
    // Positions count from 1 without gaps.
    .where("position", "<=", INDEXED_CHANGES + 1)
    .orderBy("plan_id")
    .orderBy("position")
    .execute();
  return grouped(planIds, rows, (row) => row.plan_id).map((group) => ({
    changes: group.slice(0, INDEXED_CHANGES).map((row) => ({
      address: row.address,
      action: word(RESOURCE_ACTIONS, row.action),
      module: row.module,
      type: row.type,
      imported: row.imported,
      previousAddress: row.previous_address,
      digest: row.digest,
    })),
    truncated: group.length > INDEXED_CHANGES,
  }));
}
