import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** Lists live runs of a workspace that pushes to a ref started, before a newer run; oldest first. */
export async function listOlderPushes(
  tx: Transaction,
  { workspaceId, ref, runId }: { workspaceId: string; ref: string; runId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from run where workspace_id = ${workspaceId} and trigger = 'PUSH' and cause ->> 'ref' = ${ref}
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
