/** Decisions about changes of refs: those that are due, and their results. */
import { type Selectable, sql } from "kysely";
import { TRIGGER_OUTCOMES, TRIGGER_REASONS, type TriggerDecision } from "../../model/repository/trigger-decision.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Placed } from "../../model/people/place.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";
import { CANDIDATES, type ClaimLimits } from "./look-store.ts";

/** A change that a server decides. */
export interface ClaimedChange {
  id: string;
  repositoryId: string;
  gitHostId: string;
}

/**
 * Takes changes that are due for a decision, the newest of each ref, unless another server is deciding an earlier one. `until`:
 * when another server may take them. Those of the repositories `passed` are left.
 */
export async function claimRefChanges(
  statement: Statement,
  { by, at, until, passed }: { by: string; at: string; until: string; passed: readonly string[] },
  { full, hosts, counts, perHost }: ClaimLimits,
  atMost: number,
): Promise<ClaimedChange[]> {
  const { rows } = await sql<ClaimedChange>`
    with candidate as (
      select c.id, c.decide_at, r.git_host_id from ref_change c join repository r on r.id = c.repository_id
      where c.decide_at <= ${at} and r.git_host_id <> all(${full}::text[]) and c.repository_id <> all(${passed}::text[])
        and not exists (select from ref_change n where n.repository_id = c.repository_id and n.ref = c.ref
          and n.decide_at is not null and (n.seq > c.seq or n.seq < c.seq and n.decided_by is not null and n.decide_at > ${at}))
      order by c.decide_at limit ${atMost * CANDIDATES}
    ), ranked as (
      select id, git_host_id, row_number() over (partition by git_host_id order by decide_at) as place from candidate
    ), due as (
      select c.id, ranked.git_host_id from ranked join ref_change c using (id)
        left join unnest(${hosts}::text[], ${counts}::int[]) busy(host, count) on busy.host = ranked.git_host_id
      where ranked.place + coalesce(busy.count, 0) <= ${perHost} and c.decide_at <= ${at}
      order by c.decide_at limit ${atMost} for update of c skip locked
    )
    update ref_change set decide_at = ${until}, decided_by = ${by} from due where ref_change.id = due.id
    returning ref_change.id, ref_change.repository_id as "repositoryId", due.git_host_id as "gitHostId"`.execute(
    statement.sql,
  );
  return rows;
}

/** Keeps the changes that a server decides until a later instant. */
export async function renewRefChanges(statement: Statement, by: string, until: string): Promise<void> {
  await statement.sql
    .updateTable("ref_change")
    .set({ decide_at: until })
    .where("decided_by", "=", by)
    .where("decide_at", "is not", null)
    .execute();
}

/** Locks a change for its decision; `false` if it is decided, or another server has taken it. */
export async function lockUndecided(tx: Transaction, id: string, by: string): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("ref_change")
    .select("id")
    .where("id", "=", id)
    .where("decided_at", "is", null)
    .where("decided_by", "=", by)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the earlier changes of a ref that are not decided, in the order of `endRefChange`. */
export async function lockEarlierChanges(
  tx: Transaction,
  { repositoryId, ref, seq }: Pick<RefChange, "repositoryId" | "ref" | "seq">,
): Promise<void> {
  await tx.sql
    .selectFrom("ref_change")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("ref", "=", ref)
    .where("seq", "<", seq)
    .where("decided_at", "is", null)
    .orderBy("seq", "desc")
    .forUpdate()
    .execute();
}

/** Marks a change as decided, and the earlier ones of its ref that were not. */
export async function endRefChange(
  tx: Transaction,
  { id, at, forced, changesetId }: { id: string; at: string; forced: boolean | null; changesetId: string | null },
): Promise<void> {
  await sql`
    update ref_change c set decided_at = ${at}, decide_at = null, decided_by = null, error = null,
        forced = case when c.id = ${id} then ${forced}::boolean else c.forced end,
        superseded_by = nullif(${id}, c.id),
        changeset_id = case when c.id = ${id} then ${changesetId} else c.changeset_id end
      from ref_change this
      where this.id = ${id} and c.repository_id = this.repository_id and c.ref = this.ref and c.seq <= this.seq
        and c.decided_at is null`.execute(tx.sql);
}

