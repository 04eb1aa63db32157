/** What runners find out beside their work: tests of configurations, and scans of deployments. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_SCAN, type ScanResult } from "../../../src/model/run/scan.ts";
import { NO_TESTS, type TestReport } from "../../../src/model/run/test-report.ts";
import type { Data } from "../../support/api.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { walk } from "../../support/walk.ts";
import { openScene, report, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000);
});
afterAll(() => scene[Symbol.asyncDispose]());

const FAILED: TestReport = {
  ...NO_TESTS,
  status: "FAILED",
  failedCount: 1,
  results: [{ file: "a.tftest.hcl", run: "a", status: "FAILED", problems: ["No."] }],
};
const SCAN: ScanResult = {
  status: "PASSED",
  shape: "STATIC_BUILD",
  hasStartCommand: false,
  units: ["web"],
  summary: null,
};

async function read(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status phases { kind attempt status } failure { code stage }
    tests { status failedCount results { file run status problems } } scan { status shape hasStartCommand units summary }
    events { edges { node { __typename ... on RunChanged { fields } ... on PhaseChanged { to } } } }
    workspace { deployShape hasStartCommand deployTarget } } }`;
  return (await scene.api.ask(query, { id: runId })).run;
}

async function initializing(workspaceId: string, kind = "DEPLOY"): Promise<{ runId: string; job: FakeJob }> {
  const runId = await scene.createRun(workspaceId, { kind });
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  return { runId, job };
}

const phasesOf = ({ phases }: Data): string[] => phases.map(({ kind, status }: Data) => `${kind} ${status}`);

describe("tests", () => {
  it("have a phase of their own, with its log, while the run is INITIALIZING", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    expect(await job.message({ type: "testing" })).toMatchObject({ status: 200, body: { goOn: true } });
    const testing = await read(runId);
    expect(testing.status).toBe("INITIALIZING");
    expect(phasesOf(testing)).toEqual(["PREPARE PASSED", "INIT PASSED", "TEST RUNNING"]);
    expect(await job.log("TEST", "1 passed")).toMatchObject({ status: 200 });
    await job.message({ type: "tested", tests: NO_TESTS });
    await job.message({ type: "initialized" });
    const planning = await read(runId);
    expect(phasesOf(planning)).toEqual(["PREPARE PASSED", "INIT PASSED", "TEST PASSED", "PLAN RUNNING"]);
    expect(planning.tests).toMatchObject({ status: "SKIPPED" });
    expect(planning.events.edges).toContainEqual({ node: { __typename: "RunChanged", fields: ["tests"] } });
  });

  it("that fail end the phase and the run; a replan has others", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    await job.message({ type: "testing" });
    await job.message({ type: "tested", tests: FAILED });
    await job.message({ type: "failed", failure: report("TESTS_FAILED") });
    const failed = await read(runId);
    expect(failed).toMatchObject({
      status: "FAILED",
      failure: { code: "TESTS_FAILED", stage: "TEST" },
      tests: { failedCount: 1 },
    });
    expect(phasesOf(failed).at(-1)).toBe("TEST FAILED");
  });

  it("of an attempt replace those of the one before", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    for (const tests of [FAILED, NO_TESTS]) expect((await job.message({ type: "tested", tests })).status).toBe(200);
    expect((await read(runId)).tests).toMatchObject({ status: "SKIPPED", results: [] });
  });

  it("are repeated without effect, and refused at any other time", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    await job.message({ type: "testing" });
    expect((await job.message({ type: "testing" }, job.sequence)).status).toBe(200);
    expect((await read(runId)).phases.filter(({ kind }: Data) => kind === "TEST")).toHaveLength(1);
    await job.message({ type: "initialized" });
    for (const body of [{ type: "testing" } as const, { type: "tested", tests: NO_TESTS } as const]) {
      expect(await job.message(body, job.sequence + 1)).toMatchObject({ status: 409, body: { code: "OUT_OF_ORDER" } });
    }
  });

  it("do not begin in a run that a person has stopped", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    await scene.quick("cancelRun", { runId });
    expect(await job.message({ type: "testing" })).toMatchObject({ body: { goOn: false } });
    expect(await read(runId)).toMatchObject({ status: "STOPPED" });
  });

  it("are lost with their runner, and begin once more as the next attempt", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace());
    await job.message({ type: "testing" });
    await job.message({ type: "handedBack" });
    const next = await scene.claim(runId);
    await next.message({ type: "prepared" });
    await next.message({ type: "testing" });
    const tests = (await read(runId)).phases.filter(({ kind }: Data) => kind === "TEST");
    expect(tests).toMatchObject([
      { attempt: 1, status: "CANCELED" },
      { attempt: 2, status: "RUNNING" },
    ]);
  });

  it.each<[string, string, string | undefined]>([
    ["DEPLOY", "ALL", "ALL"],
    ["PLAN", "PLAN_ONLY", "PLAN_ONLY"],
    ["DESTROY", "ALL", "OFF"],
    ["DEPLOY", "OFF", "OFF"],
  ])("of a %s in a workspace with %s are %s for its runner", async (kind, tests, given) => {
    const workspaceId = await scene.createWorkspace();
    await scene.quick("updateWorkspace", { workspaceId, tests });
    const job = await scene.claim(await scene.createRun(workspaceId, { kind }));
    expect(job.job.tests).toBe(given);
  });
});

describe("a scan", () => {
  it("is that of the run, and of a DEPLOY also that of its workspace", async () => {
    const workspaceId = await scene.createWorkspace();
    const { runId, job } = await initializing(workspaceId);
    expect((await read(runId)).scan).toEqual(NO_SCAN);
    expect(await job.message({ type: "scanned", scan: SCAN })).toMatchObject({ status: 200, body: { goOn: true } });
    expect(await read(runId)).toMatchObject({
      status: "INITIALIZING",
      scan: SCAN,
      workspace: { deployShape: "STATIC_BUILD", hasStartCommand: false, deployTarget: "S3" },
    });
    await scene.quick("updateWorkspace", { workspaceId, deployShape: "SERVER", hasStartCommand: null });
    expect((await read(runId)).workspace).toMatchObject({ deployShape: "SERVER", deployTarget: "ECS" });
    await scene.quick("updateWorkspace", { workspaceId, deployShape: null });
    expect((await read(runId)).workspace).toMatchObject({ deployShape: "STATIC_BUILD", deployTarget: "S3" });
  });

  it("of a PLAN, or without a shape, changes no workspace", async () => {
    const workspaceId = await scene.createWorkspace();
    const plan = await initializing(workspaceId, "PLAN");
    await plan.job.message({ type: "scanned", scan: SCAN });
    const deploy = await initializing(workspaceId);
    await deploy.job.message({ type: "scanned", scan: { ...SCAN, shape: null } });
    expect(await read(deploy.runId)).toMatchObject({ scan: { shape: null }, workspace: { deployShape: null } });
    expect((await read(plan.runId)).scan).toMatchObject({ shape: "STATIC_BUILD" });
  });

  it("is refused after the end of its run", async () => {
    const { runId, job } = await initializing(await scene.createWorkspace(), "PLAN");
    await job.message({ type: "failed", failure: { code: "HOOK_FAILED", summary: "", message: "", evidence: [] } });
    expect((await job.message({ type: "scanned", scan: SCAN })).status).toBe(410);
    expect((await read(runId)).scan).toEqual(NO_SCAN);
  });
});

describe("a runner is refused for", () => {
  const result = { file: "a", run: "b", status: "PASSED", problems: [] };
  it.each<[string, object]>(
    walk(
      [
        ["tests.status", { type: "tested", tests: { ...NO_TESTS, status: "FINE" } }],
        ["tests.failedCount", { type: "tested", tests: { ...NO_TESTS, failedCount: -1 } }],
        ["tests.results", { type: "tested", tests: { ...NO_TESTS, results: Array(501).fill(result) } }],
        [
          "tests.results.0.file",
          { type: "tested", tests: { ...NO_TESTS, results: [{ ...result, file: "a".repeat(501) }] } },
        ],
        [
          "tests.results.0.problems",
          { type: "tested", tests: { ...NO_TESTS, results: [{ ...result, problems: Array(11).fill("") }] } },
        ],
        ["tests.leftResources", { type: "tested", tests: { ...NO_TESTS, leftResources: Array(101).fill("a.b") } }],
        ["scan.shape", { type: "scanned", scan: { ...SCAN, shape: "LAMBDA" } }],
        ["scan.units", { type: "scanned", scan: { ...SCAN, units: Array(101).fill("a") } }],
        ["scan.units.0", { type: "scanned", scan: { ...SCAN, units: ["a".repeat(201)] } }],
        ["scan.summary", { type: "scanned", scan: { ...SCAN, summary: "a".repeat(4097) } }],
      ],
      3,
    ),
  )("%s", async (path, body) => {
    const { job } = await initializing(await scene.createWorkspace(), "PLAN");
    const answer = await job.message(body as Parameters<FakeJob["message"]>[0]);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(answer.body.message).toContain(`${path}: `);
  });
});

it("bad settings of a workspace name their field", async () => {
  const workspaceId = await scene.createWorkspace();
  const answer = await scene.send("updateWorkspace", { workspaceId, tests: null });
  expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["tests"], message: "cannot be cleared." }] });
});
