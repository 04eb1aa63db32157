/** What must not be had by the way: the gates of a saved plan, applies that are to be left out, locks of others. */
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { CompiledQuery } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { Api, Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { openScene, report, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  // Rules that nobody could satisfy are refused.
  await scene.person("APPROVER");
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const rule = (name: string, kinds: string[], more: object = {}) => ({
  name,
  gate: "PLAN",
  kinds,
  minimum: 1,
  approverIds: [],
  excludeRequester: false,
  distinctFromPlanApprover: false,
  commentRequired: false,
  ...more,
});
const setRules = (workspaceId: string, ...approvalRules: object[]) =>
  scene.quick("updateWorkspace", { workspaceId, approvalRules });

describe("an APPLY skips its plan gate only where the approvals of its PLAN run are what its own rules ask for", () => {
  const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
  const BOTH = ["PLAN", "APPLY"];

  /** A PLAN run that `by` approved under the rules, then an APPLY of it under other ones. */
  async function applied(before: object[], after: object[], by?: Api, requester?: Api): Promise<string> {
    const workspaceId = await scene.createWorkspace(EAGER);
    await setRules(workspaceId, ...before);
    const planRunId = await scene.plan(workspaceId);
    await scene.send("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 }, by);
    expect((await scene.run(planRunId, "outcome")).outcome).toBe("PLANNED");
    await setRules(workspaceId, ...after);
    const { run } = await scene.send("createRun", { workspaceId, kind: "APPLY", planRunId }, requester);
    return run.status;
  }

  it("of the same rule", async () => {
    const rules = [rule("review", BOTH)];
    expect(await applied(rules, rules)).toBe("CONFIRMED");
  });

  it("not of a weaker rule that plans have", async () => {
    const rules = [rule("look", ["PLAN"]), rule("security", ["APPLY"], { excludeRequester: true })];
    expect(await applied(rules, rules)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("not where a stage was added, or more people are asked, afterwards", async () => {
    const review = rule("review", BOTH);
    expect(await applied([review], [review, rule("security", BOTH)])).toBe("AWAITING_PLAN_APPROVAL");
    expect(await applied([review], [rule("review", BOTH, { minimum: 2 })])).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("not by whoever asks for the apply, where the rule excludes the requester", async () => {
    const rules = [rule("review", BOTH, { excludeRequester: true })];
    const approver = await scene.person("APPROVER");
    expect(await applied(rules, rules, approver, approver)).toBe("AWAITING_PLAN_APPROVAL");
    expect(await applied(rules, rules, approver)).toBe("CONFIRMED");
  });

  it("of any rule, where no rule is left and planApproval asks", async () => {
    const workspaceId = await scene.createWorkspace();
    await setRules(workspaceId, rule("look", ["PLAN"]));
    const planRunId = await scene.plan(workspaceId);
    await scene.quick("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 });
    const { run } = await scene.send("createRun", { workspaceId, kind: "APPLY", planRunId });
    expect(run.status).toBe("AWAITING_APPLY_APPROVAL");
  });
});

describe("HOLDPOINT_SKIP_APPLYING that is set while a runner prepares", () => {
  const skip = (workspaceId: string) =>
    scene.send("setVariable", {
      workspaceId,
      key: "HOLDPOINT_SKIP_APPLYING",
      value: "true",
      category: "ENVIRONMENT",
    });

  it.each(walk(["DEPLOY", "DESTROY", "APPLY"] as const, 1))("keeps a %s from being applied", async (kind) => {
    const { runId, workspaceId, job } = await scene.reach("PREPARING/APPLY", kind);
    await skip(workspaceId);
    expect((await job.message({ type: "prepared" })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "outcome", "appliedAt")).toMatchObject({
      status: "FINISHED",
      outcome: "APPLY_SKIPPED",
      appliedAt: null,
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({ currentRun: null, lock: null });
    expect(await job.heartbeat()).toMatchObject({ status: 410 });
  });

  it("does not end what applies already", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING");
    await skip(workspaceId);
    await job.message({ type: "applied", appliedAddresses: [] });
    expect((await scene.run(runId, "outcome")).outcome).toBe("APPLIED");
  });
});

describe("a runner that has changed nothing locks nobody out, whatever it says", () => {
  it.each(["PREPARING", "PLANNING"] as const)("a speculative plan that is %s", async (place) => {
    const { runId, workspaceId, job } = await scene.reach(place, "PLAN");
    await scene.quick("lockWorkspace", { workspaceId, note: "mine" });
    await job.message({ type: "failed", failure: report("PLAN_FAILED", { stateUncertain: true }) });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { stateUncertain: false },
    });
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "MANUAL", note: "mine" });
  });

  it("an apply before it begins, whose state lock goes with its lease", async () => {
    const { workspaceId, job } = await scene.reach("PREPARING/APPLY");
    await job.lockState("mine");
    await job.message({ type: "failed", failure: report("HANDOVER_FAILED", { stateUncertain: true }) });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null });
  });
});

it("no state is written before the run applies or performs: until then another runner may take it up", async () => {
  const apply = await scene.reach("PREPARING/APPLY");
  const task = { runId: "", workspaceId: await scene.createWorkspace({ tasksAllowed: true }) };
  task.runId = await scene.createRun(task.workspaceId, { kind: "TASK", command: "terraform output" });
  await scene.quick("approveRun", { runId: task.runId, gate: "APPLY", planVersion: 0 });
  const job = await scene.claim(task.runId);
  await job.message({ type: "prepared" });
  const state = { version: 4, serial: 1, lineage: "l", outputs: {} };
  for (const one of [apply.job, job]) {
    await one.lockState("mine");
    expect(await one.writeState("mine", state)).toMatchObject({ status: 409, body: { code: "OUT_OF_ORDER" } });
  }
  await apply.job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  for (const one of [apply.job, job]) expect((await one.writeState("mine", state)).status).toBe(200);
});

it("unlocking by force leaves the state lock of a run that plans again meanwhile", async () => {
  const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { lockScope: "EXECUTION" });
  const lost = await scene.createRun(workspaceId);
  await (await scene.claim(lost)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId: lost, gate, planVersion: 1 });
  await (await scene.claim(lost)).message({ type: "prepared" });
  await scene.quick("replanRun", { runId, planVersion: 1 });
  scene.server.advance(60_000);
  await loseExpiredLeases(scene.server.deps);
  expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "APPLY_INTERRUPTED", run: { id: lost } });
  await (await scene.claim(runId)).lockState("alive");
  await scene.quick("unlockWorkspace", { workspaceId, force: true });
  expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: { id: "alive" } });
});

