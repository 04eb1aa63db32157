/** A prober of health against real servers on loopback that are red, flap and hang; its clock is set. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type {
  HealthReport,
  LeaseAnswer,
  LeasedTarget,
  ProberDesk,
  ReportAnswer,
} from "../../src/model/health/prober-desk.ts";
import { NEW_TARGET, statusOfTarget, type TargetState } from "../../src/model/health/target-state.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import { createHealthProber, type HealthProber } from "../../src/probing/health-prober.ts";
import { createProber } from "../../src/probing/prober.ts";
import { waitUntil } from "../support/eventually.ts";
import {
  CERTIFICATES,
  expectation,
  httpRequest,
  httpsTarget,
  httpTarget,
  rawTarget,
} from "../support/probe-targets.ts";

const START = Date.parse("2026-03-20T12:00:00.000Z");
const INTERVAL_MS = 30_000;

interface Rig extends AsyncDisposable {
  readonly prober: HealthProber;
  readonly reports: HealthReport[];
  /** Answers in place of taking everything. */
  answer: (report: HealthReport) => ReportAnswer;
  lease: (answer: Partial<LeaseAnswer> | Error) => void;
  /** The number of probes that have begun. */
  begun(): number;
  /** Lets time pass, second by second, so that quick samples are taken in their time. */
  pass(ms: number): void;
  /** Lets time pass until a probe of each target was sent and answered. */
  round(ms?: number): Promise<void>;
  stateOf(id: number): TargetState | undefined;
}

function leasedOf(id: number, request: ProbeRequest, more: Partial<LeasedTarget> = {}): LeasedTarget {
  const when = { intervalMs: INTERVAL_MS, phase: 0, bucketOffsetMs: 0 };
  return { id, ...when, request, state: NEW_TARGET, absent: false, sampledAt: null, ...more };
}

