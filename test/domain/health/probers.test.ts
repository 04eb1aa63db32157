/** Probers that share targets, are lost, are late, or lie: leases, fences and reports. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepBuckets } from "../../../src/domain/health/keep-buckets.ts";
import { ProberConflict } from "../../../src/domain/health/lease-shards.ts";
import { createProberDesk } from "../../../src/domain/health/prober-desk.ts";
import { HEALTH_LIMITS } from "../../../src/model/health/health-limits.ts";
import { packSamples } from "../../../src/model/health/bucket.ts";
import type { HealthReport, LeaseAnswer, LeasedTarget, ProberDesk } from "../../../src/model/health/prober-desk.ts";
import { bucketStartMs, placeOfTarget } from "../../../src/model/health/target-hash.ts";
import { NEW_TARGET, type TargetState, withTargetSample } from "../../../src/model/health/target-state.ts";
import { appliedWorkspace, GREEN, type HealthSteps, healthSteps, RED } from "../../support/health-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

let scene: Scene;
let steps: HealthSteps;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(() => {
  steps = healthSteps(scene);
});
afterEach(async () => {
  await steps[Symbol.asyncDispose]();
  await scene.rows("delete from probe");
  await steps.follow();
  await scene.rows("delete from prober");
  await scene.rows("delete from probe_shard");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const urlOf = (index: number): string => `https://t${index}.test/`;
const probes = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_none, index) => {
    return { name: `p${index}`, kind: "HTTP", use: "HEALTH", from: "SERVER", target: `${urlOf(index)}h`, ...more };
  });

async function watched(count: number, more: object = {}): Promise<string> {
  const workspaceId = await appliedWorkspace(scene, probes(count, more));
  await steps.follow();
  return workspaceId;
}

const state = (...samples: (typeof RED)[]): TargetState => samples.reduce(withTargetSample, NEW_TARGET);
const UP = state(GREEN, GREEN, GREEN);
const DOWN = state(RED, RED, RED);
const iso = (ms = 0): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();
const desk = (): ProberDesk => createProberDesk(scene.server.deps, "public");
const lease = (proberId: string, more: object = {}): Promise<LeaseAnswer> =>
  desk().lease({ proberId, perSecond: null, shards: [], ...more });

function targetsOf({ shards }: LeaseAnswer): LeasedTarget[] {
  return shards.flatMap(({ targets }) => targets ?? []);
}

/** Returns the beginning of the bucket of a target that an instant is in: now, or another. */
function bucketStart({ bucketOffsetMs }: LeasedTarget, at = iso()): string {
  return new Date(bucketStartMs(Date.parse(at), bucketOffsetMs)).toISOString();
}

function firstTargetOf(answer: LeaseAnswer): LeasedTarget {
  return targetsOf(answer)[0] ?? expect.fail("There is no target.");
}

/** A report of one target of a lease. */
function reportOf(
  proberId: string,
  answer: LeaseAnswer,
  more: Partial<HealthReport["changes"][number]> = {},
): HealthReport {
  const target = firstTargetOf(answer);
  const changes = [{ targetId: target.id, at: iso(), state: UP, latencyMs: 1, ...more }];
  return { proberId, shards: answer.shards, changes, buckets: [] };
}

const refusalsOf = async (report: HealthReport): Promise<string[]> =>
  (await desk().report(report)).refused.map(({ refusal }) => refusal);
const statuses = async (workspaceId: string): Promise<string[]> =>
  (await scene.rows("select status from probe_target where workspace_id = $1 order by id", workspaceId)).map(
    ({ status }) => status,
  );