describe("what a workspace no longer is when its turn comes", () => {
  /** Sends a command that finds the workspace as it is and, under its lock, as `text` leaves it. */
  async function meanwhile(workspaceId: string, text: string, send: () => Promise<Data>): Promise<Data> {
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = scene.server.deps.database.transaction(async (tx) => {
      await tx.sql.executeQuery(CompiledQuery.raw(text, [workspaceId]));
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const answer = send();
    const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await scene.rows(waits)).length === 0);
    released.resolve();
    await holding;
    return answer;
  }

  it("takes no task that it has stopped taking", async () => {
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true });
    const input = { workspaceId, kind: "TASK", command: "terraform output" };
    const off = "update workspace set tasks_allowed = false where id = $1";
    const answer = await meanwhile(workspaceId, off, () => scene.send("createRun", input));
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["kind"] }] });
    expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(0);
  });

  it.each(walk(["retryRun", "promoteRun", "rollbackRun", "commentOnRun"] as const, 1))(
    "%s finds no run of one that is deleted at this moment",
    async (command) => {
      const { workspaceId, runId } = await scene.reach("FAILED", "PLAN");
      const input = { runId, ...(command === "commentOnRun" && { text: "hello" }) };
      const gone = "update workspace set deleted_at = now() where id = $1";
      const answer = await meanwhile(workspaceId, gone, () => scene.send(command, input));
      expect(answer).toMatchObject({ code: "NOT_FOUND" });
    },
  );
});

