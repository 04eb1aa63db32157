/** Buckets that come after their hour was added up. */
import { sql } from "kysely";
import type { Stretch } from "../../model/health/late-bucket.ts";
import type { Transaction } from "../database/database.ts";

const PARTS = {
  hour: { table: "health_bucket", step: "5 minutes", length: "1 hour" },
  day: { table: "health_hour", step: "1 hour", length: "1 day" },
} as const;

/** Locks the marks until which samples are in hours and days, against the next addition. `null`: nothing was added up yet. */
export async function lockRollups(tx: Transaction): Promise<Record<"hour" | "day", string | null>> {
  const rows = await tx.sql
    .selectFrom("health_rollup")
    .select(["unit", "done_until"])
    .orderBy("unit")
    .forShare()
    .execute();
  const markOf = (unit: string): string | null => rows.find((row) => row.unit === unit)?.done_until ?? null;
  return { hour: markOf("hour"), day: markOf("day") };
}

/** Adds up hours or days of targets again, from all that is known of them. */
export async function addUpAgain(tx: Transaction, unit: "hour" | "day", stretches: readonly Stretch[]): Promise<void> {
  const { table, step, length } = PARTS[unit];
  await sql`
    insert into ${sql.table(`health_${unit}`)} (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
    select w.at, w.target_id, sum(b.samples), sum(b.bad), sum(b.held),
      percentile_disc(0.5) within group (order by b.median_ms), max(b.max_ms)
    from (
      select distinct target_id, at, first
      from unnest(${stretches.map(({ targetId }) => targetId)}::int[], ${stretches.map(({ at }) => at)}::timestamptz[],
        ${stretches.map(({ first }) => first)}::timestamptz[]) as n (target_id, at, first)
    ) as w
    cross join generate_series(w.first, w.at + ${sql.lit(length)}::interval - '1 millisecond'::interval, ${sql.lit(step)}::interval) as part
    join ${sql.table(table)} b on b.bucket_at = part and b.target_id = w.target_id
    group by w.at, w.target_id
    on conflict (bucket_at, target_id) do update set samples = excluded.samples, bad = excluded.bad, held = excluded.held,
      median_ms = excluded.median_ms, max_ms = excluded.max_ms`.execute(tx.sql);
}
