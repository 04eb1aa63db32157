/** Changesets, with the figures of those members that lie within a scope. Members of deleted workspaces do not count. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import {
  type Changeset,
  CHANGESET_KINDS,
  CHANGESET_SOURCES,
  type ChangesetFigures,
  type ChangesetWave,
  type SeenChangeset,
} from "../../model/changeset/changeset.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { RUN_TRIGGERS } from "../../model/lifecycle/run-kind.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";
import { STATUS_SQL } from "../run/status-sql.ts";

type Row = Selectable<Tables["changeset"]>;

interface FigureColumns {
  workspaces: number;
  uncreated: number;
  ended: number;
  failed: number;
  unwanted: number;
  applied: number;
  planned: number;
  no_changes: number;
  waiting: number;
  applying: number;
  additions: number;
  changes: number;
  destructions: number;
  version: number;
  plan_digest: string | null;
  last_ended_at: string | null;
}

function toChangeset(row: Row): Changeset {
  return {
    id: row.id,
    organizationId: row.organization_id,
    source: word(CHANGESET_SOURCES, row.source),
    title: row.title,
    commit: row.commit,
    kind: word(CHANGESET_KINDS, row.kind),
    trigger: word(RUN_TRIGGERS, row.trigger),
    refreshOnly: row.refresh_only,
    command: row.command,
    priority: row.priority,
    createdById: row.created_by,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    heldAt: row.held_at,
    appliedAt: row.applied_at,
    discardedAt: row.discarded_at,
    supersededById: row.superseded_by,
  };
}

function toFigures(row: FigureColumns): ChangesetFigures {
  const { no_changes: noChanges, plan_digest: planDigest, last_ended_at: lastEndedAt, ...same } = row;
  const { workspaces, uncreated, ended, failed, unwanted, applied, planned, waiting, applying } = same;
  const { additions, changes, destructions, version } = same;
  const members = { workspaces, uncreated, ended, failed, unwanted, applied, planned, noChanges, waiting, applying };
  return { ...members, additions, changes, destructions, version, planDigest, lastEndedAt };
}

function toSeen(row: Row & FigureColumns): SeenChangeset {
  return { ...toChangeset(row), figures: toFigures(row) };
}

function inScope(scope: CallerScope): RawBuilder<unknown> {
  const limits = within(scope, { organization: "w.organization_id", project: "w.project_id", workspace: "w.id" });
  return limits === null ? sql`w.deleted_at is null` : sql`w.deleted_at is null and ${limits}`;
}

/** The members of `c` within a scope, each with its newest run `r`. */
function membersIn(scope: CallerScope): RawBuilder<unknown> {
  return sql`changeset_member m join workspace w on w.id = m.workspace_id left join run r on r.id = m.run_id
    where m.changeset_id = c.id and ${inScope(scope)}`;
}

const HAS_ENDED = sql`(m.problem is not null or r.finished_at is not null)`;
const HAS_FAILED = sql`(m.problem is not null or r.status in (${STATUS_SQL.failed}))`;

/**
 * Changesets `c` with their figures. A changeset without a member in the scope is left out: a caller who sees none of its
 * workspaces does not learn that it exists.
 */
function seen(scope: CallerScope, condition: RawBuilder<unknown>): RawBuilder<Row & FigureColumns> {
  return sql<Row & FigureColumns>`
    select c.*, f.*, f.members + v.plans as version from changeset c
    cross join lateral (
      select count(*) as workspaces, count(*) as members,
        count(*) filter (where m.run_id is null and m.problem is null) as uncreated,
        count(*) filter (where ${HAS_ENDED}) as ended,
        count(*) filter (where ${HAS_FAILED}) as failed,
        count(*) filter (where r.status in (${STATUS_SQL.unwanted}) or r.outcome = 'APPLY_SKIPPED') as unwanted,
        count(*) filter (where r.outcome in ('APPLIED', 'DESTROYED', 'PERFORMED')) as applied,
        count(*) filter (where r.outcome = 'PLANNED') as planned,
        count(*) filter (where r.outcome = 'NO_CHANGES') as no_changes,
        count(*) filter (where r.status in (${STATUS_SQL.atGate})) as waiting,
        count(*) filter (where r.finished_at is null
          and (r.status = ${STATUS_SQL.approved} or r.leg in ('APPLY', 'DESTROY') and r.applying_at is not null)) as applying,
        coalesce(sum(p.additions), 0)::int as additions, coalesce(sum(p.changes), 0)::int as changes,
        coalesce(sum(p.destructions), 0)::int as destructions,
        encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex')
          as plan_digest,
        max(r.finished_at) as last_ended_at
      from changeset_member m join workspace w on w.id = m.workspace_id left join run r on r.id = m.run_id
        left join plan p on p.run_id = coalesce(r.plan_run_id, r.id) and p.version = r.plan_version
      where m.changeset_id = c.id and ${inScope(scope)}
    ) f
    cross join lateral (
      select coalesce(sum(run.plan_version + 1), 0)::int as plans
      from run join workspace w on w.id = run.workspace_id where run.changeset_id = c.id and ${inScope(scope)}
    ) v
    where f.workspaces > 0 and ${condition}`;
}

/** Finds changesets as they are seen from a scope; `null` if there is none, or none of its members lies there. */
export async function findChangesets(
  reader: Reader,
  scope: CallerScope,
  ids: readonly string[],
): Promise<(SeenChangeset | null)[]> {
  const { rows } = await seen(scope, sql`c.id = any(${ids}::text[])`).execute(reader.sql);
  return inOrder(ids, rows.map(toSeen), ({ id }) => id);
}

