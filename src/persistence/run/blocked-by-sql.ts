/** The kinds of blockers of a waiting run, in SQL, as `blockersOf` of the model decides them. */
import { type RawBuilder, sql } from "kysely";
import type { BlockerKind } from "../../model/admission/blocker-kind.ts";
import { CLAIMABLE_STATUSES, RUN_STATUSES, type RunStatus, STATUS_OF } from "../../model/lifecycle/run-status.ts";
import { approvedBefore, QUEUED_BEFORE } from "./ahead-sql.ts";
import { isDriftLimited } from "./drift-limit.ts";
import { isReachable } from "./runner-match.ts";
import { STATUS_SQL } from "./status-sql.ts";

/** Blockers of these kinds, with the facts of an instant that the database does not have. */
export interface BlockedBy {
  kinds: readonly BlockerKind[];
  /** RFC 3339. */
  at: string;
  /** The freeze windows that are open, as JSON. */
  openWindows: readonly string[];
  /** A runner counts as present if it was seen since then. */
  runnersSince: string;
  /** A run that was offered before then lacks a runner. */
  overdueSince: string;
}

const QUEUED: readonly RunStatus[] = [STATUS_OF.creation];
const APPROVED: readonly RunStatus[] = [STATUS_OF.approval];
const WAITING = [...QUEUED, ...CLAIMABLE_STATUSES];

/** The statuses in which a run may have a blocker of a kind, and the condition over `run`, its workspace `w` and `found`. */
const KINDS: Readonly<Record<BlockerKind, { statuses: readonly RunStatus[]; condition: RawBuilder<boolean> }>> = {
  WORKSPACE_PAUSED: { statuses: WAITING, condition: sql`w.paused` },
  WORKSPACE_LOCKED: { statuses: [...QUEUED, ...APPROVED], condition: sql`found.locked` },
  UPSTREAM_RUN: { statuses: QUEUED, condition: sql`found.upstream` },
  SCHEDULED_AT: {
    statuses: [...QUEUED, ...APPROVED],
    condition: sql`(found.scheduled and not found.soaks
      or found.queued and run.scheduled_at is not null and found.free and not found.behind)`,
  },
  SOAKING: { statuses: QUEUED, condition: sql`found.scheduled and found.soaks` },
  FREEZE_WINDOW: { statuses: APPROVED, condition: sql`found.frozen` },
  CHECK_PENDING: { statuses: WAITING, condition: sql`found.judged` },
  WORKSPACE_BUSY: {
    statuses: WAITING,
    condition: sql`(found.behind or found.queued and run.scheduled_at is null and found.free)`,
  },
  ORGANIZATION_LIMIT: {
    statuses: CLAIMABLE_STATUSES,
    condition: sql`found.free and not found.behind and found.over_limit`,
  },
  DRIFT_LIMIT: {
    statuses: CLAIMABLE_STATUSES,
    condition: sql`found.free and not found.behind and found.over_drift_limit`,
  },
  NO_RUNNER: {
    statuses: CLAIMABLE_STATUSES,
    condition: sql`found.free and not found.behind and found.without_runner`,
  },
};

/** Returns the condition that a run has a blocker of one of these kinds. Statuses come first: they have an index. */
export function hasBlockerOf(given: BlockedBy): RawBuilder<boolean> {
  const asked = given.kinds.map((kind) => KINDS[kind]);
  const statuses = RUN_STATUSES.filter((status) => asked.some((one) => one.statuses.includes(status)));
  const conditions = sql.join(
    [...new Set(asked)].map(({ condition }) => condition),
    sql` or `,
  );
  return sql<boolean>`(run.status = any(${statuses}::text[]) and exists (
    select from workspace w join organization o on o.id = w.organization_id
    ${facts(given)}
    where w.id = run.workspace_id and (${conditions})))`;
}

/** Joins the facts about `run` in its workspace `w` and its organization `o` as `found`. */
function facts({ at, openWindows, runnersSince, overdueSince }: BlockedBy): RawBuilder<unknown> {
  const needs = {
    organizationId: sql.ref("run.organization_id"),
    poolId: sql.ref("w.runner_pool_id"),
    labels: sql.ref("w.runner_labels"),
  };
  return sql`
    cross join lateral (
      select w.lock_reason is not null and (w.lock_expires_at is null or w.lock_expires_at > ${at}::timestamptz) as locked,
        exists (select from jsonb_array_elements(w.freeze_windows || o.freeze_windows) as held
          where held.value = any(${openWindows}::text[]::jsonb[])) as frozen
    ) place
    cross join lateral (
      select run.status = ${STATUS_SQL.queued} as queued,
        place.locked and run.status in (${STATUS_SQL.queued}, ${STATUS_SQL.approved})
          and not (run.kind = 'UNLOCK' and w.lock_reason = 'APPLY_INTERRUPTED') as locked,
        run.status = ${STATUS_SQL.queued} and run.awaits_upstream as upstream,
        coalesce(case run.status when ${STATUS_SQL.queued} then run.scheduled_at when ${STATUS_SQL.approved} then run.apply_at end
          > ${at}::timestamptz, false) as scheduled,
        run.status = ${STATUS_SQL.queued} and coalesce(run.cause->>'type' = 'PROMOTION', false) as soaks,
        run.status = ${STATUS_SQL.approved} and place.frozen as frozen,
        run.awaited_check is not null as judged,
        run.kind <> 'PLAN' and not run.holds_workspace and (
          exists (select from run h where h.workspace_id = run.workspace_id and h.holds_workspace and h.id <> run.id)
          or not w.paused and exists (select from run a
            where ${approvedBefore({ at, mayApply: sql`not (place.locked or place.frozen)` })})
          or exists (select from run q where ${QUEUED_BEFORE} and (q.scheduled_at is null or q.scheduled_at <= ${at}::timestamptz))
        ) as behind,
        exists (select from dispatch d where d.run_id = run.id and d.reachable and not d.offered
          and not ${isDriftLimited("d")}) as over_limit,
        exists (select from dispatch d where d.run_id = run.id and ${isDriftLimited("d")}) as over_drift_limit,
        not exists (select from dispatch d where d.run_id = run.id
          and d.reachable and (not d.offered or d.since >= ${overdueSince}::timestamptz and ${isReachable(needs, runnersSince)}))
          as without_runner
    ) fact
    cross join lateral (
      select fact.*, not (w.paused or fact.locked or fact.upstream or fact.scheduled or fact.frozen or fact.judged) as free
    ) found`;
}
