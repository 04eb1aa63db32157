/** The drift in the plan of a check, and the open finding of a workspace. */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import { changedPaths } from "../../model/kit/changed-paths.ts";
import { isAtOrBelow } from "../../model/kit/value-path.ts";
import { RESOURCE_ACTIONS } from "../../model/plan/plan.ts";
import { DRIFT_ACTIONS, DRIFT_PATHS } from "../../model/plan/resource-drift.ts";
import type { Drift } from "../../model/workspace/drift.ts";
import type { FoundChange, PlannedChange } from "../../model/workspace/drift-report.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Actions of a plan that change nothing: data sources are read again, and a move or an import alone is no drift. */
const NOTHING = ["READ", "NO_OP"] as const;

/** Reads the resources that a plan would change. Of the first, up to a bound of bytes, also which attributes differ. */
export async function listPlannedChanges(reader: Reader, planId: string): Promise<PlannedChange[]> {
  const rows = await reader.sql
    .selectFrom("resource_change")
    .select(["position", "address", "type", "action", "bytes"])
    .select(sql<string>`md5(concat(before::text, '|', after::text))`.as("digest"))
    .where("plan_id", "=", planId)
    .where("action", "not in", NOTHING)
    .orderBy("position")
    .execute();
  const paths = await readPaths(reader, planId, rows.slice(0, within(rows, LIMITS.driftBytes)));
  return rows.map(({ position, address, type, action, digest }) => {
    return { address, type, action: word(RESOURCE_ACTIONS, action), digest, paths: paths.get(position) ?? [] };
  });
}

function within(rows: readonly { bytes: number }[], most: number): number {
  let total = 0;
  const full = rows.findIndex(({ bytes }) => (total += bytes) > most);
  return full === -1 ? rows.length : full;
}

async function readPaths(
  reader: Reader,
  planId: string,
  rows: readonly { position: number; action: string }[],
): Promise<Map<number, string[]>> {
  const positions = rows.flatMap(({ position, action }) => (action === "UPDATE" ? [position] : []));
  if (positions.length === 0) return new Map();
  const values = await reader.sql
    .selectFrom("resource_change")
    .select(["position", "before", "after", "unknown_paths"])
    .where("plan_id", "=", planId)
    .where("position", "=", sql<number>`any(${positions})`)
    .execute();
  return new Map(
    values.map(({ position, before, after, unknown_paths: unknown }) => {
      // A value that is only known after an apply need not differ.
      const paths = changedPaths(before, after, DRIFT_PATHS);
      return [position, paths.filter((path) => !unknown.some((other) => isAtOrBelow(path, other)))];
    }),
  );
}

/** Reads the resources that something else changed, as a plan found them. */
export async function listFoundChanges(reader: Reader, planId: string): Promise<FoundChange[]> {
  const rows = await reader.sql
    .selectFrom("resource_drift")
    .select(["address", "type", "action", "paths", "relevant"])
    .select(sql<string>`md5(after::text)`.as("digest"))
    .where("plan_id", "=", planId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({ ...row, action: word(DRIFT_ACTIONS, row.action) }));
}

const liveRun = (reader: Reader, workspaceId: string) =>
  reader.sql
    .selectFrom("run")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("finished_at", "is", null)
    .where("kind", "<>", "PLAN")
    .limit(1);

/** Whether a run of the workspace is live that may change something. */
export async function hasLiveRun(reader: Reader, workspaceId: string): Promise<boolean> {
  return (await liveRun(reader, workspaceId).executeTakeFirst()) !== undefined;
}

/** Whether a run of the workspace is changing something now. */
export async function isChanging(reader: Reader, workspaceId: string): Promise<boolean> {
  const row = await liveRun(reader, workspaceId).where("applying_at", "is not", null).executeTakeFirst();
  return row !== undefined;
}

export async function setDrift(tx: Transaction, workspaceId: string, drift: Drift | null): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({ drift: drift === null ? null : JSON.stringify(drift) })
    .where("id", "=", workspaceId)
    .execute();
}

/** Takes an ended run out of all lists. By its id it is still found. */
export async function hideRun(tx: Transaction, runId: string): Promise<void> {
  await tx.sql.updateTable("run").set({ hidden: true }).where("id", "=", runId).execute();
}