/** Notes why a change cannot be decided, and returns how often that has happened. It must be locked. */
export async function failRefChange(tx: Transaction, id: string, error: string): Promise<number> {
  const row = await tx.sql
    .updateTable("ref_change")
    .set((eb) => ({ error, failures: eb("failures", "+", 1) }))
    .where("id", "=", id)
    .returning("failures")
    .executeTakeFirst();
  return row?.failures ?? 0;
}

/** Gives a change back until it is due again. It must be locked. */
export async function deferRefChange(tx: Transaction, id: string, until: string): Promise<void> {
  await tx.sql.updateTable("ref_change").set({ decide_at: until, decided_by: null }).where("id", "=", id).execute();
}

/** The inputs of the newest run that was made for a ref. */
export interface DoneInputs {
  digest: string;
  /** `null` if it is not known. */
  commit: string | null;
}

/**
 * Returns the inputs of the newest DEPLOY run that was made for a ref, by workspace; of a newer commit whose run is not
 * created yet, or whose message asked for none, those in its place. A run that waits for a person does not count. `before`:
 * what was made since does not count. Of each workspace the newest is sought alone: it may have thousands of runs.
 */
export async function findDoneInputs(
  reader: Reader,
  workspaceIds: readonly string[],
  ref: string,
  before: string | null,
): Promise<Map<string, DoneInputs>> {
  const { rows } = await sql<DoneInputs & { workspaceId: string }>`
    select w.id as "workspaceId", made.digest, made.commit from unnest(${workspaceIds}::text[]) w(id) cross join lateral (
      select * from (
        select inputs_digest as digest, revision as commit, created_at as at from run
          where workspace_id = w.id and kind = 'DEPLOY' and trigger <> 'TAG' and inputs_digest is not null
            and (trigger <> 'PUSH' or cause ->> 'ref' = ${ref})
            and (${before}::timestamptz is null or created_at < ${before})
          order by id desc limit 1
      ) created
      union all
      select * from (
        select d.inputs_digest, c.after, d.at from trigger_decision d
          join ref_change c on c.id = d.ref_change_id
          left join changeset s on s.id = c.changeset_id
          left join changeset_member m on m.changeset_id = c.changeset_id and m.workspace_id = d.workspace_id
          where d.workspace_id = w.id and d.inputs_digest is not null and c.ref = ${ref}
            and (d.reason = 'MESSAGE_SAYS_SKIP'
              or d.reason in ('AFFECTED', 'TOO_MANY') and s.held_at is null and m.problem is null)
            and (${before}::timestamptz is null or d.at < ${before})
          order by d.at desc limit 1
      ) decided
      order by at desc limit 1
    ) made`.execute(reader.sql);
  return new Map(rows.map(({ workspaceId, digest, commit }) => [workspaceId, { digest, commit }]));
}

/** A change of a ref by its number and its id; `null`: the next one, which is not there yet. */
export interface ChangePosition {
  id: string | null;
  repositoryId: string;
  ref: string;
  seq: number | null;
}

/**
 * Finds the commit that a branch had after the newest earlier change whose runs are settled: it was decided, no other one in
 * its place, and its runs do not wait for a person, or were given up while they did. Nothing of the changes since is done.
 * `null` if the branch was not there, or there is no such change.
 */
export async function findSettledCommit(
  reader: Reader,
  { repositoryId, ref, seq }: ChangePosition,
): Promise<{ commit: string | null } | null> {
  const { rows } = await sql<{ commit: string | null }>`
    with earlier as (
      select * from ref_change where repository_id = ${repositoryId} and ref = ${ref} and seq < coalesce(${seq}::bigint, seq + 1)
    ), settled as (
      select seq from earlier c where decided_at is not null and superseded_by is null and not exists (
        select from trigger_decision d join changeset s on s.id = c.changeset_id
          join changeset_member m on m.changeset_id = s.id and m.workspace_id = d.workspace_id
        where d.ref_change_id = c.id and d.reason = 'TOO_MANY' and m.run_id is null
          and (s.held_at is not null or m.problem is not null))
      order by seq desc limit 1
    )
    select before as commit from earlier where seq > coalesce((select seq from settled), 0) order by seq limit 1`.execute(
    reader.sql,
  );
  return rows[0] ?? null;
}

