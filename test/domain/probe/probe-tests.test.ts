/** Tests of probes that runners of a pool send while a person waits: taken by one of them, answered once, kept nowhere. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAnswerEvaluator } from "../../../src/evaluator/answer-evaluator.ts";
import type { SamplingAnswer } from "../../../src/ingestion/wire.ts";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import { failedSample } from "../../../src/model/probe/probe-sample.ts";
import { makeJobsFolder } from "../../../src/runner/job/job-folder.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { createCommandSlots } from "../../../src/runner/probe/command-slots.ts";
import { createRunnerProbers } from "../../../src/runner/probe/runner-prober.ts";
import { sampleProbes } from "../../../src/runner/probe/sample-probes.ts";
import type { Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import { RUNNER_SELF } from "../../support/fake-runner.ts";
import { addPool, type Pool } from "../../support/fleet.ts";
import { httpTarget } from "../../support/probe-targets.ts";
import { type SamplingRunner, samplingRunnerOf } from "../../support/sampling-runner.ts";
import { openScene, type Scene } from "../scene.ts";

const SECRET = "correct-horse-battery";

let scene: Scene;
let pool: Pool;
let poolName = "";
let count = 0;
let runner: SamplingRunner;
let other: SamplingRunner;
let workspaceId: string;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  poolName = `inside${++count}`;
  pool = await addPool(scene.server, poolName, false);
  runner = samplingRunnerOf(scene.server.url, pool.secret, "one");
  other = samplingRunnerOf(scene.server.url, pool.secret, "two");
  workspaceId = await scene.createWorkspace();
  await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: pool.id });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const rowsLeft = (): Promise<unknown[]> => scene.rows("select id from probe_test where workspace_id = $1", workspaceId);

async function tryProbe(changes: object = {}): Promise<Data> {
  const probe = { name: "db", kind: "HTTP", from: "RUNNERS", target: "http://10.0.0.7/ready", ...changes };
  const answer = await scene.api.ask(
    `mutation ($input: TestProbeInput!) { testProbe(input: $input) { __typename
      ... on TestProbeSuccess { problem targets { address ok latencyMs failure reason } } } }`,
    { input: { workspaceId, probe } },
  );
  return answer.testProbe;
}

/** Begins a test, and lets a runner take it. */
async function taken(changes: object = {}): Promise<{ tried: Promise<Data>; work: SamplingAnswer }> {
  await runner.lease();
  const asking = runner.lease({ waitMs: 20_000 });
  const tried = tryProbe(changes);
  const work = await asking;
  if (work === null) throw new Error(`Nothing was offered: ${JSON.stringify(await tried)}`);
  return { tried, work };
}

