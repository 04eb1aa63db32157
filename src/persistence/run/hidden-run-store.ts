/** Marks the runs of deleted workspaces, so that the indexes of lists are without them: 18,000 cost a list 15 to 30 ms. */
import { sql } from "kysely";
import type { Transaction } from "../database/database.ts";

/** Locks a deleted workspace whose runs are still shown; null: there is none, or other servers have them. */
export async function takeDeletedWorkspace(tx: Transaction): Promise<string | null> {
  const row = await tx.sql
    .selectFrom("workspace")
    .select("id")
    .where("deleted_at", "is not", null)
    .where(sql<boolean>`not runs_hidden`)
    .orderBy("id")
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Marks so many runs of a workspace at most, in the order of their ids, behind one; gives the last one, null: there is none. */
export async function hideRuns(
  tx: Transaction,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with next as (
      select id from run where workspace_id = ${workspaceId} and id > ${after} order by id limit ${limit}
    ), hidden as (
      update run set hidden = true from next where run.id = next.id and not run.hidden
    )
    select max(id) as last from next
  `.execute(tx.sql);
  return rows[0]?.last ?? null;
}

/** Nothing can be added to a workspace that was deleted. */
export async function noteRunsHidden(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.sql.updateTable("workspace").set({ runs_hidden: true }).where("id", "=", workspaceId).execute();
}