/**
 * Whether a ref appeared with an earlier change of which nothing was decided before this one: it is undecided, or this one
 * superseded it.
 */
export async function isNewWithin(reader: Reader, { id, repositoryId, ref, seq }: ChangePosition): Promise<boolean> {
  const { rows } = await sql`
    select from ref_change where repository_id = ${repositoryId} and ref = ${ref} and seq < coalesce(${seq}::bigint, seq + 1)
      and before is null and (decided_at is null or superseded_by = ${id}) limit 1`.execute(reader.sql);
  return rows.length > 0;
}

export async function insertDecisions(tx: Transaction, decisions: readonly TriggerDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map((decision) => ({
    ref_change_id: decision.refChangeId,
    workspace_id: decision.workspaceId,
    outcome: decision.outcome,
    reason: decision.reason,
    message: decision.message,
    inputs_digest: decision.inputsDigest,
    changed: [...decision.changed],
    at: decision.at,
  }));
  await tx.sql.insertInto("trigger_decision").values(rows).execute();
}

/** A decision at the place of its workspace. `id`: that of the workspace. */
export type PlacedDecision = Placed<TriggerDecision> & { id: string; commit: string | null; runId: string | null };

/** Lists the stored decisions of a change about workspaces in a scope; positions are ids of workspaces. */
export async function listDecisions(
  reader: Reader,
  scope: CallerScope,
  refChangeId: string,
  page: PageRequest<string>,
): Promise<Page<PlacedDecision>> {
  const { after, before } = page;
  const limits = within(scope, { organization: "w.organization_id", project: "w.project_id", workspace: "w.id" });
  const rows = await decisions(reader, refChangeId)
    .$if(limits !== null, (q) => (limits === null ? q : q.where(limits)))
    .$if(after !== null, (q) => q.where("d.workspace_id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("d.workspace_id", "<", before ?? ""))
    .orderBy("d.workspace_id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toDecision));
}

/** Finds the stored decision of a change for one workspace. */
export async function findDecision(
  reader: Reader,
  refChangeId: string,
  workspaceId: string,
): Promise<PlacedDecision | null> {
  const row = await decisions(reader, refChangeId).where("d.workspace_id", "=", workspaceId).executeTakeFirst();
  return row === undefined ? null : toDecision(row);
}

function decisions(reader: Reader, refChangeId: string) {
  return reader.sql
    .selectFrom("trigger_decision as d")
    .innerJoin("workspace as w", "w.id", "d.workspace_id")
    .innerJoin("ref_change as c", "c.id", "d.ref_change_id")
    .leftJoin("changeset_member as m", (join) =>
      join.onRef("m.changeset_id", "=", "c.changeset_id").onRef("m.workspace_id", "=", "d.workspace_id"),
    )
    .selectAll("d")
    .select(["w.organization_id", "w.project_id", "m.run_id", "m.problem", "c.after as commit"])
    .where("d.ref_change_id", "=", refChangeId)
    .where("w.deleted_at", "is", null);
}

type Row = Selectable<Tables["trigger_decision"]> & {
  organization_id: string;
  project_id: string;
  run_id: string | null;
  problem: string | null;
  commit: string | null;
};

function toDecision(row: Row): PlacedDecision {
  return {
    id: row.workspace_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    refChangeId: row.ref_change_id,
    outcome: word(TRIGGER_OUTCOMES, row.outcome),
    reason: word(TRIGGER_REASONS, row.reason),
    message: row.problem === null ? row.message : `${row.message} The run could not be created: ${row.problem}`,
    inputsDigest: row.inputs_digest,
    changed: row.changed,
    commit: row.commit,
    at: row.at,
    runId: row.run_id,
  };
}
