/** The changes of plans without their values. */
import { RESOURCE_ACTIONS } from "../../model/plan/plan.ts";
import { INDEXED_CHANGES, type PlanIndex } from "../../model/plan/plan-index.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { readChanges } from "./resource-change-store.ts";

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
  const digests = await missingDigests(reader, rows);
  return grouped(planIds, rows, (row) => row.plan_id).map((group) => ({
    changes: group.slice(0, INDEXED_CHANGES).map((row) => ({
      address: row.address,
      action: word(RESOURCE_ACTIONS, row.action),
      module: row.module,
      type: row.type,
      imported: row.imported,
      previousAddress: row.previous_address,
      digest: row.digest ?? digests.get(placeOf(row.plan_id, row.position)) ?? "",
    })),
    truncated: group.length > INDEXED_CHANGES,
  }));
}

interface IndexRow {
  plan_id: string;
  position: number;
  digest: string | null;
}

/** Computes the digests of changes that were stored without one, in parts that fit into memory. */
async function missingDigests(reader: Reader, rows: readonly IndexRow[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const plans = new Set(rows.flatMap((row) => (row.digest === null ? [row.plan_id] : [])));
  for (const planId of plans) {
    for await (const changes of readChanges(reader, planId)) {
      for (const { position, digest } of changes) found.set(placeOf(planId, position), digest);
    }
  }
  return found;
}

function placeOf(planId: string, position: number): string {
  return `${planId} ${position}`;
}
