/** Probers with their leases, and the shards that they have. */
import { type RawBuilder, sql } from "kysely";
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type { ProbePool, ShardLease } from "../../model/health/prober-desk.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** A lease of a prober. Its shards are its own until then. */
export interface ProberLease {
  id: string;
  pool: ProbePool;
  /** `null`: a server probes. */
  runnerId: string | null;
  until: string;
  /** It takes no more shards than it has. */
  busy: boolean;
}

/** Renews the lease of a prober, or begins it. False: the id is that of a prober of another pool. */
export async function renewProber(tx: Transaction, { id, pool, runnerId, until, busy }: ProberLease): Promise<boolean> {
  const { rows } = await sql`
    insert into prober as p (id, pool, runner_id, lease_until, busy) values (${id}, ${pool}, ${runnerId}, ${until}, ${busy})
    on conflict (id) do update set runner_id = excluded.runner_id, lease_until = excluded.lease_until, busy = excluded.busy
      where p.pool = excluded.pool
    returning 1`.execute(tx.sql);
  return rows.length > 0;
}

/** Locks a prober, so that its shards stay its own until the transaction ends. False: there is no such prober. */
export async function lockProber(tx: Transaction, { id, pool }: Pick<ProberLease, "id" | "pool">): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("prober")
    .select("id")
    .where("id", "=", id)
    .where("pool", "=", pool)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Frees the shards of probers whose lease has ended. A lease that is longer than any was written by a clock that has been put
 * back. `pool`: `null` for all pools.
 */
export async function freeShards(tx: Transaction, at: string, pool: ProbePool | null): Promise<void> {
  const within: RawBuilder<unknown> = pool === null ? sql`true` : sql`pool = ${pool}`;
  const { leaseMs } = HEALTH_LIMITS;
  await sql`
    with dead as (
      delete from prober where id in (
        select id from prober
        where ${within} and (lease_until <= ${at}::timestamptz
          or lease_until > ${at}::timestamptz + ${sql.lit(`${2 * leaseMs} milliseconds`)}::interval)
        for update skip locked
      ) returning id, least(lease_until, ${at}::timestamptz) - ${sql.lit(`${leaseMs} milliseconds`)}::interval as seen_at
    )
    update probe_shard s set prober_id = null, left_at = dead.seen_at from dead where s.prober_id = dead.id`.execute(
    tx.sql,
  );
}

/** Shards whose targets are gone stay, with their fence; no prober has them. */
const HAS_TARGETS = sql`exists (
  select from probe_target t where t.pool = probe_shard.pool and t.shard = probe_shard.shard and t.address is not null
)`;

/** Counts the shards of a pool that have targets, and its probers that could take more. */
export async function countShards(
  reader: Reader,
  pool: ProbePool,
  except: string,
): Promise<{ shards: number; others: number }> {
  const { rows } = await sql<{ shards: number; others: number }>`
    select (select count(*) from probe_shard where pool = ${pool} and ${HAS_TARGETS}) as shards,
      (select count(*) from prober where pool = ${pool} and id <> ${except} and not busy) as others`.execute(
    reader.sql,
  );
  return rows[0] ?? { shards: 0, others: 0 };
}

/** Lists the shards that a prober has, with the probes a second that each takes. */
export async function listShards(reader: Reader, proberId: string): Promise<(ShardLease & { perSecond: number })[]> {
  const { rows } = await sql<ShardLease & { perSecond: number }>`
    select s.shard, s.fence, s.version, coalesce((
      select sum(1000.0 / t.interval_ms) from probe_target t
      where t.pool = s.pool and t.shard = s.shard and t.address is not null
    ), 0)::float as "perSecond"
    from probe_shard s where s.prober_id = ${proberId} order by s.shard`.execute(reader.sql);
  return rows;
}

/** Takes shards that no prober has, those first that were left first. */
export async function claimShards(
  tx: Transaction,
  { id, pool }: Pick<ProberLease, "id" | "pool">,
  most: number,
): Promise<void> {
  await sql`
    update probe_shard set prober_id = ${id}, fence = fence + 1, left_at = null
    where (pool, shard) in (
      select pool, shard from probe_shard where pool = ${pool} and prober_id is null and ${HAS_TARGETS}
      order by left_at, shard limit ${most} for update skip locked
    )`.execute(tx.sql);
}

/** Gives back shards of a prober. */
export async function leaveShards(
  tx: Transaction,
  { id, pool }: Pick<ProberLease, "id" | "pool">,
  shards: readonly number[],
  at: string,
): Promise<void> {
  await tx.sql
    .updateTable("probe_shard")
    .set({ prober_id: null, left_at: at })
    .where("pool", "=", pool)
    .where("prober_id", "=", id)
    .where("shard", "in", shards)
    .execute();
}

/** Removes a prober, or all probers of a runner, and gives back their shards: others take them at once. */
export async function removeProbers(
  tx: Transaction,
  which: Pick<ProberLease, "id" | "pool"> | { runnerId: string },
  at: string,
): Promise<void> {
  const chosen =
    "runnerId" in which ? sql`runner_id = ${which.runnerId}` : sql`id = ${which.id} and pool = ${which.pool}`;
  await sql`
    with gone as (delete from prober where ${chosen} returning id)
    update probe_shard s set prober_id = null, left_at = ${at} from gone where s.prober_id = gone.id`.execute(tx.sql);
}

/** Keeps a runner from being locked by `lockRunner`, as its revocation does, before the transaction ends. False: it was revoked. */
export async function holdRunner(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("runner")
    .select("id")
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    // Not FOR SHARE: each heartbeat of the runner would wait for it.
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that the targets of shards have changed; those that are new have no prober yet. */
export async function touchShards(
  tx: Transaction,
  places: readonly { pool: ProbePool; shard: number }[],
  at: string,
): Promise<void> {
  await sql`
    insert into probe_shard as s (pool, shard, left_at)
    select distinct pool, shard, ${at}::timestamptz
    from unnest(${places.map(({ pool }) => pool)}::text[], ${places.map(({ shard }) => shard)}::smallint[]) as p (pool, shard)
    order by pool, shard
    on conflict (pool, shard) do update set version = s.version + 1`.execute(tx.sql);
}
