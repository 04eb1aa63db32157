/** The live runs of organizations and the use of their places. History is not read. */
import { sql } from "kysely";
import { RUN_STATUSES, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { LiveRuns, PlaceUse } from "../../model/run/organization-activity.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { PLANNED_EACH_TIME } from "../database/statement-names.ts";
import { medianOfJobs } from "./job-history.ts";
import { STATUS_SQL } from "../run/status-sql.ts";

const LIVE_STATUSES = RUN_STATUSES.filter((status) => !STATUS_TRAITS[status].terminal);

interface CountRow {
  organization_id: string;
  status: string;
  count: number;
  /** `null` for a status that is no gate. */
  oldest_id: string | null;
}

/**
 * Counts the live runs of each organization that lie in a scope, by status. One pass over the live runs: a search for each
 * status reads them all again (9 ms instead of 1 with 1,000 of them).
 */
export async function countLiveRuns(
  reader: Reader,
  scope: CallerScope,
  organizationIds: readonly string[],
): Promise<LiveRuns[]> {
  const limits = within(scope, SCOPE_OF_RUN);
  const { rows } = await sql<CountRow>`
    select run.organization_id, run.status, count(*) as count,
      (array_agg(run.id order by run.status_at, run.id) filter (where run.status in (${STATUS_SQL.atGate})))[1] as oldest_id
    from run where run.organization_id = any(${organizationIds}::text[]) and run.finished_at is null
      ${limits === null ? sql`` : sql`and ${limits}`}
    group by run.organization_id, run.status
    order by min(run.status_at), oldest_id
    ${sql.raw(PLANNED_EACH_TIME)}`.execute(reader.sql);
  return grouped(organizationIds, rows, (row) => row.organization_id).map(toLiveRuns);
}

function toLiveRuns(rows: readonly CountRow[]): LiveRuns {
  const found = rows.map((row) => ({ ...row, status: word(RUN_STATUSES, row.status) }));
  const oldest = found.find(({ status }) => STATUS_TRAITS[status].gate !== null);
  const counts = LIVE_STATUSES.flatMap((status) => {
    const row = found.find((one) => one.status === status);
    return row === undefined ? [] : [{ status, count: row.count }];
  });
  return { counts, oldestAtGateId: oldest?.oldest_id ?? null };
}

interface PlaceRow {
  id: string;
  places: number;
  busy: number;
  queue_length: number;
  ending_since: string | null;
  job_ms: number | null;
}

/** Reads the use of the places of each organization; `null` if there is no such organization. */
export async function findPlaceUses(reader: Reader, organizationIds: readonly string[]): Promise<(PlaceUse | null)[]> {
  const { rows } = await sql<PlaceRow>`
    select organization.id, concurrency_limit as places, working.count + waiting.promised as busy,
      waiting.queue_length, ending.since as ending_since, job.ms as job_ms
    from organization
    cross join lateral (
      select count(*) from job j where j.organization_id = organization.id and j.ended_at is null
    ) working
    cross join lateral (
      select count(*) filter (where offered) as promised, count(*) filter (where not offered) as queue_length
      from dispatch where dispatch.organization_id = organization.id
    ) waiting
    left join lateral (
      select j.claimed_at as since from job j where j.organization_id = organization.id and j.ended_at is null
      order by j.claimed_at, j.id limit 1 offset greatest(working.count + waiting.promised - concurrency_limit, 0)
    ) ending on true
    cross join lateral (${medianOfJobs("organization.id")}) job
    where organization.id = any(${organizationIds}::text[])`.execute(reader.sql);
  return inOrder(organizationIds, rows, ({ id }) => id).map(
    (row) =>
      row && {
        busy: row.busy,
        limit: row.places,
        queueLength: row.queue_length,
        endingSince: row.ending_since,
        jobMs: row.job_ms,
      },
  );
}
