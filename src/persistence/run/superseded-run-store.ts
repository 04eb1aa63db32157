import { sql } from "kysely";
import type { PromotionCause, PushCause } from "../../model/run/run-cause.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

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
