/** Figures over the runs of workspaces and organizations that ended within a window; counted where they lie, by index. */
import { sql } from "kysely";
import { RUN_OUTCOMES, type RunKind, type RunOutcome } from "../../model/lifecycle/run-kind.ts";
import { FAILED_STATUSES, RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { Durations, Statistics, StatisticsWindow } from "../../model/run/statistics.ts";
import { type CallerScope, EVERYTHING } from "../../model/people/permission.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";

const CHANGING_KINDS: readonly string[] = ["DEPLOY", "DESTROY", "APPLY"] satisfies RunKind[];
const APPLIED: readonly (string | null)[] = ["APPLIED", "DESTROYED"] satisfies RunOutcome[];

/** The owners of the runs that are counted. */
interface Owners {
  column: "run.workspace_id" | "run.organization_id";
  ids: readonly string[];
  /** Runs outside of it are not counted. */
  scope: CallerScope;
}

interface DurationsRow {
  owner_id: string;
  what: "lead" | "gates" | "plan" | "apply";
  count: number;
  median: number;
  p95: number;
  total: number;
}

const isFailed = (status: string): boolean => FAILED_STATUSES.some((failed) => failed === status);

/** Reads one entry for each workspace, in the order given. */
export function readStatistics(
  reader: Reader,
  workspaceIds: readonly string[],
  window: StatisticsWindow,
): Promise<Statistics[]> {
  return statisticsOf(reader, ofWorkspaces(workspaceIds), window);
}

/** Reads one entry for each organization, in the order given, of the runs that lie in a scope. */
export function readOrganizationStatistics(
  reader: Reader,
  scope: CallerScope,
  organizationIds: readonly string[],
  window: StatisticsWindow,
): Promise<Statistics[]> {
  return statisticsOf(reader, { column: "run.organization_id", ids: organizationIds, scope }, window);
}

function ofWorkspaces(ids: readonly string[]): Owners {
  return { column: "run.workspace_id", ids, scope: EVERYTHING };
}

async function statisticsOf(reader: Reader, owners: Owners, window: StatisticsWindow): Promise<Statistics[]> {
  const [counts, durations] = await Promise.all([
    countEnded(reader, owners, window),
    measure(reader, owners, window).execute(reader.sql),
  ]);
  return owners.ids.map((id) => {
    const mine = counts.filter((row) => row.owner_id === id);
    const sum = (rows: typeof mine): number => rows.reduce((total, { count }) => total + count, 0);
    const changing = mine.filter(({ kind }) => CHANGING_KINDS.includes(kind));
    const failed = changing.filter(({ status }) => isFailed(status));
    const of = (what: DurationsRow["what"]): Durations | null =>
      toDurations(durations.rows.find((row) => row.owner_id === id && row.what === what));
    return {
      runs: byStatus(mine),
      endedCount: sum(mine),
      appliedCount: sum(mine.filter(({ outcome }) => APPLIED.includes(outcome))),
      failureRate: changing.length === 0 ? null : sum(failed) / sum(changing),
      leadTime: of("lead"),
      waitAtGates: of("gates"),
      planDuration: of("plan"),
      applyDuration: of("apply"),
    };
  });
}

function toDurations(row: DurationsRow | undefined): Durations | null {
  if (row === undefined) return null;
  return { count: row.count, medianMs: row.median * 1000, p95Ms: row.p95 * 1000, totalMs: row.total * 1000 };
}

function byStatus(rows: readonly { status: string; outcome: string | null; count: number }[]): Statistics["runs"] {
  const groups = Map.groupBy(rows, ({ status, outcome }) => `${status} ${outcome ?? ""}`);
  return [...groups].map(([, [first, ...rest]]) => ({
    status: word(RUN_STATUSES, first?.status ?? ""),
    outcome: wordOrNull(RUN_OUTCOMES, first?.outcome ?? null),
    count: rest.reduce((total, { count }) => total + count, first?.count ?? 0),
  }));
}

function ended(reader: Reader, { column, ids, scope }: Owners, { from, to }: StatisticsWindow) {
  const limits = within(scope, SCOPE_OF_RUN);
  return reader.sql
    .selectFrom("run")
    .where(column, "in", ids)
    .where("run.finished_at", ">=", from)
    .where("run.finished_at", "<", to)
    .$if(limits !== null, (query) => query.where(limits ?? sql<boolean>`true`));
}

function countEnded(reader: Reader, owners: Owners, window: StatisticsWindow) {
  return ended(reader, owners, window)
    .select((eb) => [
      eb.ref(owners.column).as("owner_id"),
      "kind",
      "status",
      "outcome",
      eb.fn.countAll<number>().as("count"),
    ])
    .groupBy([owners.column, "kind", "status", "outcome"])
    .orderBy("status")
    .orderBy("outcome")
    .execute();
}

/** Exported for its plan: it must not read all runs. */
export function measurement(reader: Reader, workspaceIds: readonly string[], window: StatisticsWindow) {
  return measure(reader, ofWorkspaces(workspaceIds), window);
}

function measure(reader: Reader, owners: Owners, window: StatisticsWindow) {
  const runs = ended(reader, owners, window).select((eb) => [
    "run.id",
    eb.ref(owners.column).as("owner_id"),
    "run.created_at",
    "run.applied_at",
  ]);
  return sql<DurationsRow>`
    with ended as materialized (${runs}),
    took (owner_id, what, seconds) as (
      select owner_id, 'lead', extract(epoch from applied_at - created_at) from ended where applied_at is not null
      union all
      select ended.owner_id, 'gates', sum(extract(epoch from phase.finished_at - phase.started_at))
        from ended join phase on phase.run_id = ended.id
        where phase.kind in ('PLAN_APPROVAL', 'APPLY_APPROVAL') and phase.finished_at is not null
        group by ended.owner_id, ended.id
      union all
      select ended.owner_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end,
          extract(epoch from phase.finished_at - phase.started_at)
        from ended join phase on phase.run_id = ended.id
        where phase.kind in ('PLAN', 'APPLY', 'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null
    )
    select owner_id, what, count(*) as count, sum(seconds)::float8 as total,
        percentile_cont(0.5) within group (order by seconds)::float8 as median,
        percentile_cont(0.95) within group (order by seconds)::float8 as p95
      from took group by owner_id, what
  `;
}
