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

/** A timer of a target; an older turn than that of the target is void. */
interface Timer {
  id: number;
  turn: number;
  dueMs: number;
}

interface Watched {
  target: WatchedTarget;
  host: string;
  turn: number;
}

/** Creates a prober that does nothing on its own. */
export function createHealthProber(options: HealthProberOptions): HealthProber {
  const { desk, prober, proberId, perSecond, now, onChange, onStart } = options;
  const stop = new AbortController();
  const queue = createHostQueue(HEALTH_LIMITS);
  const wheel = createTimerWheel<Timer>(HEALTH_LIMITS.tickMs, now());
  const shards = new Map<number, ShardLease>();
  const watched = new Map<number, Watched>();
  const closed: (ClosedBucket & { shard: number })[] = [];
  /** The time of the server is `now` and this. */
  let offsetMs = 0;
  let leasedUntilMs = 0;

  const serverMs = (): number => now() + offsetMs;

  function schedule(one: Watched, dueMs: number): void {
    one.turn++;
    wheel.add(dueMs, { id: one.target.leased.id, turn: one.turn, dueMs });
  }

  function scheduleNext(one: Watched): void {
    const { state, leased } = one.target;
    const next = nextSample(state, leased.intervalMs);
    if (next.type === "QUICK") return schedule(one, now() + next.afterMs);
    schedule(one, nextRegularMs(serverMs(), next.intervalMs, leased.phase) - offsetMs);
  }

  async function probe(one: Watched, { turn, dueMs }: Timer): Promise<void> {
    // It was given back, or has another request, while it waited for its host.
    if (one.turn !== turn || watched.get(one.target.leased.id) !== one) return;
    onStart?.(now() - dueMs);
    const atMs = serverMs();
    const sample = await prober.probe(one.target.leased.request, stop.signal).catch(() => null);
    if (sample === null || one.turn !== turn || watched.get(one.target.leased.id) !== one) return;
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
    for (const { target } of watched.values()) {
      const bucket = closeBucket(target, at, all);
      if (bucket !== null) keepBucket(target, bucket);
    }
  }

  function takeReport(): { report: HealthReport; sent: WatchedTarget[] } | null {
    const sent = [...watched.values()].flatMap(({ target }) => (target.changed === null ? [] : [target]));
    const some = sent.slice(0, HEALTH_LIMITS.reportEntries);
    const buckets = closed.splice(0, HEALTH_LIMITS.reportEntries);
    if (some.length === 0 && buckets.length === 0) return null;
    const changes = some.flatMap(({ leased, state, changed }) =>
      changed === null ? [] : [{ targetId: leased.id, state, ...changed }],
    );
    const concerned = new Set([...some, ...buckets].map(({ shard }) => shard));
    const fences = [...shards.values()].filter(({ shard }) => concerned.has(shard));
    return {
      report: {
        proberId,
        shards: fences.map(({ shard, fence }) => ({ shard, fence })),
        changes,
        buckets: buckets.map(({ targetId, from, samples }) => ({ targetId, from, samples })),
      },
      sent: some,
    };
  }

  function takeAnswer(changes: HealthReport["changes"], sent: readonly WatchedTarget[], answer: ReportAnswer): void {
    const refusals = new Map(answer.refused.map(({ targetId, refusal }) => [targetId, refusal]));
    const states = new Map(changes.map(({ targetId, state }) => [targetId, state]));
    for (const target of sent) {
      const { id } = target.leased;
      const state = states.get(id) ?? target.state;
      const refusal = refusals.get(id) ?? null;
      // A state that is known already was taken, and the answer was lost.
      if (refusal === null || refusal === "STALE") acknowledge(target, state);
      else if (refusal === "HELD") holdTarget(target, true);
      else if (refusal === "LOST" || refusal === "GONE") watched.delete(id);
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
    for (const { target } of watched.values()) holdTarget(target, held.has(target.leased.id));
  }

  function drop(shard: number): void {
    shards.delete(shard);
    for (const [id, { target }] of watched) {
      if (target.shard === shard) watched.delete(id);
    }
  }

  function takeShard({ shard, fence, version, targets }: LeasedShard): void {
    // It was another's meanwhile: what this prober remembers is older than what the server has.
    if (shards.get(shard)?.fence !== fence) drop(shard);
    if (targets === null) return;
    shards.set(shard, { shard, fence, version });
    const ids = new Set(targets.map(({ id }) => id));
    for (const [id, { target }] of watched) {
      if (target.shard === shard && !ids.has(id)) watched.delete(id);
    }
    for (const leased of targets) takeTarget(leased, shard);
  }

  function takeTarget(leased: LeasedTarget, shard: number): void {
    const before = watched.get(leased.id)?.target;
    if (before !== undefined && isSameTarget(before.leased, leased)) return;
    const target = watchTarget(leased, shard);
    const one = { target, host: hostOf(leased.request), turn: 0 };
    watched.set(leased.id, one);
    // It may be overdue: its last prober may be gone for some time.
    schedule(one, now() + leased.phase * Math.min(leased.intervalMs, HEALTH_LIMITS.catchUpMs));
  }

  async function report(all = false): Promise<void> {
    closeBuckets(all);
    for (let taken = takeReport(); taken !== null; taken = takeReport()) {
      const { buckets, changes } = taken.report;
      try {
        takeAnswer(changes, taken.sent, await desk.report(taken.report));
      } catch (error) {
        const byId = new Map([...watched.values()].map(({ target }) => [target.leased.id, target.shard]));
        closed.unshift(...buckets.flatMap((one) => withShard(one, byId.get(one.targetId))));
        throw error;
      }
    }
  }

  return {
    tick() {
      // Another prober has them by now; its reports would be refused.
      if (shards.size > 0 && now() > leasedUntilMs) for (const shard of shards.keys()) drop(shard);
      for (const timer of wheel.take(now())) {
        const one = watched.get(timer.id);
        if (one !== undefined && one.turn === timer.turn) queue.add(one.host, () => probe(one, timer));
      }
    },
    report,
    async lease() {
      const sentMs = now();
      const answer = await desk.lease({ proberId, perSecond, shards: [...shards.values()] });
      if (!stop.signal.aborted) takeLease(answer, sentMs);
    },
    get targets() {
      return watched.size;
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

function withShard(bucket: ClosedBucket, shard: number | undefined): (ClosedBucket & { shard: number })[] {
  return shard === undefined ? [] : [{ ...bucket, shard }];
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
