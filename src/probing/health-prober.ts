/** Probes leased targets at their intervals, and reports what changes. It keeps everything in memory. */
import { HEALTH_LIMITS } from "../model/health/health-limits.ts";
import type {
  ClosedBucket,
  HealthReport,
  LeaseAnswer,
  LeasedShard,
  LeasedTarget,
  ProberDesk,
  ReportAnswer,
  ShardLease,
} from "../model/health/prober-desk.ts";
import { nextRegularMs } from "../model/health/target-hash.ts";
import { nextSample } from "../model/health/target-state.ts";
import { createTimerWheel } from "../model/health/timer-wheel.ts";
import {
  acknowledge,
  addSample,
  closeBucket,
  holdTarget,
  type OpenBucket,
  packBucket,
  type WatchedTarget,
  watchTarget,
} from "../model/health/watched-target.ts";
import type { ProbeRequest } from "../model/probe/probe-request.ts";
import type { Prober } from "../model/probe/prober.ts";
import { createHostQueue } from "./host-queue.ts";

export interface HealthProberOptions {
  desk: ProberDesk;
  prober: Pick<Prober, "probe">;
  proberId: string;
  /** The highest number of probes a second; `null`: any. */
  perSecond: number | null;
  /** Milliseconds of a clock that does not jump. */
  now: () => number;
  /** Called when there is something to report at once. */
  onChange?: () => void;
  /** Called with the milliseconds by which a probe began late. */
  onStart?: (lateMs: number) => void;
}

export interface HealthProber extends AsyncDisposable {
  /** Begins the probes that are due. */
  tick(): void;
  /** Reports changes and closed buckets. */
  report(): Promise<void>;
  /** Renews the lease, and takes the targets that come with it. */
  lease(): Promise<void>;
  /** The number of targets. */
  readonly targets: number;
}

interface Watched {
  readonly target: WatchedTarget;
  readonly host: string;
  /** Counts its timers: an older one is void. */
  turn: number;
}

/** A timer of a target. */
interface Timer {
  readonly one: Watched;
  readonly turn: number;
  readonly dueMs: number;
}

/** A shard that the prober has, with its targets by id. */
interface HeldShard {
  lease: ShardLease;
  readonly targets: Map<number, Watched>;
}

/** Leases in a row that give all shards. */
const LEASES = Math.ceil(HEALTH_LIMITS.shards / HEALTH_LIMITS.shardsAtOnce);

type KeptBucket = ClosedBucket & { readonly shard: number };

