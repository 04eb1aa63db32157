/** The durations of the last jobs of an organization. */
import { type RawBuilder, sql } from "kysely";
import { ESTIMATE_BY_RUNS, ESTIMATE_FROM_RUNS } from "../../model/admission/start-estimate.ts";

export function milliseconds(interval: string): RawBuilder<number> {
  return sql.raw(`extract(epoch from ${interval}) * 1000`);
}

/** Selects as `ms` the median duration of the last jobs of the organization in this column; null with too few of them. */
export function medianOfJobs(organization: string): RawBuilder<unknown> {
  return sql`
      select case when count(*) >= ${ESTIMATE_FROM_RUNS} then percentile_cont(0.5) within group (order by took) end as ms
      from (select ${milliseconds("j.ended_at - j.claimed_at")} as took from job j
        where j.organization_id = ${sql.ref(organization)} and j.ended_at is not null
        order by j.ended_at desc limit ${ESTIMATE_BY_RUNS}) j
    `;
}
