/** The outputs of workspaces upstream that runs get as variables. */
import { sql } from "kysely";
import type { OutputReference } from "../../model/dependency/dependency.ts";
import type { RunUpstream } from "../../model/dependency/run-upstream.ts";
import { type Output, VARIABLE_CATEGORIES } from "../../model/workspace/workspace.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { STATUS_SQL } from "../run/status-sql.ts";

/** The outputs that a workspace takes from one upstream, and the newest applied state of that. */
export interface ReferencedOutputs {
  upstreamId: string;
  references: readonly OutputReference[];
  /** `null` if nothing was applied yet. */
  state: { id: string; outputs: readonly Output[]; secretsSealed: Buffer | null } | null;
}

/**
 * Lists what a workspace takes from its upstreams. A state counts once its run has ended well, or if a person imported it:
 * an apply stores states while it works.
 */
export async function listReferencedOutputs(reader: Reader, downstreamId: string): Promise<ReferencedOutputs[]> {
  const { rows } = await sql<{
    upstream_id: string;
    references: OutputReference[];
    state_id: string | null;
    outputs: Output[] | null;
    sealed: Buffer | null;
  }>`
    select d.upstream_id, d.outputs as references, v.id as state_id, v.outputs, v.secret_outputs_sealed as sealed
    from workspace_dependency d left join lateral (
      select sv.id, sv.outputs, sv.secret_outputs_sealed from state_version sv left join run r on r.id = sv.run_id
      where sv.workspace_id = d.upstream_id and (sv.run_id is null or r.status = 'FINISHED')
      order by sv.serial desc limit 1
    ) v on true
    where d.downstream_id = ${downstreamId} and d.outputs <> '[]' order by d.upstream_id`.execute(reader.sql);
  return rows.map(({ upstream_id: upstreamId, references, state_id: id, outputs, sealed }) => {
    const state = id === null ? null : { id, outputs: outputs ?? [], secretsSealed: sealed };
    return { upstreamId, references, state };
  });
}

/** Notes the outputs that a run got, with keyed hashes of their values. */
export async function insertRunUpstreams(
  tx: Transaction,
  runId: string,
  inputs: readonly Omit<RunUpstream, "stateRunId">[],
): Promise<void> {
  if (inputs.length === 0) return;
  const rows = inputs.map(({ category, key, output, stateVersionId, valueHash, assumed }) => {
    const from = { state_version_id: stateVersionId, value_hash: valueHash, assumed };
    return { run_id: runId, category, key, output, ...from };
  });
  await tx.sql.insertInto("run_upstream").values(rows).execute();
}

/** Lists the outputs that each run got, by category and key. A run of kind APPLY has those of its PLAN run. */
export async function listRunUpstreams(reader: Reader, runIds: readonly string[]): Promise<RunUpstream[][]> {
  const rows = await reader.sql
    .selectFrom("run_upstream as u")
    .innerJoin("run", (join) => join.on(sql<boolean>`u.run_id = coalesce(run.plan_run_id, run.id)`))
    .innerJoin("state_version as sv", "sv.id", "u.state_version_id")
    .select([
      "run.id",
      "u.category",
      "u.key",
      "u.output",
      "u.state_version_id",
      "u.value_hash",
      "u.assumed",
      "sv.run_id",
    ])
    .where("run.id", "in", runIds)
    .orderBy("u.category")
    .orderBy("u.key")
    .execute();
  return grouped(runIds, rows, ({ id }) => id).map((group) =>
    group.map((row) => ({
      category: word(VARIABLE_CATEGORIES, row.category),
      key: row.key,
      output: row.output,
      stateVersionId: row.state_version_id,
      stateRunId: row.run_id,
      valueHash: row.value_hash,
      assumed: row.assumed,
    })),
  );
}

/** The newest run that brought the whole configuration of a workspace about. */
export interface SettledRun {
  id: string;
  /** Whether it destroyed everything. */
  isDestroyed: boolean;
}

/** Finds the newest run that brought the whole configuration of a workspace about; `null` if none did. */
export async function findSettledRun(reader: Reader, workspaceId: string): Promise<SettledRun | null> {
  const row = await reader.sql
    .selectFrom("run")
    .select(["id", "outcome"])
    .where("workspace_id", "=", workspaceId)
    .where("outcome", "in", ["APPLIED", "NO_CHANGES", "DESTROYED"])
    .where("kind", "in", ["DEPLOY", "APPLY", "DESTROY"])
    .where("targets", "=", sql<string[]>`'{}'`)
    .where("refresh_only", "=", false)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, isDestroyed: row.outcome === "DESTROYED" };
}

/** Whether two runs read the same: of a repository the files that the engine reads, else the same archive. */
export async function hasSameSource(reader: Reader, [one, other]: readonly [string, string]): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select a.work_folder = b.work_folder and a.inputs_digest is not distinct from b.inputs_digest
      and (a.inputs_digest is not null or a.source_blob_id is not distinct from b.source_blob_id) as same
    from run a, run b where a.id = ${one} and b.id = ${other}`.execute(reader.sql);
  return rows[0]?.same === true;
}

/** A run of a workspace that is live and deploys the whole configuration. */
export interface LiveDeployment {
  id: string;
  /** Whether it takes the outputs of workspaces upstream when it is admitted, which is not put off to a time. */
  isQueued: boolean;
}

/** Lists the live runs of a workspace that deploy the whole configuration. */
export async function listLiveDeployments(reader: Reader, workspaceId: string, at: string): Promise<LiveDeployment[]> {
  const { rows } = await sql<LiveDeployment>`
    select id, status = ${STATUS_SQL.queued} and (scheduled_at is null or scheduled_at <= ${at}) as "isQueued" from run
    where workspace_id = ${workspaceId} and finished_at is null and kind = 'DEPLOY' and targets = '{}' and not refresh_only
    order by id`.execute(reader.sql);
  return rows;
}
