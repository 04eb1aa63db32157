/** Buckets that come after their hour was added up. */
import { sql } from "kysely";
import { type HistoryUnit, PART_OF, type RolledUnit, UNIT_MS } from "../../model/health/history.ts";
import type { RolledPeriod } from "../../model/health/late-bucket.ts";
import type { Transaction } from "../database/database.ts";
import { SUMMED } from "./bucket-store.ts";

const lengthOf = (unit: HistoryUnit) => sql`${sql.lit(`${UNIT_MS[unit]} milliseconds`)}::interval`;

/** Locks the marks until which samples are in hours and days, against the next addition. `null`: nothing was added up yet. */
export async function lockRollups(tx: Transaction): Promise<Record<RolledUnit, string | null>> {
  const rows = await tx.sql
    .selectFrom("health_rollup")
    .select(["unit", "done_until"])
    .orderBy("unit")
    .forShare()
    .execute();
  const markOf = (unit: string): string | null => rows.find((row) => row.unit === unit)?.done_until ?? null;
  return { hour: markOf("hour"), day: markOf("day") };
}

/** Adds up hours or days of targets again, from all that is known of them: each bucket of a target begins at its distance. */
export async function addUpAgain(tx: Transaction, unit: RolledUnit, periods: readonly RolledPeriod[]): Promise<void> {
  const part = PART_OF[unit];
  await sql`
    insert into ${sql.table(`health_${unit}`)} (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
    select w.at, w.target_id, ${SUMMED}
    from (
      select distinct target_id, at, first
      from unnest(${periods.map(({ targetId }) => targetId)}::int[], ${periods.map(({ at }) => at)}::timestamptz[],
        ${periods.map(({ first }) => first)}::timestamptz[]) as n (target_id, at, first)
    ) as w
    cross join generate_series(w.first, w.at + ${lengthOf(unit)} - '1 millisecond'::interval, ${lengthOf(part)}) as part
    join ${sql.table(`health_${part}`)} b on b.bucket_at = part and b.target_id = w.target_id
    group by w.at, w.target_id
    order by w.at, w.target_id
    on conflict (bucket_at, target_id) do update set samples = excluded.samples, bad = excluded.bad, held = excluded.held,
      median_ms = excluded.median_ms, max_ms = excluded.max_ms`.execute(tx.sql);
}
