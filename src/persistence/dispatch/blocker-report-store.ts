/** What listeners of waiting runs were last told is in their way. */
import { sql } from "kysely";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** What listeners of a run are told now. */
export interface Telling {
  run: Pick<Run, "id" | "organizationId" | "workspaceId">;
  told: string;
}

/**
 * Counts up the versions of these runs and writes an event of each, with the same content; the row of their workspace
 * must be locked. One statement, because a change in a workspace with a queue tells ten runs of it.
 */
export async function appendTellings(
  tx: Transaction,
  tellings: readonly Telling[],
  { at, actorId, fields }: { at: string; actorId: string; fields: readonly string[] },
): Promise<void> {
  const ids = tellings.map(({ run }) => run.id);
  const texts = tellings.map(({ told }) => told);
  const { rows } = await sql<{ organization_id: string; workspace_id: string }>`
    with told as (
      update run set version = run.version + 1, blockers_told = given.told
      from unnest(${ids}::text[], ${texts}::text[]) with ordinality as given (id, told, place)
      where run.id = given.id
      returning run.id, run.version, run.organization_id, run.workspace_id, given.place
    ), event as (
      insert into run_event (run_id, version, type, at, actor_id, data)
      select id, version, 'CHANGED', ${at}, ${actorId}, ${JSON.stringify({ fields })} from told
    )
    insert into feed_pending (organization_id, workspace_id, run_id, version)
    select organization_id, workspace_id, id, version from told order by place
    returning organization_id, workspace_id
  `.execute(tx.sql);
  const [place] = rows;
  if (place === undefined || rows.length < ids.length) throw new Error(`Not all of ${ids.join()} exist.`);
  tx.published({ organizationId: place.organization_id, workspaceId: place.workspace_id }, rows.length);
}

/** Notes what is in the way of a run whose listeners learn it anyhow: it has just come to its status. */
export async function noteTold(tx: Transaction, runId: string, told: string): Promise<void> {
  await tx.sql.updateTable("run").set({ blockers_told: told }).where("id", "=", runId).execute();
}

/** A run in the dispatch table, and what its listeners know. */
export interface DispatchedTold {
  runId: string;
  workspaceId: string;
  offered: boolean;
  reachable: boolean;
  since: string;
  told: string;
}

interface ToldRow {
  run_id: string;
  workspace_id: string;
  offered: boolean;
  reachable: boolean;
  since: string;
  told: string;
}

/**
 * Runs in the dispatch table whose listeners may know less, or more, than is true: a guess, to be looked at again under
 * the lock of the workspace. `overdueSince`: who could go since before then, and has a place, lacks a runner.
 */
export async function listToldWrong(
  reader: Reader,
  { overdueSince, runnersPresent }: { overdueSince: string; runnersPresent: boolean },
  limit: number,
): Promise<DispatchedTold[]> {
  const { rows } = await sql<ToldRow>`
    select d.run_id, d.workspace_id, d.offered, d.reachable, d.since, run.told
    -- Run by run: some thousands of them are no reason to read all that there ever were.
    from dispatch d cross join lateral (select blockers_told as told from run where id = d.run_id offset 0) run
    where run.told <> case
      when not d.reachable then 'NO_RUNNER'
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
    since: row.since,
    told: row.told,
  }));
}

/** The same for one run; null where it is not in the table any more. */
export async function findDispatchedTold(reader: Reader, runId: string): Promise<DispatchedTold | null> {
  const row = await reader.sql
    .selectFrom("dispatch")
    .innerJoin("run", "run.id", "dispatch.run_id")
    .select(["run_id", "dispatch.workspace_id", "offered", "reachable", "since", "blockers_told"])
    .where("run_id", "=", runId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { workspace_id: workspaceId, offered, reachable, since, blockers_told: told } = row;
  return { runId, workspaceId, offered, reachable, since, told };
}