describe("a lease", () => {
  it("gives all shards to one prober, and its targets once", async () => {
    await watched(20);
    const first = await lease("a");
    expect(targetsOf(first)).toHaveLength(20);
    const again = await lease("a", { shards: first.shards });
    expect(again.shards.map(({ shard }) => shard)).toEqual(first.shards.map(({ shard }) => shard));
    expect(again.shards.every(({ targets }) => targets === null)).toBe(true);
  });

  it("gives the targets of many shards in steps, and keeps a shard whose targets have changed", async () => {
    const workspaceIds = [await watched(20), await watched(20), await watched(20)];
    const first = await lease("a");
    expect(first.shards).toHaveLength(32);
    expect(first.more).toBe(true);
    const second = await lease("a", { shards: first.shards });
    expect(second.more).toBe(false);
    expect(targetsOf(first).length + targetsOf(second).length).toBe(60);
    for (const workspaceId of workspaceIds) {
      await scene.quick("updateWorkspace", { workspaceId, probes: probes(20, { intervalSeconds: 60 }) });
    }
    await steps.follow();
    const changed = await lease("a", { shards: second.shards });
    expect(changed.more).toBe(true);
    expect(changed.shards.map(({ shard }) => shard)).toEqual(second.shards.map(({ shard }) => shard));
    const last = await lease("a", { shards: changed.shards.filter(({ targets }) => targets !== null) });
    expect([...targetsOf(changed), ...targetsOf(last)].map(({ intervalMs }) => intervalMs)).toEqual(
      Array.from({ length: 60 }, () => 60_000),
    );
  });

  it("is shared fairly with a second prober, and no shard is at two", async () => {
    await watched(20);
    const all = (await lease("a")).shards.length;
    await lease("b");
    const a = await lease("a");
    const b = await lease("b");
    const shards = [...a.shards, ...b.shards].map(({ shard }) => shard);
    expect(new Set(shards).size).toBe(all);
    expect(shards).toHaveLength(all);
    expect(Math.abs(a.shards.length - b.shards.length)).toBeLessThanOrEqual(1);
  });

  it("ends after 45 s without a heartbeat; a new one has another fence", async () => {
    await watched(5);
    const before = await lease("a");
    scene.server.advance(44 * SECOND);
    expect((await lease("b")).shards.length).toBeLessThan(before.shards.length);
    await desk().leave("b");
    scene.server.advance(2 * SECOND);
    const after = await lease("b");
    expect(after.shards.map(({ shard }) => shard)).toEqual(before.shards.map(({ shard }) => shard));
    const fences = new Map(before.shards.map(({ shard, fence }) => [shard, fence]));
    for (const { shard, fence } of after.shards) expect(fence).toBeGreaterThan(fences.get(shard) ?? 0);
  });

  it("that was written by a clock of the future ends at once", async () => {
    await watched(3);
    scene.server.advance(24 * 3600 * SECOND);
    await lease("a");
    scene.server.advance(-24 * 3600 * SECOND);
    expect(targetsOf(await lease("b"))).toHaveLength(3);
  });

  it("of a prober with a limit has no more than that, and the others take the rest", async () => {
    await watched(20, { intervalSeconds: 10 });
    const limited = await lease("a", { perSecond: 0.5 });
    expect(targetsOf(limited).length).toBeLessThanOrEqual(5);
    expect(limited.shards.length).toBeGreaterThan(0);
    const other = await lease("b");
    expect(targetsOf(limited).length + targetsOf(other).length).toBe(20);
  });

  it("shows the new targets of a shard", async () => {
    const workspaceId = await watched(3);
    const first = await lease("a");
    await scene.quick("updateWorkspace", { workspaceId, probes: probes(3, { intervalSeconds: 60 }) });
    await steps.follow();
    const again = await lease("a", { shards: first.shards });
    expect(targetsOf(again).map(({ intervalMs }) => intervalMs)).toEqual([60_000, 60_000, 60_000]);
  });

  it("is refused to a prober of another pool with the same id", async () => {
    await watched(1);
    await watched(1, { from: "RUNNERS" });
    await lease("a");
    const other = createProberDesk(scene.server.deps, "shared");
    await expect(other.lease({ proberId: "a", perSecond: null, shards: [] })).rejects.toThrow(ProberConflict);
  });
});

