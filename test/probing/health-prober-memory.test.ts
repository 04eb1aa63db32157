/** What a prober of health keeps in memory, and what it sends: its probes are answered by hand. */
import { expect, test } from "vitest";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";
import type { HealthReport, ReportAnswer } from "../../src/model/health/prober-desk.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import type { ProbeSample } from "../../src/model/probe/probe-sample.ts";
import { expectation, httpRequest } from "../support/probe-targets.ts";
import { GOOD, INTERVAL_MS, leasedOf, openProber, shardOf, START, UP } from "../support/prober-rig.ts";

const idsOf = (reports: readonly HealthReport[]) =>
  reports.map(({ changes }) => changes.map(({ targetId }) => targetId));

test("targets begin by their phase, within the time to catch up, and come again at their interval", async () => {
  const { prober, probed, lateness, pass } = openProber({
    shards: [
      shardOf([
        leasedOf(1, { state: UP }),
        leasedOf(2, { state: UP, phase: 0.5 }),
        leasedOf(3, { state: UP, phase: 0.5, intervalMs: 4000 }),
      ]),
    ],
  });
  await prober.lease();
  const urls = (): unknown[] => probed.splice(0).map((request) => ("urls" in request ? request.urls[0] : null));
  await pass(100);
  expect(urls()).toEqual(["http://1.example/"]);
  await pass(1800);
  expect(urls()).toEqual([]);
  await pass(100);
  expect(urls()).toEqual(["http://3.example/"]);
  await pass(2000);
  expect(urls()).toEqual(["http://2.example/"]);
  await pass(8000);
  // 2, 6 and 10 s after a multiple of its interval.
  expect(urls()).toEqual(["http://3.example/", "http://3.example/"]);
  await pass(18_000);
  expect(urls().filter((url) => url !== "http://3.example/")).toEqual(["http://2.example/", "http://1.example/"]);
  expect(Math.max(...lateness)).toBeLessThanOrEqual(100);
  expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
});

test("notes by how much a probe began late", async () => {
  const { prober, lateness, pass } = openProber({ shards: [shardOf([leasedOf(1)])] });
  await prober.lease();
  await pass(700, 700);
  expect(lateness).toEqual([700]);
});

test("calls for a report only if something has changed", async () => {
  const { made, prober, reports, pass } = openProber({
    shards: [shardOf([leasedOf(1, { state: UP }), leasedOf(2, { state: UP, absent: true })])],
  });
  await prober.lease();
  await pass(100);
  // The server does not count the second as probed.
  expect(made.changes).toBe(1);
  await prober.report();
  expect(idsOf(reports)).toEqual([[2]]);
  await pass(INTERVAL_MS);
  expect(made.changes).toBe(1);
  await prober.report();
  expect(reports).toHaveLength(1);
});

