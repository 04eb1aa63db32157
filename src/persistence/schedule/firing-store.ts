/** The due times of schedules: what is due, and what became of it. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";

/** Lists the ids of schedules whose next due time has passed, the longest overdue first. */
export async function listDueSchedules(reader: Reader, at: string, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("schedule")
    .select("id")
    .where("next_at", "<=", at)
    .orderBy("next_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export interface Firing {
  scheduleId: string;
  dueAt: string;
  at: string;
  changesetId: string | null;
  problem: string | null;
}

/** Notes what became of a due time. Returns false, and changes nothing, if it was considered already. */
export async function insertFiring(tx: Transaction, firing: Firing): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("schedule_firing")
    .values({
      schedule_id: firing.scheduleId,
      due_at: firing.dueAt,
      at: firing.at,
      changeset_id: firing.changesetId,
      problem: firing.problem,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Moves a schedule on behind a due time. */
export async function moveSchedule(
  tx: Transaction,
  id: string,
  to: { nextAt: string | null; lastAt: string; changesetId: string | null; problem: string | null },
): Promise<void> {
  const { nextAt, lastAt, changesetId, problem } = to;
  await tx.sql
    .updateTable("schedule")
    .set({
      next_at: nextAt,
      last_at: lastAt,
      last_problem: problem,
      ...(changesetId !== null && { last_changeset_id: changesetId }),
    })
    .where("id", "=", id)
    .execute();
}

/** Ends the due times of a schedule whose workspace was deleted. */
export async function stopSchedule(tx: Transaction, id: string): Promise<void> {
  await tx.sql.updateTable("schedule").set({ next_at: null }).where("id", "=", id).execute();
}

/** Lists the workspaces in which the last run of a schedule is not created yet, or has not ended. */
export async function listBusyWorkspaces(reader: Reader, scheduleId: string): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select member.workspace_id from schedule
    join changeset_member member on member.changeset_id = schedule.last_changeset_id
    left join run on run.id = member.run_id
    where schedule.id = ${scheduleId}
      and case when member.run_id is null then member.problem is null else run.finished_at is null end
    order by 1
  `.execute(reader.sql);
  return rows.map((row) => row.workspace_id);
}

/** Removes the due times of a schedule before an instant. */
export async function removeFirings(tx: Transaction, scheduleId: string, before: string): Promise<void> {
  await tx.sql
    .deleteFrom("schedule_firing")
    .where("schedule_id", "=", scheduleId)
    .where("due_at", "<", before)
    .execute();
}
