/** Alarms: which runs the system must check, and when. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";

/** Makes all live runs of a workspace due for a check now; its row must be locked. */
export async function ringWorkspace(tx: Transaction, workspaceId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("run")
    .set({ alarm_at: at })
    .where("workspace_id", "=", workspaceId)
    .where("finished_at", "is", null)
    .execute();
}

/** Makes all live runs of an organization due: a transaction that locks its row must not lock theirs afterwards. */
export async function ringOrganization(tx: Transaction, organizationId: string, at: string): Promise<void> {
  await tx.sql.updateTable("organization").set(alarmFrom(at)).where("id", "=", organizationId).execute();
}

/** All live runs that there are. In the order of ids, because rows stay locked: two servers may come at once. */
export async function ringOrganizations(tx: Transaction, at: string): Promise<void> {
  const ids = await tx.sql.selectFrom("organization").select("id").orderBy("id").forNoKeyUpdate().execute();
  if (ids.length > 0) await tx.sql.updateTable("organization").set(alarmFrom(at)).execute();
}

/** Makes each alarm differ from the one before: a server that checks the earlier one must not clear this one. */
function alarmFrom(at: string) {
  return { alarm_at: sql<string>`greatest(${at}::timestamptz(3), alarm_at + interval '1 millisecond')` };
}

/** Lists organizations that are due for a check, with the alarm to clear afterwards. */
export async function listRingingOrganizations(reader: Reader): Promise<{ id: string; alarmAt: string }[]> {
  const rows = await reader.sql
    .selectFrom("organization")
    .select(["id", "alarm_at"])
    .where("alarm_at", "is not", null)
    .execute();
  return rows.flatMap(({ id, alarm_at }) => (alarm_at === null ? [] : [{ id, alarmAt: alarm_at }]));
}

/** Where it was not rung again in the meantime. */
export async function silenceOrganization(tx: Transaction, id: string, alarmAt: string): Promise<void> {
  await tx.sql
    .updateTable("organization")
    .set({ alarm_at: null })
    .where("id", "=", id)
    .where("alarm_at", "=", alarmAt)
    .execute();
}

/** Workspaces of an organization that have live runs. */
export async function listBusyWorkspaces(reader: Reader, organizationId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select("workspace_id")
    .distinct()
    .where("organization_id", "=", organizationId)
    .where("finished_at", "is", null)
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Ids of runs whose alarm rings, the oldest first. */
export async function listRingingRuns(reader: Reader, at: string, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .select("id")
    .where("alarm_at", "<=", at)
    .orderBy("alarm_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Sets when the system checks a run again; `null`: never. A run that has ended meanwhile is left alone. */
export async function setAlarm(tx: Transaction, runId: string, alarmAt: string | null): Promise<void> {
  await tx.sql
    .updateTable("run")
    .set({ alarm_at: alarmAt })
    .where("id", "=", runId)
    .where("finished_at", "is", null)
    .execute();
}
