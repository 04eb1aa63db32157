/** Changesets with the figures of those members that lie within a scope. Members of deleted workspaces do not count. */
import { type RawBuilder, sql } from "kysely";
import type { ChangesetWave, SeenChangeset } from "../../model/changeset/changeset.ts";
import type { ChangesetState } from "../../model/changeset/changeset-state.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Reader } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { type ChangesetRow, toChangeset } from "./changeset-row.ts";
import { keptWithin } from "./member-scope.ts";

/** A changeset with the figures of its members. */
interface SeenRow extends ChangesetRow {
  workspaces: number;
  uncreated: number;
  ended: number;
  failed: number;
  unwanted: number;
  applied: number;
  planned: number;
  no_changes: number;
  skipped: number;
  waiting: number;
  approved: number;
  additions: number;
  changes: number;
  destructions: number;
  version: number;
  plan_digest: string | null;
  last_ended_at: string | null;
  superseded_by: string | null;
  ref_change_id: string | null;
  /** The project and the id of one of the workspaces. */
  first_place: string;
}

function toSeen(row: SeenRow): SeenChangeset {
  const {
    no_changes: noChanges,
    plan_digest: planDigest,
    last_ended_at: lastEndedAt,
    superseded_by: supersededById,
  } = row;
  const { workspaces, uncreated, ended, failed, unwanted, applied, planned, skipped, waiting, approved } = row;
  const { additions, changes, destructions, version } = row;
  const members = {
    workspaces,
    uncreated,
    ended,
    failed,
    unwanted,
    applied,
    planned,
    noChanges,
    skipped,
    waiting,
    approved,
  };
  const figures = { ...members, additions, changes, destructions, version, planDigest, lastEndedAt, supersededById };
  const [projectId = "", workspaceId = ""] = row.first_place.split(" ");
  const place = { organizationId: row.organization_id, projectId, workspaceId };
  return { ...toChangeset(row), figures, place, refChangeId: row.ref_change_id };
}

/** The standing of the member `m` with its newest run `r`. */
const STANDING = sql`changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger, r.superseded_by))`;

/** The members of `c` within a scope, each with its newest run `r` and its `standing` (`standingOf`). */
function membersIn(scope: CallerScope): RawBuilder<unknown> {
  return sql`changeset_member m join workspace w on w.id = m.workspace_id left join run r on r.id = m.run_id
    cross join lateral (select ${STANDING} as standing) s
    where m.changeset_id = c.id and ${keptWithin(scope)}`;
}

const STANDINGS_ENDED = sql`('APPLIED', 'PLANNED', 'NO_CHANGES', 'SKIPPED', 'UNWANTED', 'FAILED')`;

/** The state of the changeset `c` with the figures `f`, as `stateOf` of the model has it. */
const STATE = sql`changeset_state(f.workspaces, f.ended, f.failed, f.unwanted, f.applied, f.planned, f.waiting, f.approved,
  c.discarded_at is not null, f.superseded_by is not null)`;

/** The figures of members `m` with their standings `s`, runs `r`, newest plans `p` and the runs that superseded them. */
const FIGURES = sql`
  count(*) as workspaces,
  count(*) filter (where s.standing = 'UNCREATED') as uncreated,
  count(*) filter (where s.standing in ${STANDINGS_ENDED}) as ended,
  count(*) filter (where s.standing = 'FAILED') as failed,
  count(*) filter (where s.standing = 'UNWANTED') as unwanted,
  count(*) filter (where s.standing = 'APPLIED') as applied,
  count(*) filter (where s.standing = 'PLANNED') as planned,
  count(*) filter (where s.standing = 'NO_CHANGES') as no_changes,
  count(*) filter (where s.standing = 'SKIPPED') as skipped,
  count(*) filter (where s.standing = 'WAITING') as waiting,
  count(*) filter (where s.standing = 'APPROVED') as approved,
  coalesce(sum(p.additions), 0)::int as additions, coalesce(sum(p.changes), 0)::int as changes,
  coalesce(sum(p.destructions), 0)::int as destructions,
  encode(sha256(convert_to(string_agg(p.run_id || ' ' || p.digest, ',' order by p.run_id), 'UTF8')), 'hex')
    as plan_digest,
  max(r.finished_at) as last_ended_at, max(newer.changeset_id) filter (where s.standing <> 'SKIPPED') as superseded_by,
  min(w.project_id || ' ' || w.id) as first_place`;

/**
 * Changesets `c` with their figures. A changeset without a member in the scope is left out: a caller who sees none of its
 * workspaces does not learn that it exists.
 */
function seen(scope: CallerScope, condition: RawBuilder<unknown>): RawBuilder<SeenRow> {
  return sql<SeenRow>`
    select c.*, f.*, f.workspaces + v.plans as version, h.ref_change_id from changeset c
    cross join lateral (
      select ${FIGURES}
      from changeset_member m join workspace w on w.id = m.workspace_id left join run r on r.id = m.run_id
        left join plan p on p.run_id = coalesce(r.plan_run_id, r.id) and p.version = r.plan_version
        left join run newer on newer.id = r.superseded_by
        cross join lateral (select ${STANDING} as standing) s
      where m.changeset_id = c.id and ${keptWithin(scope)}
    ) f
    cross join lateral (
      select coalesce(sum(run.plan_version + 1), 0)::int as plans
      from run join workspace w on w.id = run.workspace_id where run.changeset_id = c.id and ${keptWithin(scope)}
    ) v
    left join lateral (select id as ref_change_id from ref_change where changeset_id = c.id limit 1) h on true
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

/**
 * Lists the changesets of an organization as they are seen from a scope, newest first; positions are ids. `states`: `null`
 * for those in any state.
 */
export async function listChangesets(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  states: readonly ChangesetState[] | null,
  page: PageRequest<string>,
): Promise<Page<SeenChangeset>> {
  const { after, before } = page;
  const order = page.direction === "forward" ? sql`desc` : sql`asc`;
  const inState = states === null ? sql`` : sql`and ${STATE} = any(${states}::text[])`;
  const condition = sql`c.organization_id = ${organizationId} ${inState}
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
    select c.id as changeset_id, m.wave as index, count(*) as total,
      count(*) filter (where s.standing in ${STANDINGS_ENDED}) as ended,
      count(*) filter (where s.standing = 'FAILED') as failed
    from changeset c, ${membersIn(scope)} and c.id = any(${ids}::text[])
    group by c.id, m.wave order by c.id, m.wave`.execute(reader.sql);
  const of = ({ index, total, ended, failed }: ChangesetWave): ChangesetWave => ({ index, total, ended, failed });
  return grouped(ids, rows, (row) => row.changeset_id).map((waves) => waves.map(of));
}