describe("a report", () => {
  it("of a shard that another prober has by now is refused, with its buckets", async () => {
    const workspaceId = await watched(1);
    const old = await lease("a");
    scene.server.advance(60 * SECOND);
    const current = await lease("b");
    expect(await refusalsOf(reportOf("b", current))).toEqual([]);
    expect(await refusalsOf(reportOf("a", old, { at: iso(1), state: DOWN }))).toEqual(["LOST"]);
    // It is a prober again, but what it has in its hands is of the lease before.
    await lease("a");
    expect(await refusalsOf(reportOf("a", old, { at: iso(1), state: DOWN }))).toEqual(["LOST"]);
    expect(await statuses(workspaceId)).toEqual(["HEALTHY"]);
    const target = firstTargetOf(current);
    const samples = Buffer.from(packSamples([{ second: 0, failure: null, latencyMs: 1, held: false }])).toString(
      "base64",
    );
    const bucket = { targetId: target.id, from: bucketStart(target), samples };
    const late = await desk().report({ proberId: "a", shards: old.shards, changes: [], buckets: [bucket] });
    expect(late.refusedBuckets).toBe(1);
    const own = { proberId: "b", shards: current.shards, changes: [], buckets: [bucket] };
    expect((await desk().report(own)).refusedBuckets).toBe(0);
    // Twice.
    expect((await desk().report(own)).refusedBuckets).toBe(1);
  });

  it("with a guessed fence, or of a prober that is not known, is refused", async () => {
    await watched(1);
    const answer = await lease("a");
    const report = reportOf("a", answer);
    const shards = answer.shards.map(({ shard, fence }) => ({ shard, fence: fence + 1 }));
    expect(await refusalsOf({ ...report, shards })).toEqual(["LOST"]);
    expect(await refusalsOf({ ...report, proberId: "nobody" })).toEqual(["LOST"]);
    expect(await refusalsOf({ ...report, shards: [] })).toEqual(["LOST"]);
  });

  it("that comes twice changes nothing the second time", async () => {
    const workspaceId = await watched(1);
    const report = reportOf("a", await lease("a"));
    expect(await refusalsOf(report)).toEqual([]);
    expect(await refusalsOf(report)).toEqual(["STALE"]);
    const events = await scene.rows(
      "select id from workspace_event where workspace_id = $1 and health is not null",
      workspaceId,
    );
    expect(events).toHaveLength(1);
  });

  it("of the future is refused; an old one is, once a newer one is known", async () => {
    const workspaceId = await watched(1);
    const answer = await lease("a");
    expect(await refusalsOf(reportOf("a", answer, { at: iso(60 * SECOND) }))).toEqual(["FUTURE"]);
    expect(await refusalsOf(reportOf("a", answer, { at: "never" }))).toEqual(["INVALID"]);
    expect(await refusalsOf(reportOf("a", answer))).toEqual([]);
    expect(await refusalsOf(reportOf("a", answer, { at: iso(-10 * SECOND), state: DOWN }))).toEqual(["STALE"]);
    expect(await statuses(workspaceId)).toEqual(["HEALTHY"]);
  });

  it("goes on counting after the server's clock was put back", async () => {
    const workspaceId = await watched(1);
    scene.server.advance(3600 * SECOND);
    expect(await refusalsOf(reportOf("a", await lease("a")))).toEqual([]);
    scene.server.advance(-3600 * SECOND);
    const again = await lease("a");
    expect(await refusalsOf(reportOf("a", again, { state: DOWN }))).toEqual([]);
    expect(await statuses(workspaceId)).toEqual(["UNREACHABLE"]);
  });

  it("about a target of another pool, or none, is refused", async () => {
    await watched(1);
    const answer = await lease("a");
    expect(await refusalsOf(reportOf("a", answer, { targetId: 1_999_999 }))).toEqual(["GONE"]);
    const other = createProberDesk(scene.server.deps, "shared");
    const refused = (await other.report(reportOf("a", answer))).refused.map(({ refusal }) => refusal);
    expect(refused).toEqual(["GONE"]);
  });

  it("has no bucket that is none, of the future, of long ago, or that begins where none of its target does", async () => {
    await watched(1);
    const answer = await lease("a");
    const target = firstTargetOf(answer);
    const targetId = target.id;
    const good = Buffer.from(packSamples([{ second: 9, failure: "TIMEOUT", latencyMs: null, held: false }]));
    const samples = good.toString("base64");
    const from = bucketStart(target, iso(-400 * SECOND));
    const misaligned = new Date(Date.parse(from) + SECOND).toISOString();
    const bad = [
      { targetId, from, samples: "AAA=" },
      { targetId, from, samples: "" },
      { targetId, from: bucketStart(target, iso(400 * SECOND)), samples },
      { targetId, from: bucketStart(target, iso(-25 * HOUR)), samples },
      { targetId, from: misaligned, samples },
      { targetId, from: "yesterday", samples },
      { targetId: 1_999_999, from, samples },
    ];
    const buckets = [...bad, { targetId, from, samples }];
    const report = { proberId: "a", shards: answer.shards, changes: [], buckets };
    expect((await desk().report(report)).refusedBuckets).toBe(bad.length);
    const stored = await scene.rows("select bucket_at from health_bucket where target_id = $1", targetId);
    expect(stored).toEqual([{ bucket_at: from }]);
  });

  it("of a later prober adds to the bucket of the one before", async () => {
    await watched(1);
    const bucket = (seconds: number[], targetId: number, from: string): HealthReport["buckets"][number] => {
      const samples = seconds.map((second) => ({ second, failure: null, latencyMs: second, held: false }));
      return { targetId, from, samples: Buffer.from(packSamples(samples)).toString("base64") };
    };
    const a = await lease("a");
    const target = firstTargetOf(a);
    const targetId = target.id;
    const from = bucketStart(target);
    await desk().report({ proberId: "a", shards: a.shards, changes: [], buckets: [bucket([1, 2], targetId, from)] });
    await desk().leave("a");
    const b = await lease("b");
    const second = { proberId: "b", shards: b.shards, changes: [], buckets: [bucket([60, 90, 99], targetId, from)] };
    expect((await desk().report(second)).refusedBuckets).toBe(0);
    await desk().report(second);
    const rows = await scene.rows(
      "select samples, max_ms, length(packed) as bytes from health_bucket where target_id = $1",
      targetId,
    );
    expect(rows).toEqual([{ samples: 5, max_ms: 99, bytes: 20 }]);
  });
});

