/** Workspaces that go back after an apply that does not pass its verification, by the API and real rows. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { type CheckWork, createCheck, startCheckWork } from "../../support/check-steps.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import {
  conclude,
  startVerificationWork,
  toldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { onWorkspace } from "../../support/rights.ts";
import { walk } from "../../support/walk.ts";
import { admin } from "../access/sample.ts";
import { openScene, type Scene } from "../scene.ts";

const HOUR = 60 * 60 * 1000;

let scene: Scene;
let service: RunTaskService;
let work: CheckWork;
let verifications: VerificationWork;
let name: string;
let workspaceId: string;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
  verifications = startVerificationWork(scene.server.deps, toldProber());
  name = `back-${++count}`;
  workspaceId = await scene.createWorkspace({ name, planApproval: "WHEN_REQUIRED" });
  await createCheck(scene.api, service, { stages: ["POST_APPLY"], level: "MANDATORY", selector: { names: [name] } });
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await verifications[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const settings = (mode: string, more: object = {}) =>
  scene.quick("updateWorkspace", { workspaceId, rollbackSettings: { mode }, ...more });

/** Plans a run by an engine of this version, applies it, and lets its check answer. */
async function appliedBy(version: string, status: "passed" | "failed", name = "terraform"): Promise<string> {
  return verify(await unverified({ engine: { name, version } }), status);
}

/** A run that was applied, and whose check was not asked yet. */
async function unverified(plan: Partial<PlanContent> = {}): Promise<string> {
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan(plan);
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  await (await scene.claim(runId)).apply(0, "line");
  return runId;
}