describe("a test of a probe of runners", () => {
  it("is sent by a runner of the pool that waits, and leaves nothing behind", async () => {
    const { tried, work } = await taken();
    expect(work).toMatchObject({ tries: 1, commands: [], context: null });
    expect(work.requests).toMatchObject([
      { name: "db", target: 0, resolvedTarget: "http://10.0.0.7/ready", request: { kind: "HTTP" } },
    ]);
    const failure = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.", 3);
    expect(await runner.report(work, failure)).toBe(204);
    expect(await tried).toEqual({
      __typename: "TestProbeSuccess",
      problem: null,
      targets: [{ address: "http://10.0.0.7/ready", ...failure }],
    });
    expect(await rowsLeft()).toEqual([]);
  });

  it("is one runner's alone, also where two ask at once, and its attempt may ask again", async () => {
    await runner.lease();
    const tried = tryProbe();
    await waitUntil(async () => (await rowsLeft()).length === 1);
    const leaseIds = [randomUUID(), randomUUID()] as const;
    const attempts = [() => runner.lease({ leaseId: leaseIds[0] }), () => other.lease({ leaseId: leaseIds[1] })];
    const found = await Promise.all(attempts.map((attempt) => attempt()));
    const winner = found.findIndex((one) => one !== null);
    expect(found.filter((one) => one !== null)).toHaveLength(1);
    const again = await attempts[winner]?.();
    expect(again).toEqual(found[winner]);
    if (again === null || again === undefined) throw new Error("The attempt lost its test.");
    expect(await runner.report({ ...again, token: "forged" })).toBe(410);
    expect(await runner.report(again)).toBe(204);
    expect(await other.report(again)).toBe(410);
    expect(await tried).toMatchObject({ problem: null, targets: [{ ok: true, failure: null }] });
  });

  it("is not for the runners of other pools", async () => {
    const stranger = samplingRunnerOf(scene.server.url, (await addPool(scene.server, "elsewhere", false)).secret);
    await runner.lease();
    const tried = tryProbe();
    await waitUntil(async () => (await rowsLeft()).length === 1);
    expect(await stranger.lease()).toBeNull();
    const work = await runner.lease();
    if (work !== null) await runner.report(work);
    expect(await tried).toMatchObject({ targets: [{ ok: true }] });
  });

  it("tells a runner its secrets, and no one else", async () => {
    await scene.api.ask("mutation ($input: SetVariableInput!) { setVariable(input: $input) { __typename } }", {
      input: { workspaceId, key: "KEY", value: SECRET, sensitive: true, category: "ENVIRONMENT" },
    });
    const { tried, work } = await taken({ headers: [{ name: "x-key", value: "{{var.KEY}}" }] });
    expect(work.requests[0]?.request).toMatchObject({ headers: [{ name: "x-key", value: SECRET }] });
    const [{ row = "" } = {}] = await scene.rows("select t::text as row from probe_test t");
    expect(row).toContain(workspaceId);
    expect(row).not.toContain(SECRET);
    expect(row).not.toContain(Buffer.from(SECRET).toString("hex"));
    await runner.report(work);
    expect(JSON.stringify(await tried)).not.toContain(SECRET);
  });

  it("names the targets that the runner left out", async () => {
    const { tried, work } = await taken();
    const { id, fence, token } = work;
    expect((await runner.post("report", { id, fence, token, samples: [] })).status).toBe(204);
    expect(await tried).toMatchObject({ targets: [{ ok: false, failure: "NO_PROBER", latencyMs: null }] });
  });

  it("ends where no runner of the pool sends probes, or none answers in time", async () => {
    expect(await tryProbe()).toMatchObject({
      problem: `No runner of the pool ${poolName} sends probes. Start one with HOLDPOINT_RUNNER_PROBES=50.`,
      targets: [],
    });
    const { tried, work } = await taken();
    scene.server.advance(PROBE_LIMITS.runnerTestMs + 1);
    expect(await tried).toMatchObject({ problem: expect.stringContaining("within 25 s"), targets: [] });
    expect(await runner.report(work)).toBe(410);
    expect(await rowsLeft()).toEqual([]);
  });

  it("is removed by the next one if its server has died", async () => {
    const at = scene.server.deps.clock();
    const ends = new Date(at.getTime() - 1);
    await scene.rows(
      "insert into probe_test (id, workspace_id, requests_sealed, offered_at, ends_at) values ('ptest_x', $1, '', $2, $3)",
      workspaceId,
      ends.toISOString(),
      ends.toISOString(),
    );
    expect(await runner.lease()).toBeNull();
    const { tried, work } = await taken();
    await runner.report(work);
    await tried;
    expect(await rowsLeft()).toEqual([]);
  });

  it("reaches a private service by a real runner", async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-probe-tests-"));
    const evaluator = createAnswerEvaluator();
    const stop = new AbortController();
    const service = await httpTarget((_request, response) => void response.end("ready"));
    const note = (): void => undefined;
    const shared = {
      token: pool.secret,
      limits: RUNNER_LIMITS,
      log: { debug: note, info: note, warn: note, error: note },
    };
    const serverUrl = scene.server.url;
    const allowed = [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }] as const;
    const sampling = sampleProbes({
      ...shared,
      serverUrl,
      runner: { runner: { ...RUNNER_SELF, name: "real" }, engine: null },
      prober: createRunnerProbers({ serverUrl, allowed, perSecond: 50, evaluator, clock: () => new Date() }).urgent,
      commands: {
        ...shared,
        slots: createCommandSlots([null]),
        jobsFolder: await makeJobsFolder(folder, null),
        isolation: { bounds: { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null }, prefix: [] },
        inherited: {},
      },
      randomId: randomUUID,
      signal: stop.signal,
    });
    try {
      await waitUntil(async () => {
        const rows = await scene.rows("select 1 from runner where pool_id = $1 and probes_at is not null", pool.id);
        return rows.length === 1;
      });
      const target = `http://127.0.0.1:${service.port}/`;
      expect(await tryProbe({ target, expect: { bodyContains: "ready" } })).toMatchObject({
        problem: null,
        targets: [{ address: target, ok: true }],
      });
      expect(await tryProbe({ target, expect: { bodyContains: "asleep" } })).toMatchObject({
        targets: [{ ok: false, failure: "BODY" }],
      });
    } finally {
      stop.abort();
      await sampling;
      await evaluator.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