async function rig(targets: readonly LeasedTarget[]): Promise<Rig> {
  const reports: HealthReport[] = [];
  const states = new Map<number, TargetState>();
  let nowMs = 0;
  let begun = 0;
  let done = 0;
  let given: Partial<LeaseAnswer> | Error = {};
  const real = createProber({
    evaluator: { evaluate: () => Promise.resolve("TRUE"), check: () => Promise.resolve(null), close: async () => {} },
    clock: () => new Date(),
    allowed: [{ type: "network", address: "127.0.0.0", prefix: 8, port: null }],
    ca: CERTIFICATES.valid,
  });
  const desk: ProberDesk = {
    lease: ({ shards }) => {
      if (given instanceof Error) return Promise.reject(given);
      const isKnown = shards.length > 0;
      const answer = {
        at: new Date(START + nowMs).toISOString(),
        leaseMs: 45_000,
        shards: [{ shard: 1, fence: 1, version: 1, targets: isKnown ? null : targets }],
        held: [],
      };
      return Promise.resolve({ ...answer, ...given });
    },
    report(report) {
      reports.push(report);
      const answer = made.answer(report);
      const refused = new Set(answer.refused.map(({ targetId }) => targetId));
      for (const { targetId, state } of report.changes) if (!refused.has(targetId)) states.set(targetId, state);
      return Promise.resolve(answer);
    },
    leave: () => Promise.resolve(),
  };
  const prober = createHealthProber({
    desk,
    prober: {
      async probe(request, signal) {
        begun++;
        try {
          return await real.probe(request, signal);
        } finally {
          done++;
        }
      },
    },
    proberId: "a",
    perSecond: null,
    now: () => nowMs,
  });
  const made: Rig = {
    prober,
    reports,
    answer: () => ({ at: new Date(START + nowMs).toISOString(), refused: [], refusedBuckets: 0 }),
    lease: (answer) => void (given = answer),
    begun: () => begun,
    pass(ms) {
      for (let passed = 0; passed < ms; passed += 1000) {
        nowMs += 1000;
        prober.tick();
      }
    },
    async round(ms = INTERVAL_MS) {
      await prober.lease();
      const before = done;
      made.pass(ms);
      await waitUntil(() => done >= before + prober.targets);
      // The answer of the prober comes after its promise.
      await new Promise((next) => setImmediate(next));
      await prober.report();
    },
    stateOf: (id) => states.get(id),
    [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
  };
  await prober.lease();
  return made;
}

const statusesOf = (made: Rig, ids: readonly number[]): (string | null)[] =>
  ids.map((id) => {
    const state = made.stateOf(id);
    return state === undefined ? null : statusOfTarget(state);
  });

describe("a prober", () => {
  test("asks again at once for the shards that an answer leaves out", async () => {
    const answers = [1, 2, 3].map((count) => ({
      shards: [1, 2, 3].slice(0, count).map((shard) => {
        const targets = shard === count ? [leasedOf(shard, httpRequest("http://127.0.0.1:1/"))] : null;
        return { shard, fence: 1, version: 1, targets };
      }),
      more: count < 3,
    }));
    const known: number[][] = [];
    await using prober = createHealthProber({
      desk: {
        lease({ shards }) {
          known.push(shards.map(({ shard }) => shard));
          const answer = answers[known.length - 1] ?? { shards: [] };
          return Promise.resolve({ at: new Date(START).toISOString(), leaseMs: 45_000, held: [], ...answer });
        },
        report: () => Promise.reject(new Error("There is nothing to report.")),
        leave: () => Promise.resolve(),
      },
      prober: { probe: () => Promise.reject(new Error("Nothing is due.")) },
      proberId: "a",
      perSecond: null,
      now: () => 0,
    });
    await prober.lease();
    expect(known).toEqual([[], [1], [1, 2]]);
    expect(prober.targets).toBe(3);
  });

  test("finds servers that are red, hang, are gone, or have a certificate that ends", async () => {
    const green = await httpTarget((_request, response) => void response.end());
    const red = await httpTarget((_request, response) => void response.writeHead(500).end());
    const hanging = await rawTarget(() => undefined);
    const tls = await httpsTarget((_request, response) => void response.end());
    const at = ({ port }: { port: number }): string => `http://127.0.0.1:${port}/`;
    const tlsRequest = (days: number): ProbeRequest => ({
      kind: "TLS",
      host: "127.0.0.1",
      port: tls.port,
      serverName: "localhost",
      expect: expectation({ certificateDays: days }),
      timeoutMs: 5000,
    });
    await using made = await rig([
      leasedOf(1, httpRequest(at(green))),
      leasedOf(2, httpRequest(at(red))),
      leasedOf(3, httpRequest(at(hanging), { timeoutMs: 100 })),
      leasedOf(4, tlsRequest(0)),
      leasedOf(5, tlsRequest(365 * 1000)),
      leasedOf(6, httpRequest("http://169.254.169.254/")),
    ]);
    for (let round = 0; round < 4; round++) await made.round();
    const statuses = statusesOf(made, [1, 2, 3, 4, 5, 6]);
    expect(statuses).toEqual(["HEALTHY", "UNREACHABLE", "UNREACHABLE", "HEALTHY", "DEGRADED", "UNKNOWN"]);
    expect([2, 3, 5, 6].map((id) => made.stateOf(id)?.failure)).toEqual([
      "STATUS",
      "TIMEOUT",
      "CERTIFICATE_ENDS",
      "ADDRESS_REFUSED",
    ]);
  });

  test("keeps a server that flaps as it is, and writes nothing about one that is steady", async () => {
    let isRed = false;
    const flapping = await httpTarget((_request, response) => {
      response.writeHead(isRed ? 503 : 200).end();
      isRed = !isRed;
    });
    const steady = await httpTarget((_request, response) => void response.end());
    await using made = await rig([
      leasedOf(1, httpRequest(`http://127.0.0.1:${flapping.port}/a`)),
      leasedOf(2, httpRequest(`http://127.0.0.1:${steady.port}/`)),
    ]);
    for (let round = 0; round < 6; round++) await made.round();
    const ofSteady = made.reports.flatMap(({ changes }) => changes).filter(({ targetId }) => targetId === 2);
    expect(ofSteady.length).toBeLessThanOrEqual(3);
    // Green, red, green, ...: never two of one kind in a row.
    expect(made.stateOf(1)?.standing).toBe("UNKNOWN");
    expect(statusesOf(made, [2])).toEqual(["HEALTHY"]);
  });

  test("keeps a server as it is whose handshakes of TLS come and fail in turn", async () => {
    const good = await httpsTarget((_request, response) => void response.end());
    let isBroken = false;
    const flapping = await rawTarget((socket) => {
      if (isBroken) socket.destroy();
      else socket.pipe(connect(good.port, "127.0.0.1")).pipe(socket);
      isBroken = !isBroken;
    });
    const request: ProbeRequest = {
      kind: "TLS",
      host: "127.0.0.1",
      port: flapping.port,
      serverName: "localhost",
      expect: expectation(),
      timeoutMs: 5000,
    };
    await using made = await rig([leasedOf(1, request)]);
    for (let round = 0; round < 6; round++) await made.round();
    expect(made.stateOf(1)?.standing).toBe("UNKNOWN");
    const failures = made.reports.flatMap(({ changes }) => changes.map(({ state }) => state.failure));
    expect(new Set(failures.filter((failure) => failure !== null))).toEqual(new Set(["CONNECT"]));
  });

  test("sends at most four requests at a time to one host, and finds others meanwhile", async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const slow = await httpTarget((_request, response) => {
      held.push(() => response.end());
      most = Math.max(most, held.length);
    });
    let found = 0;
    const other = await httpTarget((_request, response) => {
      found++;
      response.end();
    }, "127.0.0.2");
    const ofSlow = Array.from({ length: 12 }, (_none, index) =>
      leasedOf(index, httpRequest(`http://127.0.0.1:${slow.port}/${index}`)),
    );
    await using made = await rig([...ofSlow, leasedOf(12, httpRequest(`http://127.0.0.2:${other.port}/`))]);
    const round = made.round();
    await waitUntil(() => found === 1);
    for (let left = 12; left > 0; left--) {
      await waitUntil(() => held.length === Math.min(4, left));
      held.shift()?.();
    }
    await round;
    expect(most).toBe(4);
    expect(slow.connections()).toBe(12);
    expect(made.stateOf(12)?.failure).toBeNull();
  });

  test("marks samples while a run changes the target, and forgets what it saw before", async () => {
    let isRed = false;
    const server = await httpTarget((_request, response) => void response.writeHead(isRed ? 503 : 200).end());
    await using made = await rig([leasedOf(1, httpRequest(`http://127.0.0.1:${server.port}/`))]);
    for (let round = 0; round < 3; round++) await made.round();
    isRed = true;
    made.lease({ held: [1] });
    for (let round = 0; round < 4; round++) await made.round();
    expect(statusesOf(made, [1])).toEqual(["HEALTHY"]);
    made.lease({ held: [] });
    await made.round(1000 * 31);
    expect(made.stateOf(1)?.badInARow).toBeLessThanOrEqual(2);
  });

  test("takes its state back where the server refuses a report", async () => {
    const server = await httpTarget((_request, response) => void response.writeHead(503).end());
    await using made = await rig([leasedOf(1, httpRequest(`http://127.0.0.1:${server.port}/`))]);
    const refuse = (refusal: ReportAnswer["refused"][number]["refusal"]) => (): ReportAnswer => {
      return { at: new Date(START).toISOString(), refused: [{ targetId: 1, refusal }], refusedBuckets: 0 };
    };
    made.answer = refuse("HELD");
    await made.round();
    expect(made.stateOf(1)).toBeUndefined();
    made.answer = refuse("LOST");
    made.lease({ held: [] });
    await made.round();
    expect(made.prober.targets).toBe(0);
  });

  test("drops the targets of a shard that a lease leaves out", async () => {
    const server = await httpTarget((_request, response) => void response.end());
    await using made = await rig([leasedOf(1, httpRequest(`http://127.0.0.1:${server.port}/`))]);
    await made.round(40_000);
    expect(made.prober.targets).toBe(1);
    made.lease({ shards: [] });
    await made.prober.lease();
    expect(made.prober.targets).toBe(0);
  });

  test("drops its targets once its lease is over, also if it cannot reach the server", async () => {
    const server = await httpTarget((_request, response) => void response.end());
    await using made = await rig([leasedOf(1, httpRequest(`http://127.0.0.1:${server.port}/`))]);
    await made.round(40_000);
    made.lease(new Error("The server cannot be reached."));
    await expect(made.prober.lease()).rejects.toThrow("cannot be reached");
    made.pass(5000);
    expect(made.prober.targets).toBe(1);
    const { length } = made.reports;
    const begun = made.begun();
    made.pass(1000);
    expect(made.prober.targets).toBe(0);
    made.pass(2 * INTERVAL_MS);
    expect(made.begun()).toBe(begun);
    // Its shards are another prober's: it may still give its closed buckets away, but no state.
    await made.prober.report();
    expect(made.reports.slice(length).flatMap(({ changes }) => changes)).toEqual([]);
  });

  test("gives its buckets away when it ends", async () => {
    const server = await httpTarget((_request, response) => void response.end());
    const made = await rig([leasedOf(1, httpRequest(`http://127.0.0.1:${server.port}/`))]);
    await made.round();
    await made[Symbol.asyncDispose]();
    expect(made.reports.at(-1)?.buckets).toMatchObject([{ targetId: 1 }]);
  });
});