describe("a bucket that comes late", () => {
  let toMorning = 0;
  beforeEach(async () => {
    // Four hours after midnight: the day before is over, and an hour of it is five hours ago.
    toMorning = 28 * HOUR - (scene.server.deps.clock().getTime() % (24 * HOUR));
    scene.server.advance(toMorning);
    await scene.rows("delete from health_rollup");
  });
  afterEach(async () => {
    for (const table of ["health_bucket", "health_hour", "health_day", "health_rollup"]) {
      await scene.rows(`delete from ${table}`);
    }
    scene.server.advance(-toMorning);
  });

  /** Returns a function that reports the bucket of a number in an hour, and one that reads the figures of hours and days. */
  async function probed(hour: string, leastOffsetMs = 0) {
    const workspaceId = await watched(1);
    const names = Array.from({ length: 10_000 }, (_none, index) => `q${index}`);
    const name = names.find(
      (probe) => placeOfTarget({ workspaceId, probe, number: 0 }).bucketOffsetMs >= leastOffsetMs,
    );
    await scene.quick("updateWorkspace", { workspaceId, probes: probes(1, { name }) });
    await steps.follow();
    const answer = await lease("a");
    const { id: targetId, bucketOffsetMs } = firstTargetOf(answer);
    const report = (number: number, failures: ("TIMEOUT" | null)[]): Promise<unknown> => {
      const samples = failures.map((failure, second) => ({ second, failure, latencyMs: 7 + second, held: false }));
      const from = new Date(Date.parse(hour) + bucketOffsetMs + number * HEALTH_LIMITS.bucketMs).toISOString();
      const bucket = { targetId, from, samples: Buffer.from(packSamples(samples)).toString("base64") };
      return desk().report({ proberId: "a", shards: answer.shards, changes: [], buckets: [bucket] });
    };
    const figures = async (unit: string, at: string): Promise<unknown[]> =>
      scene.rows(
        `select samples, bad, max_ms from health_${unit} where target_id = $1 and bucket_at = $2`,
        targetId,
        at,
      );
    return { report, figures };
  }

  it("is added to an hour and a day that were added up without it, once", async () => {
    const hour = iso(-5 * HOUR);
    const day = new Date(Date.parse(hour) - 23 * HOUR).toISOString();
    const { report, figures } = await probed(hour);
    await report(0, [null]);
    await keepBuckets(scene.server.deps);
    expect(await figures("hour", hour)).toEqual([{ samples: 1, bad: 0, max_ms: 7 }]);
    expect(await figures("day", day)).toEqual([{ samples: 1, bad: 0, max_ms: 7 }]);
    for (const _twice of [1, 2]) {
      await report(1, [null, "TIMEOUT"]);
      expect(await figures("hour", hour)).toEqual([{ samples: 3, bad: 1, max_ms: 8 }]);
      expect(await figures("day", day)).toEqual([{ samples: 3, bad: 1, max_ms: 8 }]);
    }
  });

  it("is added to an hour that was added up by a server whose clock is ahead", async () => {
    const hour = iso(-HOUR);
    const { report, figures } = await probed(hour, 290 * SECOND);
    const { deps } = scene.server;
    // The last bucket of the hour began in its last ten seconds.
    const waitedMs = HEALTH_LIMITS.lateBucketMs - HEALTH_LIMITS.clocksApartMs / 2;
    scene.server.advance(waitedMs);
    await report(0, [null]);
    await keepBuckets({ ...deps, clock: () => new Date(Date.parse(hour) + HOUR + HEALTH_LIMITS.lateBucketMs) });
    expect(await figures("hour", hour)).toEqual([{ samples: 1, bad: 0, max_ms: 7 }]);
    await report(11, [null, null]);
    scene.server.advance(-waitedMs);
    expect(await figures("hour", hour)).toEqual([{ samples: 3, bad: 0, max_ms: 8 }]);
  });
});