it("secrets that an APPLY brings back from its PLAN run are masked in what follows", async () => {
  const workspaceId = await scene.createWorkspace();
  const set = (value: string) =>
    scene.send("setVariable", { workspaceId, key: "password", value, sensitive: true, category: "ENGINE" });
  await set("earlier-value");
  const planRunId = await scene.plan(workspaceId);
  await set("later-value");
  // As many former secrets as are kept were replaced since.
  await scene.rows("delete from former_secret where workspace_id = $1", workspaceId);
  const { run } = await scene.send("createRun", { workspaceId, kind: "APPLY", planRunId });
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId: run.id, gate, planVersion: 1 });
  await (await scene.claim(run.id)).apply(2);
  await scene.send("retryRun", { runId: run.id });
  const next = await scene.claim(await scene.createRun(workspaceId, { kind: "PLAN" }));
  expect(next.job.secrets.toSorted()).toEqual(["earlier-value", "later-value"]);
  expect(await scene.rows("select id from former_secret where workspace_id = $1", workspaceId)).toHaveLength(1);
});

describe("what was approved before an apply was lost is not applied over whatever that one did", () => {
  const EXECUTION = { lockScope: "EXECUTION" };
  const approve = async (runId: string): Promise<void> => {
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  };

  /** The apply is lost; somebody checks and unlocks. */
  async function lose(workspaceId: string, runId: string): Promise<void> {
    await (await scene.claim(runId)).message({ type: "prepared" });
    scene.server.advance(60_000);
    await loseExpiredLeases(scene.server.deps);
    expect((await scene.run(runId, "failure")).failure).toMatchObject({ code: "RUNNER_LOST", stateUncertain: true });
    await scene.quick("unlockWorkspace", { workspaceId, force: true });
  }

  it("another run's plan of the same state neither, where the workspace is let go at the gates", async () => {
    const workspaceId = await scene.createWorkspace(EXECUTION);
    const runs = [await scene.createRun(workspaceId), await scene.createRun(workspaceId)] as const;
    for (const runId of runs) await (await scene.claim(runId)).plan();
    for (const runId of runs) await approve(runId);
    await lose(workspaceId, runs[0]);
    await expect(scene.claim(runs[1])).rejects.toThrow("not to be claimed");
    expect((await scene.run(runs[1], "failure")).failure).toMatchObject({
      code: "PLAN_STALE",
      summary: "The state moved, or may have moved, after the plan was made.",
      message: "Run 1 ended since the approval, and its changes are not known. Nothing was applied. Create a new run.",
      stateUncertain: false,
    });
  });

  it("the same saved plan fails at its claim; retried after the unlock, it is applied", async () => {
    const workspaceId = await scene.createWorkspace(EXECUTION);
    const planRunId = await scene.plan(workspaceId);
    const first = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    const second = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await approve(first);
    await approve(second);
    await lose(workspaceId, first);
    await expect(scene.claim(second)).rejects.toThrow("not to be claimed");
    expect(await scene.run(second, "status", "failure", "reason")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_STALE", stateUncertain: false },
      reason: expect.stringContaining("its changes are not known"),
    });
    const { run } = await scene.send("retryRun", { runId: second });
    await approve(run.id);
    expect((await scene.claim(run.id)).job.leg).toBe("APPLY");
  });

  it("a plan that is approved after the unlock is applied", async () => {
    const { workspaceId, runId, job } = await scene.reach("PREPARING", "DEPLOY", EXECUTION);
    await job.plan();
    const other = await scene.createRun(workspaceId);
    await (await scene.claim(other)).plan();
    await approve(other);
    await lose(workspaceId, other);
    await approve(runId);
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });
});