/** Creates a prober that does nothing on its own. */
export function createHealthProber(options: HealthProberOptions): HealthProber {
  const { desk, prober, proberId, perSecond, now, onChange, onStart } = options;
  const stop = new AbortController();
  const queue = createHostQueue(HEALTH_LIMITS);
  const wheel = createTimerWheel<Timer>(HEALTH_LIMITS.tickMs, now());
  const shards = new Map<number, HeldShard>();
  const closed: KeptBucket[] = [];
  /** The time of the server is `now` and this. */
  let offsetMs = 0;
  let leasedUntilMs = 0;

  const serverMs = (): number => now() + offsetMs;

  function* watched(): Generator<Watched> {
    for (const { targets } of shards.values()) yield* targets.values();
  }

  function schedule(one: Watched, dueMs: number): void {
    one.turn++;
    wheel.add(dueMs, { one, turn: one.turn, dueMs });
  }

  /** Forgets a target: its timer, and a probe that has begun, are void. */
  function forget({ target }: Watched): void {
    const targets = shards.get(target.shard)?.targets;
    const one = targets?.get(target.leased.id);
    if (one === undefined || one.target !== target) return;
    one.turn++;
    targets?.delete(target.leased.id);
  }

  function scheduleNext(one: Watched): void {
    const { state, leased } = one.target;
    const next = nextSample(state, leased.intervalMs);
    if (next.type === "QUICK") return schedule(one, now() + next.afterMs);
    schedule(one, nextRegularMs(serverMs(), next.intervalMs, leased.phase) - offsetMs);
  }

  async function probe({ one, turn, dueMs }: Timer): Promise<void> {
    // It was given back, or has another request, while it waited for its host.
    if (one.turn !== turn) return;
    onStart?.(now() - dueMs);
    const atMs = serverMs();
    const sample = await prober.probe(one.target.leased.request, stop.signal).catch(() => null);
    if (sample === null || one.turn !== turn) return;
    const over = addSample(one.target, { ...sample, atMs: Math.floor(atMs) });
    if (over !== null) keepBucket(one.target, over);
    scheduleNext(one);
    if (one.target.changed !== null) onChange?.();
  }

  function keepBucket({ leased, shard }: WatchedTarget, bucket: OpenBucket): void {
    // The oldest go first: a database that is away must not fill the memory.
    if (closed.length >= HEALTH_LIMITS.keptBuckets) closed.shift();
    const samples = Buffer.from(packBucket(bucket)).toString("base64");
    closed.push({ shard, targetId: leased.id, from: new Date(bucket.startMs).toISOString(), samples });
  }

  function closeBuckets(all: boolean): void {
    const at = serverMs();
    for (const { target } of watched()) {
      const bucket = closeBucket(target, at, all);
      if (bucket !== null) keepBucket(target, bucket);
    }
  }

  function takeReport(): { report: HealthReport; sent: Watched[]; buckets: KeptBucket[] } | null {
    const sent: Watched[] = [];
    for (const one of watched()) {
      if (one.target.changed !== null && sent.length < HEALTH_LIMITS.reportEntries) sent.push(one);
    }
    const buckets = closed.splice(0, HEALTH_LIMITS.reportEntries);
    if (sent.length === 0 && buckets.length === 0) return null;
    const changes = sent.flatMap(({ target: { leased, state, changed } }) =>
      changed === null ? [] : [{ targetId: leased.id, state, ...changed }],
    );
    const concerned = new Set([...sent.map(({ target }) => target.shard), ...buckets.map(({ shard }) => shard)]);
    const fences = [...concerned].flatMap((shard) => {
      const held = shards.get(shard);
      return held === undefined ? [] : [{ shard, fence: held.lease.fence }];
    });
    const packed = buckets.map(({ targetId, from, samples }) => ({ targetId, from, samples }));
    return { report: { proberId, shards: fences, changes, buckets: packed }, sent, buckets };
  }

  function takeAnswer(changes: HealthReport["changes"], sent: readonly Watched[], answer: ReportAnswer): void {
    const refusals = new Map(answer.refused.map(({ targetId, refusal }) => [targetId, refusal]));
    const states = new Map(changes.map(({ targetId, state }) => [targetId, state]));
    for (const one of sent) {
      const { target } = one;
      const { id } = target.leased;
      const state = states.get(id) ?? target.state;
      const refusal = refusals.get(id) ?? null;
      // A state that is known already was taken, and the answer was lost.
      if (refusal === null || refusal === "STALE") acknowledge(target, state);
      else if (refusal === "HELD") holdTarget(target, true);
      else if (refusal === "LOST" || refusal === "GONE") forget(one);
      // FUTURE, INVALID: the next sample is another attempt, by the clock of the next lease.
      else target.changed = null;
    }
  }

  function takeLease(answer: LeaseAnswer, sentMs: number): void {
    offsetMs = Date.parse(answer.at) - now();
    leasedUntilMs = sentMs + answer.leaseMs;
    const own = new Map(answer.shards.map((shard) => [shard.shard, shard]));
    for (const shard of shards.keys()) {
      if (!own.has(shard)) drop(shard);
    }
    for (const shard of answer.shards) takeShard(shard);
    const held = new Set(answer.held);
    for (const { target } of watched()) holdTarget(target, held.has(target.leased.id));
  }

  function drop(shard: number): void {
    for (const one of shards.get(shard)?.targets.values() ?? []) one.turn++;
    shards.delete(shard);
  }

  function takeShard({ shard, fence, version, targets }: LeasedShard): void {
    // It was another's meanwhile: what this prober remembers is older than what the server has.
    if (shards.get(shard)?.lease.fence !== fence) drop(shard);
    if (targets === null) return;
    const lease = { shard, fence, version };
    const held = shards.get(shard) ?? { lease, targets: new Map<number, Watched>() };
    held.lease = lease;
    shards.set(shard, held);
    const ids = new Set(targets.map(({ id }) => id));
    for (const one of held.targets.values()) {
      if (!ids.has(one.target.leased.id)) forget(one);
    }
    for (const leased of targets) takeTarget(held, leased);
  }

  function takeTarget({ lease: { shard }, targets }: HeldShard, leased: LeasedTarget): void {
    const before = targets.get(leased.id);
    if (before !== undefined && isSameTarget(before.target.leased, leased)) return;
    if (before !== undefined) forget(before);
    const one = { target: watchTarget(leased, shard), host: hostOf(leased.request), turn: 0 };
    targets.set(leased.id, one);
    // It may be overdue: its last prober may be gone for some time.
    schedule(one, now() + leased.phase * Math.min(leased.intervalMs, HEALTH_LIMITS.catchUpMs));
  }

  async function report(all = false): Promise<void> {
    closeBuckets(all);
    for (let taken = takeReport(); taken !== null; taken = takeReport()) {
      const { report: sending, sent, buckets } = taken;
      try {
        takeAnswer(sending.changes, sent, await desk.report(sending));
      } catch (error) {
        closed.unshift(...buckets);
        throw error;
      }
    }
  }

  return {
    tick() {
      // Another prober has them by now; its reports would be refused.
      if (shards.size > 0 && now() > leasedUntilMs) for (const shard of shards.keys()) drop(shard);
      for (const timer of wheel.take(now())) {
        if (timer.one.turn === timer.turn) queue.add(timer.one.host, () => probe(timer));
      }
    },
    report,
    async lease() {
      let isMore = true;
      // As often as all shards take: targets that change all the time wait for the next heartbeat.
      for (let turn = 0; isMore && turn < LEASES && !stop.signal.aborted; turn++) {
        const sentMs = now();
        const known = [...shards.values()].map(({ lease }) => lease);
        const answer = await desk.lease({ proberId, perSecond, shards: known });
        if (!stop.signal.aborted) takeLease(answer, sentMs);
        isMore = answer.more === true;
      }
    },
    get targets() {
      return [...shards.values()].reduce((sum, { targets }) => sum + targets.size, 0);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await queue[Symbol.asyncDispose]();
      // What is not written is lost, or found again by the next prober.
      await report(true).catch(() => undefined);
      await desk.leave(proberId).catch(() => undefined);
    },
  };
}

/** Whether a target is the one that is probed already. Its state is newer here. */
function isSameTarget(a: LeasedTarget, b: LeasedTarget): boolean {
  return a.intervalMs === b.intervalMs && JSON.stringify(a.request) === JSON.stringify(b.request);
}

function hostOf(request: ProbeRequest): string {
  if (request.kind === "TCP" || request.kind === "TLS") return request.host;
  const [url = "http://unknown"] = request.kind === "GRAPHQL" ? [request.url] : request.urls;
  return new URL(url).hostname;
}