describe("probers that come and go", () => {
  /** The longest time for which a target was not probed, from the first probe of it to now. */
  function longestGapMs(fromMs: number): number {
    const now = scene.server.deps.clock().getTime();
    const byUrl = Map.groupBy(
      steps.sent.filter(({ atMs }) => atMs >= fromMs),
      ({ url }) => url,
    );
    return Math.max(
      ...[...byUrl.values()].flatMap((list) => {
        const times = [...list.map(({ atMs }) => atMs), now];
        return times.slice(1).map((at, index) => at - (times[index] ?? at));
      }),
    );
  }

  it("leave no target without a probe for 90 s, if one of three is killed", async () => {
    await watched(20);
    const killed = await steps.start("a");
    await steps.start("b");
    await steps.start("c");
    await steps.pass(60);
    const before = new Set(steps.sent.filter(({ by }) => by === "a").map(({ url }) => url));
    expect(before.size).toBeGreaterThan(0);
    const killedAt = scene.server.deps.clock().getTime();
    killed.kill();
    await steps.pass(150);
    expect(longestGapMs(killedAt - 30_000)).toBeLessThanOrEqual(90_000);
    expect(steps.sent.some(({ url, by, atMs }) => atMs > killedAt && by !== "a" && before.has(url))).toBe(true);
    expect(new Set(steps.sent.filter(({ atMs }) => atMs > killedAt + 60_000).map(({ url }) => url)).size).toBe(20);
  });

  it("hand over at once, if one is stopped", async () => {
    await watched(10);
    const a = await steps.start("a");
    await steps.start("b");
    await steps.pass(60);
    const stoppedAt = scene.server.deps.clock().getTime();
    await a.stop();
    await steps.pass(60);
    expect(longestGapMs(stoppedAt - 30_000)).toBeLessThanOrEqual(45_000);
  });

  it("are never an outage: health stays for three intervals, then it is UNKNOWN, and comes back", async () => {
    const workspaceId = await watched(1);
    const a = await steps.start("a");
    await steps.pass(40);
    expect((await steps.health(workspaceId))?.health).toBe("HEALTHY");
    a.kill();
    await steps.pass(85);
    expect((await steps.health(workspaceId))?.health).toBe("HEALTHY");
    await steps.pass(10);
    expect(await steps.health(workspaceId)).toEqual({
      health: "UNKNOWN",
      reason: "The probe p0: No server probes it at the moment.",
    });
    await steps.start("b");
    await steps.pass(15);
    expect((await steps.health(workspaceId))?.health).toBe("HEALTHY");
  });

  it("keep the counters: two bad samples before a kill and one after it are three", async () => {
    const workspaceId = await watched(1);
    const a = await steps.start("a");
    await steps.pass(40);
    steps.answers.set(`${urlOf(0)}h`, RED);
    const { length } = steps.sent;
    while (steps.sent.length < length + 2) await steps.pass(1);
    await a.prober.report();
    a.kill();
    const atKill = steps.sent.length;
    await steps.start("b");
    while (steps.sent.length === atKill) await steps.pass(1);
    await steps.pass(5);
    expect(steps.sent.length).toBeLessThanOrEqual(atKill + 2);
    expect((await steps.health(workspaceId))?.health).toBe("UNREACHABLE");
  });

  it("report later what they could not report", async () => {
    const workspaceId = await watched(1);
    const { prober } = await steps.start("a");
    await steps.pass(10);
    // The lease is lost without the prober knowing it, and comes back.
    await scene.rows("update prober set lease_until = '2000-01-01'");
    await steps.pass(60);
    expect(prober.targets).toBe(1);
    expect((await steps.health(workspaceId))?.health).toBe("HEALTHY");
  });
});
