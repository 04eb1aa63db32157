import { sql } from "kysely";
import type { PromotionCause, PushCause } from "../../model/run/run-cause.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/**
 * Lists live runs of the workspace of a newer run that have a cause of the same kind: a push to the same ref, or a promotion
 * to the same stage. Oldest first.
 */
export async function listOlderRuns(
  tx: Transaction,
  { id: runId, workspaceId }: Pick<Run, "id" | "workspaceId">,
  cause: PushCause | PromotionCause,
): Promise<string[]> {
  const matches =
    cause.type === "PUSH"
      ? sql`trigger = 'PUSH' and cause ->> 'ref' = ${cause.ref}`
      : sql`trigger = 'PROMOTION' and cause ->> 'pipelineId' = ${cause.pipelineId} and cause ->> 'stage' = ${cause.stage}`;
  const { rows } = await sql<{ id: string }>`
    select id from run where workspace_id = ${workspaceId} and ${matches}
      and finished_at is null and id < ${runId} order by id`.execute(tx.sql);
  return rows.map(({ id }) => id);
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