/** Lists the changesets of an organization as they are seen from a scope, newest first; positions are ids. */
export async function listChangesets(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  page: PageRequest<string>,
): Promise<Page<SeenChangeset>> {
  const { after, before } = page;
  const order = page.direction === "forward" ? sql`desc` : sql`asc`;
  const condition = sql`c.organization_id = ${organizationId}
    and (${after}::text is null or c.id < ${after}) and (${before}::text is null or c.id > ${before})
    order by c.id ${order} limit ${page.limit + 1}`;
  const { rows } = await seen(scope, condition).execute(reader.sql);
  return toPage(page, rows.map(toSeen));
}

/** Lists the waves of changesets, as far as their members lie within a scope, in order. */
export async function listWaves(
  reader: Reader,
  scope: CallerScope,
  ids: readonly string[],
): Promise<ChangesetWave[][]> {
  const { rows } = await sql<ChangesetWave & { changeset_id: string }>`
    select c.id as changeset_id, m.wave as index, count(*) as total, count(*) filter (where ${HAS_ENDED}) as ended,
      count(*) filter (where ${HAS_FAILED}) as failed
    from changeset c, ${membersIn(scope)} and c.id = any(${ids}::text[])
    group by c.id, m.wave order by c.id, m.wave`.execute(reader.sql);
  const of = ({ index, total, ended, failed }: ChangesetWave): ChangesetWave => ({ index, total, ended, failed });
  return grouped(ids, rows, (row) => row.changeset_id).map((waves) => waves.map(of));
}

/** The facts by which a repeated request is recognised. `null`: the caller gave no key. */
export interface ChangesetRequest {
  key: string | null;
  digest: string;
}

/** Inserts a changeset that has no members yet. Throws a violation of `changeset_key` for a key that is in use. */
export async function insertChangeset(
  tx: Transaction,
  changeset: Changeset,
  { key, digest }: ChangesetRequest,
): Promise<void> {
  await tx.sql
    .insertInto("changeset")
    .values({
      id: changeset.id,
      organization_id: changeset.organizationId,
      source: changeset.source,
      title: changeset.title,
      commit: changeset.commit,
      kind: changeset.kind,
      trigger: changeset.trigger,
      refresh_only: changeset.refreshOnly,
      command: changeset.command,
      priority: changeset.priority,
      created_by: changeset.createdById,
      credential_id: changeset.credentialId,
      idempotency_key: key,
      request_digest: key === null ? null : digest,
      created_at: changeset.createdAt,
      held_at: changeset.heldAt,
      due: changeset.heldAt === null,
    })
    .execute();
}

/**
 * Finds the changeset that an actor created by a key since an instant, with the digest of that request. A key from before
 * is given up.
 */
export async function findChangesetByKey(
  tx: Transaction,
  { actorId, key }: { actorId: string; key: string },
  since: string,
): Promise<{ id: string; digest: string } | null> {
  const row = await tx.sql
    .selectFrom("changeset")
    .select(["id", "request_digest", "created_at"])
    .where("created_by", "=", actorId)
    .where("idempotency_key", "=", key)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.created_at >= since) return { id: row.id, digest: row.request_digest ?? "" };
  await tx.sql
    .updateTable("changeset")
    .set({ idempotency_key: null, request_digest: null })
    .where("id", "=", row.id)
    .execute();
  return null;
}

/** Ids of changesets with work to do, oldest first. */
export async function listDueChangesets(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("changeset")
    .select("id")
    .where("due", "=", sql.lit(true))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Finds a changeset without its figures, for the system. */
export async function findChangeset(reader: Reader, id: string): Promise<Changeset | null> {
  const row = await reader.sql.selectFrom("changeset").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toChangeset(row);
}

/** Locks the row of a changeset, behind those of workspaces and runs; no member ends until the end of the transaction. */
export async function lockChangeset(tx: Transaction, id: string): Promise<Changeset> {
  const row = await tx.sql
    .selectFrom("changeset")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return toChangeset(row);
}

export async function setChangesetDue(tx: Transaction, id: string, due: boolean): Promise<void> {
  await tx.sql.updateTable("changeset").set({ due }).where("id", "=", id).execute();
}

/** Notes whether all of a changeset is applied, when a run of it has ended. */
export async function settleChangeset(tx: Transaction, id: string, at: string): Promise<void> {
  const { rows } = await sql<{ waits: boolean }>`select changeset_settle(${id}, ${at}) as waits`.execute(tx.sql);
  if (rows.some(({ waits }) => waits)) tx.announce("changesets");
}

/** Gives up the creation of runs of the members within a scope. */
export async function discardMembers(
  tx: Transaction,
  scope: CallerScope,
  changesetId: string,
  problem: string,
): Promise<void> {
  await sql`
    update changeset_member set problem = ${problem}
    from workspace w
    where w.id = changeset_member.workspace_id and changeset_member.changeset_id = ${changesetId}
      and changeset_member.run_id is null and changeset_member.problem is null and ${inScope(scope)}`.execute(tx.sql);
}

/** Notes that a changeset was discarded as a whole, if all of its members lie within the scope. */
export async function setChangesetDiscarded(
  tx: Transaction,
  scope: CallerScope,
  id: string,
  at: string,
): Promise<void> {
  await sql`
    update changeset set discarded_at = coalesce(discarded_at, ${at}), held_at = null
    where id = ${id} and not exists (
      select from changeset_member m join workspace w on w.id = m.workspace_id
      where m.changeset_id = changeset.id and w.deleted_at is null and not (${inScope(scope)}))`.execute(tx.sql);
}

/** Lets the creation of runs begin. Returns whether it was held back. */
export async function releaseHeldChangeset(tx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("changeset")
    .set({ held_at: null, due: true })
    .where("id", "=", id)
    .where("held_at", "is not", null)
    .executeTakeFirst();
  tx.announce("changesets");
  return numUpdatedRows > 0n;
}