async function read(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { number status outcome trigger kind reason message
    failure { code stage category cause retryable } origin { id } rollsBackTo { id } rollbackCandidate { id } rollbackRisks
    cause { __typename ... on RollbackCause { mode } } verification { status } } }`;
  return (await scene.api.ask(query, { id: runId })).run;
}

/** Applies a run, and lets its check answer. */
async function applied(status: "passed" | "failed", given?: string): Promise<string> {
  const runId = given ?? (await scene.createRun(workspaceId));
  await (await scene.claim(runId)).plan();
  if ((await read(runId))["status"] === "AWAITING_APPLY_APPROVAL") {
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  }
  await (await scene.claim(runId)).apply(0, "line");
  return verify(runId, status);
}

async function verify(runId: string, status: "passed" | "failed"): Promise<string> {
  await answer(status);
  await verifications.step();
  return runId;
}

/** Lets the check answer, before any server has looked at the result. */
async function answer(status: "passed" | "failed"): Promise<void> {
  const from = service.requests.length;
  await work.step();
  for (const request of service.requests.slice(from)) {
    expect(await sendReport(scene.server.url, request, report(status))).toEqual({ status: 200, errors: [] });
  }
}

/** The runs of the workspace after one, oldest first. */
async function runsAfter(runId: string): Promise<Data[]> {
  return scene.rows("select id from run where workspace_id = $1 and id > $2 order by number", workspaceId, runId);
}

/** Lets the server create the run to go back. */
async function rolledBack(failedId: string): Promise<string> {
  await verifications.step();
  const [made, ...others] = await runsAfter(failedId);
  expect(others).toEqual([]);
  return made?.["id"];
}

describe("the run to go back to", () => {
  const set = (columns: string, table = "run", id = "id"): string =>
    `update ${table} set ${columns} where ${id} = $run`;
  const stateOfAnother = `insert into state_version (id, workspace_id, serial, lineage, run_id, job_id, blob_id, outputs, created_at)
    select 'sv_' || r.id, r.workspace_id, 99, 'another', r.id, j.id, r.source_blob_id, '[]', now()
    from run r join job j on j.run_id = r.id where r.id = $run limit 1`;
  it.each(
    walk(
      [
        ["is the newest good one", null, "newest"],
        ["did more than to refresh the state", set("refresh_only = true"), "older"],
        ["was not limited to targets", set("targets = '{aws_instance.web}'"), "older"],
        ["has its source", set("source_blob_id = null"), "older"],
        ["has a revision of its source", set("revision = null"), "older"],
        ["was applied", set("outcome = 'PLANNED'"), "older"],
        ["passed its verification", set("status = 'INCONCLUSIVE'", "verification", "run_id"), "older"],
        ["passed it, or had none", "delete from verification where run_id = $run", "newest"],
        ["has the state of now", stateOfAnother, "older"],
        ["is newer than any destroy", set("kind = 'DESTROY', outcome = 'DESTROYED'"), "none"],
      ],
      3,
    ),
  )("%s", async (_name, change, expected) => {
    const older = await applied("passed");
    const newest = await applied("passed");
    const failed = await applied("failed");
    // Runs that have ended cannot be changed but by who owns the database.
    const asOwner = (statement: string): string =>
      `do $do$ begin set local session_replication_role = replica; ${statement.replace("$run", `'${newest}'`)}; end $do$`;
    if (change !== null) await scene.rows(asOwner(change));
    const candidate = { older, newest, none: null }[expected];
    expect((await read(failed))["rollbackCandidate"]).toEqual(candidate === null ? null : { id: candidate });
  });
});

describe("PROPOSE", () => {
  it("creates a run to the newest good one, which waits for people", async () => {
    await settings("PROPOSE");
    const good = await applied("passed");
    const failed = await applied("failed");
    expect(await read(failed)).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", cause: null },
      rollbackCandidate: { id: good },
    });
    const back = await rolledBack(failed);
    expect(await read(back)).toMatchObject({
      kind: "DEPLOY",
      trigger: "ROLLBACK",
      origin: { id: failed },
      rollsBackTo: { id: good },
      rollbackRisks: [],
      cause: { __typename: "RollbackCause", mode: "PROPOSE" },
      message: "Go back to run 1: the result of run 2 did not pass its verification.",
    });
    // It waits although the workspace applies every other plan by itself.
    await settings("PROPOSE", { autoApply: "ALWAYS" });
    await (await scene.claim(back)).plan();
    expect((await read(back))["status"]).toBe("AWAITING_APPLY_APPROVAL");
    // Nothing is created twice.
    await verifications.step();
    expect(await runsAfter(back)).toEqual([]);
  });

  it("is given up after an hour in which the sources cannot be read", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const blobs = { ...scene.server.deps.blobs, read: () => Promise.reject(new Error("The store is away.")) };
    const away = startVerificationWork({ ...scene.server.deps, blobs }, toldProber());
    await verifications[Symbol.asyncDispose]();
    verifications = away;
    const failed = await applied("failed");
    for (const ms of [0, HOUR / 2]) {
      scene.server.advance(ms + 60_000);
      await away.step();
      expect(scene.server.reported.splice(0).length).toBeGreaterThan(0);
    }
    scene.server.advance(HOUR);
    await away.step();
    const left = await scene.rows("select rollback_to, due_at from verification where run_id = $1", failed);
    expect(left).toEqual([{ rollback_to: null, due_at: null }]);
    expect(await runsAfter(failed)).toEqual([]);
    const query =
      "query ($id: ID!) { run(id: $id) { comments { edges { node { text actor { name __typename } } } } } }";
    const { run } = await scene.api.ask(query, { id: failed });
    expect(run.comments.edges).toEqual([
      {
        node: {
          text: expect.stringMatching(/^There is no run to go back to run \d+: /),
          actor: { name: "Holdpoint", __typename: "SystemActor" },
        },
      },
    ]);
    await away.step();
    expect(await scene.rows("select 1 from run_comment where run_id = $1", failed)).toHaveLength(1);
  });

  it("fails the run itself where there is nothing to go back to", async () => {
    await settings("PROPOSE");
    const first = await applied("failed");
    expect(await read(first)).toMatchObject({
      status: "FAILED",
      failure: {
        code: "AUTOMATIC_ROLLBACK_NO_CANDIDATE",
        stage: "ROLLBACK",
        category: "ROLLBACK_FAILURE",
        cause: "DEPLOYMENT_VERIFICATION_FAILED",
      },
    });
    await verifications.step();
    expect(await runsAfter(first)).toEqual([]);
  });

  it("never goes back twice in a chain", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    await applied("failed", back);
    expect(await read(back)).toMatchObject({
      status: "FAILED",
      failure: { code: "AUTOMATIC_ROLLBACK_FAILED", stage: "ROLLBACK", cause: "DEPLOYMENT_VERIFICATION_FAILED" },
    });
    await verifications.step();
    expect(await runsAfter(back)).toEqual([]);
  });
});

describe("AUTO_SAFE", () => {
  it("applies a plan that takes nothing away, also where the workspace never does", async () => {
    await settings("AUTO_SAFE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    const job = await scene.claim(back);
    await job.plan();
    expect((await read(back))["status"]).toBe("APPLYING");
  });

  it("waits with a plan that replaces something, and shows the risk", async () => {
    await settings("AUTO_SAFE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    const { counts } = fakePlan();
    await (await scene.claim(back)).plan({ counts: { ...counts, replacements: 1 } });
    expect(await read(back)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", rollbackRisks: ["DESTROYS"] });
  });

  it.each(
    walk(
      [
        ["1.10.5", "1.11.4", "terraform", ["ENGINE_DOWNGRADE"]],
        ["1.9.0", "1.11.4", "tofu", ["ENGINE_DOWNGRADE"]],
        ["1.12.0-rc1", "1.12.0", "terraform", ["ENGINE_DOWNGRADE"]],
        ["1.11.4", "1.11.4", "terraform", []],
        ["1.12.0", "1.11.4", "terraform", []],
      ],
      2,
    ),
  )("by an engine %s, after %s wrote the state, has the risks of %s: %s", async (then, now, name, risks) => {
    await settings("AUTO_SAFE");
    await appliedBy(then, "passed", name);
    const back = await rolledBack(await appliedBy(now, "failed"));
    await (await scene.claim(back)).plan();
    const status = risks.length === 0 ? "APPLYING" : "AWAITING_APPLY_APPROVAL";
    expect(await read(back)).toMatchObject({ status, rollbackRisks: risks });
  });

  it.each([
    ["5.99.1", "6.0.0", ["PROVIDER_DOWNGRADE"]],
    ["6.0.0", "6.0.0", []],
    ["6.1.0", "6.0.0", []],
  ])("from a lock file with provider %s, after %s wrote the state, has the risks %s", async (then, now, risks) => {
    const lockFile = (version: string): string => `# This file is maintained automatically by "terraform init".
