/** The inputs of workspaces at the heads of their tracked branches, and what was applied. */
import { sql } from "kysely";
import { RUN_OUTCOMES } from "../../model/lifecycle/run-kind.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { SyncFacts } from "../../model/workspace/workspace-sync.ts";
import { wordOrNull } from "../database/closed-set.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** Workspaces `w` with the ref `r` that they track, and the head `h` that was read of it. */
const TRACKED = sql`workspace w
  join git_ref r on r.repository_id = w.repository_id and r.oid is not null
    and r.ref = 'refs/heads/' || coalesce(w.trigger ->> 'branch', w.source ->> 'branch')
  left join workspace_head h on h.workspace_id = w.id`;

const IS_STALE = sql`(h.commit is distinct from r.oid or h.basis <> workspace_basis(w))`;

/** Takes repositories with workspaces whose head is another one, or that have other settings. `until`: when others may take them. */
export async function claimStaleHeads(
  statement: Statement,
  { at, until }: { at: string; until: string },
  atMost: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from repository where deleted_at is null and (heads_until is null or heads_until <= ${at})
        and exists (select from ${TRACKED} where w.repository_id = repository.id and w.deleted_at is null and ${IS_STALE})
      order by id limit ${atMost} for no key update skip locked
    )
    update repository set heads_until = ${until} from due where repository.id = due.id returning repository.id`.execute(
    statement.sql,
  );
  return rows.map(({ id }) => id);
}

/** Gives a repository back; `until`: when it may be taken again. */
export async function releaseHeads(statement: Statement, id: string, until: string | null): Promise<void> {
  await statement.sql.updateTable("repository").set({ heads_until: until }).where("id", "=", id).execute();
}

/** A workspace whose inputs at the head are to be read. */
export interface StaleHead {
  workspaceId: string;
  commit: string;
  /** The settings by which they are read. */
  basis: string;
  /** The digest that was read before. */
  digest: string | null;
}

export async function listStaleHeads(reader: Reader, repositoryId: string): Promise<StaleHead[]> {
  const { rows } = await sql<StaleHead>`
    select w.id as "workspaceId", r.oid as commit, workspace_basis(w) as basis, h.digest from ${TRACKED}
    where w.repository_id = ${repositoryId} and w.deleted_at is null and ${IS_STALE} order by w.id`.execute(reader.sql);
  return rows;
}

/** Stores digests at heads; `null`: the folder is not there. */
export async function upsertHeads(tx: Transaction, heads: readonly StaleHead[], at: string): Promise<void> {
  await sql`
    insert into workspace_head (workspace_id, commit, basis, digest, since)
    select id, commit, basis, digest, ${at}::timestamptz
      from unnest(${heads.map(({ workspaceId }) => workspaceId)}::text[], ${heads.map(({ commit }) => commit)}::text[],
        ${heads.map(({ basis }) => basis)}::text[], ${heads.map(({ digest }) => digest)}::text[])
        head (id, commit, basis, digest)
    on conflict (workspace_id) do update set commit = excluded.commit, basis = excluded.basis, digest = excluded.digest,
      since = case when workspace_head.digest = excluded.digest then workspace_head.since else excluded.since end`.execute(
    tx.sql,
  );
}

/** The inputs that were applied to a workspace, and those at the head of its tracked branch. */
export interface WorkspaceSyncRow extends SyncFacts {
  id: string;
  appliedInputs: SourceInputs | null;
  headInputs: SourceInputs | null;
}

interface Row {
  id: string;
  outcome: string | null;
  isTargeted: boolean | null;
  digest: string | null;
  finishedAt: string | null;
  headDigest: string | null;
  since: string | null;
  appliedInputs: SourceInputs | null;
  headInputs: SourceInputs | null;
}

/** Reads by workspace what was applied last and what is at the head: a head that is to be read again is not known. */
export async function findSyncs(reader: Reader, workspaceIds: readonly string[]): Promise<(WorkspaceSyncRow | null)[]> {
  const { rows } = await sql<Row>`
    select asked.id, last.outcome, last.targeted as "isTargeted", last.digest, last.finished_at as "finishedAt",
      head.digest as "headDigest", head.since,
      ${inputsOf(sql`last.digest`, sql`last.revision`)} as "appliedInputs",
      ${inputsOf(sql`head.digest`, sql`head.commit`)} as "headInputs"
    from workspace asked
    left join lateral (
      select run.outcome, run.finished_at, coalesce(run.revision, planned.revision) as revision,
        coalesce(run.inputs_digest, planned.inputs_digest) as digest,
        run.targets <> '{}' or coalesce(planned.targets, '{}') <> '{}' as targeted
      from run left join run planned on planned.id = run.plan_run_id
      where run.workspace_id = asked.id and run.finished_at is not null and run.kind in ('DEPLOY', 'DESTROY', 'APPLY')
        and not run.refresh_only
        and (run.applying_at is not null or run.outcome = 'NO_CHANGES' and run.targets = '{}')
      order by run.finished_at desc limit 1
    ) last on true
    left join lateral (
      select h.digest, h.commit, h.since from ${TRACKED} where w.id = asked.id and h.digest is not null and not ${IS_STALE}
    ) head on true
    where asked.id = any(${workspaceIds}) and asked.deleted_at is null`.execute(reader.sql);
  return inOrder(workspaceIds, rows.map(toSync), ({ id }) => id);
}

/** The inputs of a digest as JSON, with the commit that is shown. */
function inputsOf(digest: ReturnType<typeof sql>, commit: ReturnType<typeof sql>) {
  return sql`(
    select jsonb_build_object('digest', i.digest, 'commit', coalesce(${commit}, i.commit), 'folders', i.folders,
      'paths', i.paths, 'unresolved', i.unresolved)
    from source_inputs i where i.workspace_id = asked.id and i.digest = ${digest})`;
}

function toSync({ id, appliedInputs, headInputs, ...row }: Row): WorkspaceSyncRow {
  const { outcome, isTargeted, digest, finishedAt, headDigest, since } = row;
  const applied =
    finishedAt === null
      ? null
      : { outcome: wordOrNull(RUN_OUTCOMES, outcome), isTargeted: isTargeted === true, digest, finishedAt };
  const head = headDigest === null || since === null ? null : { digest: headDigest, since };
  return { id, applied, head, appliedInputs, headInputs };
}
