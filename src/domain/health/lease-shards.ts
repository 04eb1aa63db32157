/** Leases shards of targets to probers. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type { LeaseAnswer, LeasedTarget, LeaseRequest, ProbePool, ShardLease } from "../../model/health/prober-desk.ts";
import { placeOfTarget } from "../../model/health/target-hash.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  claimShards,
  countShards,
  freeShards,
  holdRunner,
  leaveShards,
  listShards,
  removeProbers,
  renewProber,
} from "../../persistence/health/prober-store.ts";
import { listHeldTargets, listTargetsOfShards, type StoredTarget } from "../../persistence/health/target-store.ts";
import type { Deps } from "../kit/deps.ts";

type LeaseDeps = Pick<Deps, "database" | "cipher" | "clock">;

/** The id of a prober is that of a prober of another pool. */
export class ProberConflict extends Error {
  override readonly name = "ProberConflict";
}

/** The runner was revoked after it asked. */
export class ProberRevoked extends Error {
  override readonly name = "ProberRevoked";
}

/**
 * Renews the lease of a prober of a pool, and shares the shards of the pool among its probers: those of probers that are gone are
 * free, and a prober with more than its share gives some back.
 *
 * `runnerId`: the runner that probes; `null`: a server does.
 *
 * @throws ProberConflict if the pool is not that of the prober
 * @throws ProberRevoked if the runner was revoked meanwhile
 */
export async function leaseShards(
  deps: LeaseDeps,
  pool: ProbePool,
  request: LeaseRequest,
  runnerId: string | null = null,
): Promise<LeaseAnswer> {
  const { leaseMs } = HEALTH_LIMITS;
  const { proberId: id, perSecond } = request;
  const prober = { id, pool, runnerId };
  // Most installations have no targets: they write nothing.
  if (request.shards.length === 0 && (await countShards(deps.database, pool, id)).shards === 0) {
    return { at: deps.clock().toISOString(), leaseMs, shards: [], held: [] };
  }
  return deps.database.transaction(async (tx) => {
    const now = deps.clock();
    const at = now.toISOString();
    const until = new Date(now.getTime() + leaseMs).toISOString();
    // A revocation removes its probers: a lease that was asked for before must not bring one back.
    if (runnerId !== null && !(await holdRunner(tx, runnerId))) throw new ProberRevoked(`${runnerId} was revoked.`);
    if (!(await renewProber(tx, { ...prober, until, busy: false }))) {
      throw new ProberConflict(`${id} is a prober of another pool.`);
    }
    await freeShards(tx, at, pool);
    const mine = await share(tx, prober, at);
    const kept = perSecond === null ? mine : within(mine, perSecond);
    if (kept.length < mine.length) {
      await leaveShards(
        tx,
        prober,
        mine.slice(kept.length).map(({ shard }) => shard),
        at,
      );
      // The others take what it cannot.
      await renewProber(tx, { ...prober, until, busy: true });
    }
    const { shards, more } = await withTargets(tx, deps, pool, kept, request.shards);
    return { at, leaseMs, shards, more, held: kept.length === 0 ? [] : await listHeldTargets(tx, id) };
  });
}

/** Gives back all shards of a prober: others take them at once. */
export async function leaveProbing(deps: LeaseDeps, pool: ProbePool, proberId: string): Promise<void> {
  await deps.database.transaction((tx) => removeProbers(tx, { id: proberId, pool }, deps.clock().toISOString()));
}

type RatedShard = ShardLease & { perSecond: number };

/** Takes the share of a prober, or gives back what is more than it. */
async function share(tx: Transaction, prober: { id: string; pool: ProbePool }, at: string): Promise<RatedShard[]> {
  const { shards, others } = await countShards(tx, prober.pool, prober.id);
  const fair = Math.ceil(shards / (others + 1));
  const all = await listShards(tx, prober.id);
  const mine = all.filter(({ perSecond }) => perSecond > 0);
  const kept = mine.slice(0, fair);
  const left = all.filter((shard) => !kept.includes(shard)).map(({ shard }) => shard);
  if (left.length > 0) await leaveShards(tx, prober, left, at);
  if (kept.length === fair || left.length > 0) return kept;
  await claimShards(tx, prober, fair - kept.length);
  return listShards(tx, prober.id);
}

/** Returns the first shards that a prober can do, and always one. */
function within(shards: readonly RatedShard[], perSecond: number): readonly RatedShard[] {
  let sum = 0;
  const end = shards.findIndex((shard, index) => {
    sum += shard.perSecond;
    return index > 0 && sum > perSecond;
  });
  return end === -1 ? shards : shards.slice(0, end);
}

/** Adds the targets of shards that the prober does not know, of some at a time. */
async function withTargets(
  tx: Transaction,
  { cipher }: LeaseDeps,
  pool: ProbePool,
  shards: readonly RatedShard[],
  known: readonly ShardLease[],
): Promise<Pick<LeaseAnswer, "shards" | "more">> {
  const before = new Map(known.map((one) => [one.shard, one]));
  const isKnown = ({ shard, fence, version }: ShardLease): boolean => {
    const one = before.get(shard);
    return one !== undefined && one.fence === fence && one.version === version;
  };
  const unknown = shards.filter((shard) => !isKnown(shard)).map(({ shard }) => shard);
  const read = unknown.slice(0, HEALTH_LIMITS.shardsAtOnce);
  const later = new Set(unknown.slice(HEALTH_LIMITS.shardsAtOnce));
  const targets = read.length === 0 ? [] : await listTargetsOfShards(tx, cipher, pool, read);
  const byShard = Map.groupBy(targets, ({ shard }) => shard);
  const leased = shards
    // One whose targets have changed stays the prober's until they come.
    .filter(({ shard, fence }) => !later.has(shard) || before.get(shard)?.fence === fence)
    .map(({ shard, fence, version }) => {
      const isRead = read.includes(shard);
      return { shard, fence, version, targets: isRead ? (byShard.get(shard) ?? []).flatMap(toLeased) : null };
    });
  return { shards: leased, more: later.size > 0 };
}

function toLeased(target: StoredTarget): LeasedTarget[] {
  const { id, request, intervalMs, state, absent, sampledAt } = target;
  if (request === null) return [];
  const { phase, bucketOffsetMs } = placeOfTarget(target);
  return [{ id, intervalMs, phase, bucketOffsetMs, request, state, absent, sampledAt }];
}
