/** A runner that probes health: its requests to the server, its guard, and its end. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAnswerEvaluator } from "../../../src/evaluator/answer-evaluator.ts";
import type { HealthReport, LeaseAnswer, LeasedTarget } from "../../../src/model/health/prober-desk.ts";
import { NEW_TARGET } from "../../../src/model/health/target-state.ts";
import type { ProbeRequest } from "../../../src/model/probe/probe-request.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { probeTargets } from "../../../src/runner/network/runner-network.ts";
import { Pace } from "../../../src/runner/probe/pace.ts";
import { startRunnerHealth } from "../../../src/runner/probe/probe-health.ts";
import { createRunnerProbers } from "../../../src/runner/probe/runner-prober.ts";
import { RUNNER_SELF } from "../../support/fake-runner.ts";
import { httpRequest, httpTarget, rawTarget } from "../../support/probe-targets.ts";
import { createArrivals } from "../../support/webhook-target.ts";

async function startServer(requests: ProbeRequest[]) {
  const reports = createArrivals<HealthReport>();
  const claims = createArrivals<{ proberId: string; perSecond: number; runner: object }>();
  const left = createArrivals<string>();
  let refusal: number | null = null;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (refusal !== null) return void response.writeHead(refusal).end(JSON.stringify({ code: "X", message: "x" }));
      const at = new Date().toISOString();
      if (request.url?.endsWith("/lease") === true) {
        claims.push(body);
        const known = body.shards.length > 0;
        const answer: LeaseAnswer = {
          at,
          leaseMs: 45_000,
          shards: [{ shard: 7, fence: 3, version: 1, targets: known ? null : requests.map(toTarget) }],
          held: [],
        };
        return void response.writeHead(200).end(JSON.stringify(answer));
      }
      if (request.url?.endsWith("/leave") === true) {
        left.push(body.proberId);
        return void response.writeHead(204).end();
      }
      reports.push(body);
      response.writeHead(200).end(JSON.stringify({ at, refused: [], refusedBuckets: 0 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    claims,
    left,
    refuse: (code: number) => (refusal = code),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toTarget(request: ProbeRequest, index: number): LeasedTarget {
  const none = { phase: 0, bucketOffsetMs: 0, state: NEW_TARGET, absent: false, sampledAt: null };
  return { id: index + 1, intervalMs: 10_000, request, ...none };
}

async function bodyOf(request: IncomingMessage) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return JSON.parse(Buffer.concat(pieces).toString());
}

let evaluator: ReturnType<typeof createAnswerEvaluator>;
const errors: string[] = [];
beforeEach(() => {
  evaluator = createAnswerEvaluator();
  errors.length = 0;
});
afterEach(() => evaluator.close());

function start(serverUrl: string): AsyncDisposable {
  const allowed = probeTargets([{ type: "network", address: "127.0.0.1", prefix: 32, port: null }], []);
  const prober = createRunnerProbers({ serverUrl, allowed, perSecond: 1000, evaluator, clock: () => new Date() });
  const nothing = (): undefined => undefined;
  return startRunnerHealth({
    serverUrl,
    token: "hpr_x",
    runner: { runner: RUNNER_SELF, engine: null },
    perSecond: 1000,
    prober: prober.steady,
    proberId: "0123456789abcdef",
    limits: RUNNER_LIMITS,
    log: { debug: nothing, info: nothing, warn: nothing, error: (_fields, message) => void errors.push(message) },
  });
}

it("probes what it leases, reports it under its fences, and gives it back at the end", async () => {
  const service = await httpTarget((_request, response) => response.writeHead(200).end());
  const forbidden = await rawTarget((socket) => socket.end(), "127.0.0.2");
  const requests: ProbeRequest[] = [
    httpRequest(`http://127.0.0.1:${service.port}/`),
    httpRequest(`http://127.0.0.2:${forbidden.port}/`),
    httpRequest("http://169.254.169.254/latest/"),
  ];
  await using server = await startServer(requests);
  requests.push(httpRequest(`${server.url}/`));
  const probing = start(server.url);
  expect(await server.claims.next()).toMatchObject({
    proberId: "0123456789abcdef",
    perSecond: 1000,
    runner: { name: RUNNER_SELF.name },
  });
  const found = new Map<number, string | null>();
  while (found.size < requests.length) {
    const report = await server.reports.next();
    expect(report.shards).toEqual([{ shard: 7, fence: 3 }]);
    for (const { targetId, state } of report.changes) found.set(targetId, state.failure);
  }
  const refused = "ADDRESS_REFUSED";
  expect([1, 2, 3, 4].map((id) => found.get(id))).toEqual([null, refused, refused, refused]);
  expect(forbidden.connections()).toBe(0);
  await probing[Symbol.asyncDispose]();
  // The samples so far come before it leaves.
  const last = await server.reports.next();
  expect(last.buckets.length + last.changes.length).toBeGreaterThan(0);
  expect(await server.left.next()).toBe("0123456789abcdef");
});

it("says once that the server refuses it", async () => {
  await using server = await startServer([]);
  server.refuse(404);
  const probing = start(server.url);
  await expect.poll(() => errors.length, { timeout: 25_000 }).toBe(1);
  await probing[Symbol.asyncDispose]();
  expect(errors).toEqual(["The server refuses to share the targets of health with this runner"]);
});

it("begins urgent requests before others, and leaves out those that are not wanted any more", async () => {
  let nowMs = 0;
  const pace = new Pace(1000, () => (nowMs += 0.1));
  const began: string[] = [];
  const never = new AbortController();
  const gone = new AbortController();
  const turn = (name: string, isUrgent: boolean, signal = never.signal): Promise<unknown> =>
    pace.turn(signal, { isUrgent }).then(
      () => began.push(name),
      () => began.push(`not ${name}`),
    );
  const all = [
    turn("first", false),
    turn("second", false),
    turn("gone", false, gone.signal),
    turn("third", false),
    turn("urgent", true),
  ];
  gone.abort();
  await Promise.all(all);
  expect(began.toSorted()).toEqual(["first", "not gone", "second", "third", "urgent"]);
  expect(began.indexOf("urgent")).toBeLessThan(began.indexOf("second"));
});