provider "registry.terraform.io/hashicorp/aws" {
  version     = "${version}"
  constraints = ">= 5.0.0"
  hashes = [
    "h1:${"a".repeat(43)}=",
  ]
}
`;
    const source = `${name}-locked`;
    const write = (version: string): Promise<string> =>
      scene.server.makeSource(source, {
        "main.tf": 'resource "terraform_data" "a" {}',
        ".terraform.lock.hcl": lockFile(version),
      });
    const path = await write(then);
    await settings("AUTO_SAFE", { source: { directory: { path } } });
    await applied("passed");
    await write(now);
    const back = await rolledBack(await applied("failed"));
    await (await scene.claim(back)).plan();
    const status = risks.length === 0 ? "APPLYING" : "AWAITING_APPLY_APPROVAL";
    expect(await read(back)).toMatchObject({ status, rollbackRisks: risks });
  });

  describe("with a guard", () => {
    const url = (value: string, sensitive = false): object => ({
      schema: { value, type: "string", ...(sensitive && { sensitive }) },
    });
    const variable = (value: string, more: object = {}): object => ({
      key: "schema",
      value,
      category: "ENGINE",
      ...more,
    });
    const guard = (type: string): Promise<unknown> =>
      scene.quick("updateWorkspace", {
        workspaceId,
        rollbackSettings: { mode: "AUTO_SAFE", guards: [{ type, name: "schema" }] },
      });
    const expectRisks = async (failed: string, isMoved: boolean): Promise<void> => {
      const back = await rolledBack(failed);
      await (await scene.claim(back)).plan();
      const waits = { status: "AWAITING_APPLY_APPROVAL", rollbackRisks: ["GUARD_MOVED"] };
      expect(await read(back)).toMatchObject(isMoved ? waits : { status: "APPLYING", rollbackRisks: [] });
    };

    /** Applies a run with these outputs, and lets its check answer. */
    async function appliedWith(outputs: object, serial: number, status: "passed" | "failed"): Promise<string> {
      const runId = await scene.createRun(workspaceId);
      await (await scene.claim(runId)).plan();
      await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
      const { status: taken } = await (await scene.claim(runId)).apply(serial, "line", outputs);
      expect(taken).toBe(200);
      return verify(runId, status);
    }

    it.each<[string, object, object, boolean]>(
      walk(
        [
          ["has moved", url("1"), url("2"), true],
          ["has not moved", url("1"), url("1"), false],
          ["is known by neither state", {}, {}, true],
          ["is gone", url("1"), {}, true],
          ["is new", {}, url("1"), true],
          ["is sensitive", url("1", true), url("1", true), true],
          ["has become sensitive", url("1"), url("1", true), true],
          ["is another type of value", url("1"), { schema: { value: 1, type: "number" } }, true],
        ],
        2,
      ),
    )("of an output that %s", async (_name, then, now, isMoved) => {
      await guard("OUTPUT");
      await appliedWith(then, 1, "passed");
      await expectRisks(await appliedWith(now, 2, "failed"), isMoved);
    });

    it.each<[string, object | null, object | null, boolean]>(
      walk(
        [
          ["has moved", variable("1"), variable("2"), true],
          ["has not moved", variable("1"), variable("1"), false],
          ["is known by neither run", null, null, true],
          ["is new", null, variable("1"), true],
          ["is one of the environment", variable("1", { category: "ENVIRONMENT" }), null, true],
          ["is sensitive", variable("1", { sensitive: true }), null, true],
          ["has become sensitive", variable("1"), variable("1", { sensitive: true }), true],
        ],
        2,
      ),
    )("of a variable that %s", async (_name, then, now, isMoved) => {
      await guard("VARIABLE");
      if (then !== null) await scene.send("setVariable", { workspaceId, ...then });
      await applied("passed");
      if (now !== null) await scene.send("setVariable", { workspaceId, ...now });
      await expectRisks(await applied("failed"), isMoved);
    });
  });
});

describe("there is no rollback", () => {
  const none = async (failed: string): Promise<void> => {
    await verifications.step();
    expect(await runsAfter(failed)).toEqual([]);
    expect((await read(failed))["failure"].code).toBe("DEPLOYMENT_VERIFICATION_FAILED");
  };

  it("where the mode is OFF", async () => {
    await applied("passed");
    await none(await applied("failed"));
  });

  it("where the workspace is paused while the check is asked", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const runId = await scene.createRun(workspaceId);
    await (await scene.claim(runId)).plan();
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    await (await scene.claim(runId)).apply(0, "line");
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    await none(await verify(runId, "failed"));
  });

  it("any more, where a person orders a deployment before it has begun", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    const query = "query ($id: ID!) { run(id: $id) { status reason supersededBy { id } } }";
    // A check changes nothing, so it takes no one's place.
    const check = await scene.createRun(workspaceId, { kind: "PLAN" });
    expect(await read(back)).toMatchObject({ status: "READY" });
    const newer = await scene.createRun(workspaceId);
    expect((await scene.api.ask(query, { id: back })).run).toEqual({
      status: "CANCELED",
      reason: "Run 5 that a person ordered supersedes it.",
      supersededBy: { id: newer },
    });
    await scene.quick("cancelRun", { runId: check });
    expect(await read(newer)).toMatchObject({ status: "READY" });
  });

  it("that a person's deployment ends, once a runner has it", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    const job = await scene.claim(back);
    const newer = await scene.createRun(workspaceId);
    expect(await read(newer)).toMatchObject({ status: "QUEUED" });
    await job.plan();
    expect(await read(back)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL" });
  });

  it("that the deployment of a machine ends", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    const machine = await scene.login("WRITER", { name: `ci-${name}`, actor: "MACHINE" });
    await scene.send("createRun", { workspaceId, kind: "DEPLOY" }, machine);
    expect(await read(back)).toMatchObject({ status: "READY" });
  });

  it("where a person has ordered something newer", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const failed = await applied("failed");
    const newer = await scene.createRun(workspaceId);
    await verifications.step();
    expect((await runsAfter(failed)).map(({ id }) => id)).toEqual([newer]);
  });
});

it("the judgement of a person is a reason to go back as well", async () => {
  await settings("PROPOSE");
  const good = await applied("passed");
  const runId = await unverified();
  await conclude(scene.api, { runId, judgement: "BAD", comment: "The shop is empty." });
  expect((await read(await rolledBack(runId)))["rollsBackTo"]).toEqual({ id: good });
});

describe("a verification that fails at the same instant", () => {
  /** An apply whose check has failed, before any server has looked at it. */
  async function red(): Promise<string> {
    const runId = await unverified();
    await answer("failed");
    return runId;
  }
  /** How often a run has failed, by its events. */
  async function failuresOf(runId: string): Promise<number> {
    const query =
      "query ($id: ID!) { run(id: $id) { events(first: 100) { edges { node { ... on RunStatusChanged { to } } } } } }";
    const { edges } = (await scene.api.ask(query, { id: runId })).run.events;
    return edges.filter(({ node }: Data) => node["to"] === "FAILED").length;
  }

  it("on two servers and by a person fails its run once, and goes back once", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const runId = await red();
    await using other = startVerificationWork(scene.server.deps, toldProber());
    const [, , judged] = await Promise.all([
      verifications.step(),
      other.step(),
      conclude(scene.api, { runId, judgement: "BAD", comment: "The shop is empty." }),
    ]);
    expect(["ConcludeVerificationSuccess", "RunStateConflictError"]).toContain(judged["__typename"]);
    for (let round = 0; round < 2; round++) await Promise.all([verifications.step(), other.step()]);
    expect((await read(runId))["status"]).toBe("FAILED");
    expect(await failuresOf(runId)).toBe(1);
    expect(await runsAfter(runId)).toHaveLength(1);
  });

  it("in two workspaces goes back once in each", async () => {
    const first = workspaceId;
    name = `back-${++count}`;
    const second = await scene.createWorkspace({ name, planApproval: "WHEN_REQUIRED" });
    await createCheck(scene.api, service, { stages: ["POST_APPLY"], level: "MANDATORY", selector: { names: [name] } });
    const failed = new Map<string, string>();
    for (workspaceId of [first, second]) {
      await settings("PROPOSE");
      await applied("passed");
    }
    for (workspaceId of [first, second]) failed.set(workspaceId, await red());
    await using other = startVerificationWork(scene.server.deps, toldProber());
    for (let round = 0; round < 2; round++) await Promise.all([verifications.step(), other.step()]);
    for (const [id, runId] of failed) {
      workspaceId = id;
      expect(await failuresOf(runId)).toBe(1);
      expect(await runsAfter(runId)).toHaveLength(1);
    }
  });
});

it("the run to go back to is shown to those who may read the run alone", async () => {
  const good = await applied("passed");
  const failed = await applied("failed");
  const { domain } = scene.server;
  const elsewhere = { ...admin, rights: rightsOf([onWorkspace("ADMIN", "ws_00000000000000000000000000")]) };
  const reader = { ...admin, rights: rightsOf([onWorkspace("READER", workspaceId)]) };
  expect(await domain.rollbackCandidates(reader, [failed, good])).toEqual([good, null]);
  expect(await domain.rollbackCandidates(elsewhere, [failed])).toEqual([null]);
});

describe("a rollback of a rollback", () => {
  it("takes the source of the run that the first one went back to", async () => {
    await settings("PROPOSE");
    const good = await applied("passed");
    const back = await rolledBack(await applied("failed"));
    await applied("passed", back);
    await applied("passed");
    const again = await scene.quick("rollbackRun", { runId: back });
    expect(await read(again)).toMatchObject({ trigger: "ROLLBACK", rollsBackTo: { id: back } });
    const sourceOf = async (id: string): Promise<Data[]> =>
      scene.rows("select source_blob_id, revision from run where id = $1", id);
    expect(await sourceOf(again)).toEqual(await sourceOf(good));
  });

  it("that was applied and verified is what the next failure goes back to", async () => {
    await settings("PROPOSE");
    await applied("passed");
    const back = await rolledBack(await applied("failed"));
    await applied("passed", back);
    expect((await read(await rolledBack(await applied("failed"))))["rollsBackTo"]).toEqual({ id: back });
  });

  it.each(["PROPOSE", "AUTO_SAFE"])("of a person that fails is followed by none, with %s", async (mode) => {
    await settings(mode);
    const good = await applied("passed");
    await applied("passed");
    const back = await scene.quick("rollbackRun", { runId: good });
    await applied("failed", back);
    expect((await read(back))["failure"]).toMatchObject({ code: "MANUAL_ROLLBACK_FAILED" });
    await verifications.step();
    expect(await runsAfter(back)).toEqual([]);
  });
});

it("a rollback of a person that fails has a code of its own", async () => {
  const good = await applied("passed");
  await applied("passed");
  const back = await scene.quick("rollbackRun", { runId: good });
  await applied("failed", back);
  expect(await read(back)).toMatchObject({
    rollsBackTo: { id: good },
    failure: { code: "MANUAL_ROLLBACK_FAILED", cause: "DEPLOYMENT_VERIFICATION_FAILED", retryable: false },
  });
});
