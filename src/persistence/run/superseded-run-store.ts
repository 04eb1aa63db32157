import { sql } from "kysely";
import type { PromotionCause, PushCause } from "../../model/run/run-cause.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { STATUS_SQL } from "./status-sql.ts";

/**
 * Lists live runs of the workspace of a newer run that have a cause of the same kind: a push to the same ref, or a promotion
 * to the same stage. ROLLBACK: what the system goes back by. Oldest first.
 */
export async function listOlderRuns(
  tx: Transaction,
  { id: runId, workspaceId }: Pick<Run, "id" | "workspaceId">,
  cause: PushCause | PromotionCause | { type: "ROLLBACK" },
): Promise<string[]> {
  const matches = matching(cause);
  const { rows } = await sql<{ id: string }>`
    select id from run where workspace_id = ${workspaceId} and ${matches}
      and finished_at is null and id < ${runId} order by id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

function matching(cause: PushCause | PromotionCause | { type: "ROLLBACK" }) {
  switch (cause.type) {
    case "PUSH":
      return sql`trigger = 'PUSH' and cause ->> 'ref' = ${cause.ref}`;
    case "PROMOTION":
      return sql`trigger = 'PROMOTION' and cause ->> 'pipelineId' = ${cause.pipelineId} and cause ->> 'stage' = ${cause.stage}`;
    case "ROLLBACK":
      return sql`trigger = 'ROLLBACK' and cause ->> 'type' = 'ROLLBACK'`;
  }
}

/** Notes for which newer run a run was ended. */
export async function setSupersededBy(tx: Transaction, runId: string, newerRunId: string): Promise<void> {
  await tx.sql.updateTable("run").set({ superseded_by: newerRunId }).where("id", "=", runId).execute();
}

/** Returns the ids of the runs for which runs were ended; `null` for others. */
export async function findSupersedingRuns(reader: Reader, runIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select(["id", "superseded_by"])
    .where("id", "in", runIds)
    .where("superseded_by", "is not", null)
    .execute();
  return inOrder(runIds, rows, ({ id }) => id).map((row) => row?.superseded_by ?? null);
}

/** A check for drift whose result will not count, and the run that changes the workspace. */
export interface OvertakenCheck {
  runId: string;
  newer: Pick<Run, "id" | "number">;
}

/** Lists live checks for drift in whose workspaces a run is changing something now, and that were not asked to stop yet. */
export async function listOvertakenChecks(reader: Reader, limit: number): Promise<OvertakenCheck[]> {
  const rows = await reader.sql
    .selectFrom("run as check")
    .innerJoin("run as newer", "newer.workspace_id", "check.workspace_id")
    .select(["check.id", "newer.id as newer_id", "newer.number as newer_number"])
    .where("check.trigger", "=", sql.lit("DRIFT"))
    .where("check.kind", "=", sql.lit("PLAN"))
    .where("check.finished_at", "is", null)
    .where("check.superseded_by", "is", null)
    // Literals: with parameters Postgres reads the checks first, of which thousands may wait.
    .where(sql<boolean>`newer.status in (${STATUS_SQL.changing})`)
    .orderBy("check.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ runId: row.id, newer: { id: row.newer_id, number: row.newer_number } }));
}
