/** The blockers of waiting runs that subscribers were last notified of. */
import { sql } from "kysely";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { isDriftLimited, isOneDriftLimited } from "../run/drift-limit.ts";

/** The blockers that subscribers of a run are notified of now. */
export interface BlockerReport {
  run: Pick<Run, "id" | "organizationId" | "workspaceId">;
  reported: string;
}

/**
 * Counts up the versions of these runs and writes an event of each, with the same content; the row of their workspace
 * must be locked. One statement, because a change in a workspace with a queue concerns ten runs.
 */
export async function appendBlockerReports(
  tx: Transaction,
  reports: readonly BlockerReport[],
  { at, actorId, fields }: { at: string; actorId: string; fields: readonly string[] },
): Promise<void> {
  const ids = reports.map(({ run }) => run.id);
  const texts = reports.map(({ reported }) => reported);
  const { rows } = await sql<{ organization_id: string; workspace_id: string; changeset_id: string | null }>`
    with reported as (
      update run set version = run.version + 1, reported_blockers = given.reported
      from unnest(${ids}::text[], ${texts}::text[]) with ordinality as given (id, reported, place)
      where run.id = given.id
      returning run.id, run.version, run.organization_id, run.workspace_id, run.changeset_id, given.place
    ), event as (
      insert into run_event (run_id, version, type, at, actor_id, data)
      select id, version, 'CHANGED', ${at}, ${actorId}, ${JSON.stringify({ fields })} from reported
    )
    insert into feed_pending (organization_id, workspace_id, changeset_id, run_id, version)
    select organization_id, workspace_id, changeset_id, id, version from reported order by place
    returning organization_id, workspace_id, changeset_id
  `.execute(tx.sql);
  if (rows.length < ids.length) throw new Error(`Not all of ${ids.join()} exist.`);
  for (const row of rows) {
    tx.published(
      { organizationId: row.organization_id, workspaceId: row.workspace_id, changesetId: row.changeset_id },
      1,
    );
  }
}

/** Records the blockers of a run whose status has just changed: the event of the status covers them. */
export async function setReportedBlockers(tx: Transaction, runId: string, reported: string): Promise<void> {
  await tx.sql.updateTable("run").set({ reported_blockers: reported }).where("id", "=", runId).execute();
}

/** A run in the dispatch table, and the blockers that its subscribers know. */
export interface DispatchReport {
  runId: string;
  workspaceId: string;
  offered: boolean;
  reachable: boolean;
  limited: boolean;
  since: string;
  reported: string;
}

interface DispatchReportRow {
  run_id: string;
  workspace_id: string;
  offered: boolean;
  reachable: boolean;
  limited: boolean;
  since: string;
  reported: string;
}

/**
 * Lists runs in the dispatch table whose reported blockers may be stale: a guess, to be checked under the lock of the
 * workspace. A run that has a slot and could start since before `overdueSince` lacks a runner.
 */
export async function listStaleReports(
  reader: Reader,
  { overdueSince, runnersPresent }: { overdueSince: string; runnersPresent: boolean },
  limit: number,
): Promise<DispatchReport[]> {
  const { rows } = await sql<DispatchReportRow>`
    select d.run_id, d.workspace_id, d.offered, d.reachable, ${isDriftLimited("d")} as limited, d.since, run.reported
    -- Run by run: some thousands of them are no reason to read all that there ever were.
    from dispatch d cross join lateral (select reported_blockers as reported from run where id = d.run_id offset 0) run
    where run.reported <> case
      when not d.reachable then 'NO_RUNNER'
      when ${isDriftLimited("d")} then 'DRIFT_LIMIT'
      when not d.offered then 'ORGANIZATION_LIMIT'
      when d.since < ${overdueSince} or not ${runnersPresent}::boolean then 'NO_RUNNER'
      else ''
    end
    order by d.since limit ${limit}
  `.execute(reader.sql);
  return rows.map((row) => ({
    runId: row.run_id,
    workspaceId: row.workspace_id,
    offered: row.offered,
    reachable: row.reachable,
    limited: row.limited,
    since: row.since,
    reported: row.reported,
  }));
}

/** Finds the report of one run; `null` if it is no longer in the table. */
export async function findDispatchReport(reader: Reader, runId: string): Promise<DispatchReport | null> {
  const row = await reader.sql
    .selectFrom("dispatch")
    .innerJoin("run", "run.id", "dispatch.run_id")
    .select(["run_id", "dispatch.workspace_id", "offered", "reachable", "since", "reported_blockers"])
    .select(isOneDriftLimited("dispatch").as("limited"))
    .where("run_id", "=", runId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { workspace_id: workspaceId, offered, reachable, limited, since, reported_blockers: reported } = row;
  return { runId, workspaceId, offered, reachable, limited, since, reported };
}