test("a report names the fences of the shards that it concerns", async () => {
  const { prober, reports, pass } = openProber({
    shards: [
      shardOf([leasedOf(1), leasedOf(2)], { shard: 1, fence: 11 }),
      shardOf([leasedOf(3, { state: UP })], { shard: 2, fence: 12 }),
    ],
  });
  await prober.lease();
  await pass(100);
  await prober.report();
  expect(reports).toMatchObject([{ proberId: "p", shards: [{ shard: 1, fence: 11 }], buckets: [] }]);
  await pass(HEALTH_LIMITS.bucketMs, 10_000);
  await prober.report();
  const { shards, buckets } = reports.at(-1) ?? expect.fail("There is no report.");
  expect(buckets.map(({ targetId }) => targetId).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  expect(shards).toEqual([
    { shard: 1, fence: 11 },
    { shard: 2, fence: 12 },
  ]);
});

test("what waits for its host is not begun once its target was given back", async () => {
  const request = httpRequest("http://one.example/");
  const targets = Array.from({ length: HEALTH_LIMITS.atOnceHost + 1 }, (_none, id) => leasedOf(id, { request }));
  const { made, prober, probed, lateness, reports, pass } = openProber({ shards: [shardOf(targets)] }, { shards: [] });
  const held = Promise.withResolvers<ProbeSample>();
  made.sample = () => held.promise;
  await prober.lease();
  await pass(100);
  expect(probed).toHaveLength(HEALTH_LIMITS.atOnceHost);
  await prober.lease();
  held.resolve(GOOD);
  await pass(100);
  expect([probed.length, lateness.length]).toEqual([HEALTH_LIMITS.atOnceHost, HEALTH_LIMITS.atOnceHost]);
  // Nor is the answer of those that had begun anything to report.
  await prober.report();
  expect([reports, made.changes]).toEqual([[], 0]);
});

test("a probe that was broken off is no sample", async () => {
  const { made, prober, probed, reports, pass } = openProber({ shards: [shardOf([leasedOf(1)])] });
  made.sample = () => Promise.reject(new Error("stopped"));
  await prober.lease();
  await pass(2 * INTERVAL_MS, 1000);
  await prober.report();
  expect([probed.length, reports]).toEqual([1, []]);
});

test("a shard that was another's meanwhile begins with the state of the server", async () => {
  const first = leasedOf(1);
  const later = leasedOf(1, { state: UP });
  const { prober, reports, pass } = openProber(
    { shards: [shardOf([first])] },
    { shards: [shardOf([later], { fence: 2 })] },
    { shards: [shardOf(null, { fence: 3 })] },
  );
  await prober.lease();
  await pass(100);
  await prober.lease();
  await pass(100);
  await prober.report();
  expect([prober.targets, reports]).toEqual([1, []]);
  // An answer without targets of a shard that it does not know: it has none.
  await prober.lease();
  expect(prober.targets).toBe(0);
});

test("of a shard with another version, targets that are equal go on, others begin again, and the rest is dropped", async () => {
  const changed = leasedOf(2, { request: httpRequest("http://other.example/") });
  const slower = leasedOf(3, { intervalMs: 60_000 });
  const { prober, asked, probed, reports, pass } = openProber(
    { shards: [shardOf([leasedOf(1), leasedOf(2), leasedOf(3), leasedOf(4)])] },
    { shards: [{ ...shardOf([leasedOf(1), changed, slower]), version: 2 }] },
  );
  await prober.lease();
  await pass(100);
  expect(probed).toHaveLength(4);
  await prober.lease();
  await pass(100);
  expect(probed.slice(4)).toEqual([changed.request, slower.request]);
  await prober.report();
  // The first has its sample from before.
  expect(reports[0]?.changes.map(({ targetId, state }) => [targetId, state.samples])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  await prober.lease();
  expect(asked.at(-1)?.shards).toEqual([{ shard: 1, fence: 1, version: 2 }]);
});

test("one answer has a bounded number of leases, however often there are more", async () => {
  const { prober, asked } = openProber({ shards: [], more: true });
  await prober.lease();
  expect(asked).toHaveLength(HEALTH_LIMITS.shards / HEALTH_LIMITS.shardsAtOnce);
});

test("its lease counts from when it was asked for, and its clock is that of the server", async () => {
  const at = new Date(START + 5000).toISOString();
  const { made, prober, reports, pass } = openProber({ at, leaseMs: 10_000, shards: [shardOf([leasedOf(1)])] });
  made.leaseTakesMs = 300;
  await prober.lease();
  await pass(100);
  await prober.report();
  expect(reports[0]?.changes[0]?.at).toBe(new Date(START + 5100).toISOString());
  await pass(9600);
  expect(prober.targets).toBe(1);
  await pass(100);
  expect(prober.targets).toBe(0);
});

test("a state that the server knows, or cannot take, is not sent again", async () => {
  for (const refusal of ["STALE", "FUTURE", "INVALID"] as const) {
    const { made, prober, reports, pass } = openProber({ shards: [shardOf([leasedOf(1), leasedOf(2)])] });
    const refused = [{ targetId: 1, refusal }];
    made.answer = () => Promise.resolve({ at: "", refused, refusedBuckets: 0 });
    await prober.lease();
    await pass(100);
    await prober.report();
    await prober.report();
    expect([prober.targets, idsOf(reports)]).toEqual([2, [[1, 2]]]);
    await pass(HEALTH_LIMITS.quickMs);
    await prober.report();
    expect(idsOf(reports.slice(1))).toEqual([[1, 2]]);
  }
});

test("a sample that comes while a report is on its way is sent with the next one", async () => {
  const { made, prober, reports, pass } = openProber({ shards: [shardOf([leasedOf(1)])] });
  const answer = Promise.withResolvers<ReportAnswer>();
  made.answer = () => answer.promise;
  await prober.lease();
  await pass(100);
  const reported = prober.report();
  await pass(HEALTH_LIMITS.quickMs);
  answer.resolve({ at: "", refused: [], refusedBuckets: 0 });
  await reported;
  expect(reports.map(({ changes }) => changes.map(({ state }) => state.samples))).toEqual([[1], [2]]);
});

test("a target that is gone is forgotten, and the others stay", async () => {
  for (const refusal of ["GONE", "LOST"] as const) {
    const { made, prober, probed, pass } = openProber({ shards: [shardOf([leasedOf(1), leasedOf(2)])] });
    made.answer = () => Promise.resolve({ at: "", refused: [{ targetId: 1, refusal }], refusedBuckets: 0 });
    await prober.lease();
    await pass(100);
    await prober.report();
    expect(prober.targets).toBe(1);
    await pass(HEALTH_LIMITS.quickMs);
    expect(probed).toHaveLength(3);
  }
});

test("what could not be sent is in the next report, in its order", async () => {
  const { made, prober, reports, pass } = openProber({ shards: [shardOf([leasedOf(1, { state: UP })])] });
  await prober.lease();
  await pass(HEALTH_LIMITS.bucketMs + 1000, 10_000);
  made.answer = () => Promise.reject(new Error("away"));
  await expect(prober.report()).rejects.toThrow("away");
  await pass(HEALTH_LIMITS.bucketMs, 10_000);
  made.answer = () => Promise.resolve({ at: "", refused: [], refusedBuckets: 0 });
  await prober.report();
  const starts = reports.map(({ buckets }) => buckets.map(({ from }) => from));
  const [five, ten] = ["2026-03-20T12:00:00.000Z", "2026-03-20T12:05:00.000Z"];
  expect(starts).toEqual([[five], [five, ten]]);
});

test("a report has a bounded number of entries, and others follow at once", async () => {
  const most = HEALTH_LIMITS.reportEntries;
  const targets = Array.from({ length: most + 1 }, (_none, id) => leasedOf(id, { absent: true, state: UP }));
  const { prober, reports, pass } = openProber({ shards: [shardOf(targets)] });
  await prober.lease();
  await pass(1000, 1000);
  for (let turn = 0; turn < 10; turn++) await pass(100);
  await prober.report();
  expect(reports.map(({ changes }) => changes.length)).toEqual([most, 1]);
});

test.each<[string, ProbeRequest, ProbeRequest]>([
  [
    "addresses of HTTP",
    httpRequest("http://one.example/a"),
    httpRequest("", { urls: ["http://one.example:81/b", "http://two.example/"] }),
  ],
  ["GRAPHQL", graphqlOf("http://one.example/a"), graphqlOf("https://one.example/b")],
  ["TCP", tcpOf("one.example", 1), tcpOf("one.example", 2)],
  ["no address", httpRequest("", { urls: [] }), httpRequest("", { urls: [] })],
])("%s of one host share its room", async (_name, one, other) => {
  const others = httpRequest("http://free.example/");
  const requests = [one, other, one, other, one, other, others];
  const { made, prober, probed, pass } = openProber({
    shards: [shardOf(requests.map((request, id) => leasedOf(id, { request })))],
  });
  made.sample = () => new Promise(() => undefined);
  await prober.lease();
  await pass(100);
  expect(probed).toEqual([one, other, one, other, others]);
});

function graphqlOf(url: string): ProbeRequest {
  const kind = "GRAPHQL" as const;
  return { kind, url, headers: [], body: "{}", followRedirects: false, expect: expectation(), timeoutMs: 1000 };
}

function tcpOf(host: string, port: number): ProbeRequest {
  return { kind: "TCP", host, port, body: null, expect: expectation(), timeoutMs: 1000 };
}
