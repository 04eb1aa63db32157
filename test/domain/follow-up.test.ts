/** Promotion and rollback: new runs of what was planned, and of what was applied. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, openScene, type Place, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const actionOf = (run: Data, name: string): Data => run.actions.find(({ action }: Data) => action === name);

/** A workspace whose source and variable can be changed. */
async function changing(name: string) {
  const path = await scene.server.makeSource(name, { "main.tf": "# one" });
  const workspaceId = await scene.createWorkspace({ source: { directory: { path } } });
  const set = async (text: string) => {
    await writeFile(join(path, "main.tf"), `# ${text}`);
    await scene.send("setVariable", { workspaceId, key: "size", value: text });
  };
  await set("one");
  return { workspaceId, set };
}

async function deploy(workspaceId: string, serial: number, input: object = {}): Promise<string> {
  const runId = await scene.createRun(workspaceId, input);
  await (await scene.claim(runId)).plan();
  await finish(runId, serial);
  return runId;
}

async function finish(runId: string, serial: number): Promise<void> {
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await (await scene.claim(runId)).apply(serial);
}

describe("promoteRun", () => {
  it.each([true, false])("deploys what a PLAN run planned, with the variables of now; changes: %s", async (changes) => {
    const { workspaceId, set } = await changing(`promoted-${changes}`);
    const options = { targets: ["a.b"], replace: ["a.c"], message: "why", metadata: [{ key: "pr", value: "1" }] };
    const runId = await scene.plan(workspaceId, { ...options, priority: 5 }, { hasChanges: changes });
    const before = await scene.run(runId);
    expect(actionOf(before, "PROMOTE")).toMatchObject({ allowed: true });
    await set("two");
    const { run, created } = await scene.send("promoteRun", { runId }, scene.api, EVERY_PART);
    expect(created).toBe(true);
    expect(run).toMatchObject({
      ...options,
      kind: "DEPLOY",
      status: "READY",
      trigger: "MANUAL",
      priority: 5,
      revision: before.revision,
      origin: { id: runId },
      plan: null,
    });
    expect((await scene.claim(run.id)).job.variables).toMatchObject([{ key: "size", value: "two" }]);
    expect(await scene.run(runId)).toEqual(before);
  });

  it("takes another message, metadata and priority; a machine's trigger is API", async () => {
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.plan(workspaceId, { message: "a", metadata: [{ key: "a", value: "b" }] });
    const input = { runId, message: "b", metadata: [], priority: -1 };
    const { run } = await scene.send(
      "promoteRun",
      input,
      await scene.login("WRITER", { actor: "MACHINE" }),
      EVERY_PART,
    );
    expect(run).toMatchObject({ message: "b", metadata: [], priority: -1, trigger: "API" });
  });

  it.each(walk(["QUEUED", "READY", "PLANNING", "FAILED", "CANCELED", "STOPPED"] as const, 2))(
    "refuses a PLAN run that is %s",
    async (place) => {
      const { runId } = await scene.reach(place === "QUEUED" ? "READY" : place, "PLAN");
      const before = await scene.run(runId);
      const answer = await scene.send("promoteRun", { runId });
      expect(answer).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId } });
      expect(actionOf(before, "PROMOTE")).toMatchObject({ allowed: false, code: answer.code, reason: answer.message });
      expect(await scene.run(runId)).toEqual(before);
    },
  );

  it("refuses a run that is no plan, whatever became of it", async () => {
    for (const place of ["READY", "FINISHED"] as const) {
      const { runId } = await scene.reach(place);
      expect(await scene.send("promoteRun", { runId })).toMatchObject({ issues: [{ path: ["runId"] }] });
      expect(actionOf(await scene.run(runId), "PROMOTE")).toMatchObject({ allowed: false, code: "INVALID_INPUT" });
    }
  });
});

describe("rollbackRun", () => {
  it("deploys source and variables of an applied run, as a whole, and so does its retry", async () => {
    const { workspaceId, set } = await changing("back");
    const first = await deploy(workspaceId, 1, { targets: ["a.b"], replace: ["a.c"], message: "m", priority: 4 });
    await set("two");
    const second = await deploy(workspaceId, 2);
    const before = await scene.run(first);
    expect(actionOf(before, "ROLLBACK")).toMatchObject({ allowed: true });
    expect((await scene.run(second, "revision")).revision).not.toBe(before.revision);
    const { run } = await scene.send("rollbackRun", { runId: first, message: "it broke" }, scene.api, EVERY_PART);
    expect(run).toMatchObject({
      kind: "DEPLOY",
      trigger: "ROLLBACK",
      status: "READY",
      revision: before.revision,
      origin: { id: first },
      message: "it broke",
      targets: [],
      replace: [],
      metadata: [],
      priority: 0,
    });
    const job = await scene.claim(run.id);
    expect(job.job.variables).toMatchObject([{ key: "size", value: "one" }]);
    await job.plan();
    let last = run.id;
    for (const _ of ["once", "twice"]) {
      await scene.send("discardRun", { runId: last });
      const { run: retried } = await scene.send("retryRun", { runId: last });
      const again = await scene.claim(retried.id);
      expect(again.job.variables).toMatchObject([{ key: "size", value: "one" }]);
      await again.plan();
      last = retried.id;
    }
    await finish(last, 3);
    expect(await scene.run(last, "outcome", "trigger")).toMatchObject({ outcome: "APPLIED", trigger: "RETRY" });
    expect(await scene.run(first)).toEqual(before);
  });

  it("has the sensitive and the environment variables of now, and so has its retry", async () => {
    const { workspaceId, set } = await changing("back-with-credentials");
    const credentials = async (value: string) => {
      const all = [
        { key: "password", sensitive: true },
        { key: "REGION", category: "ENVIRONMENT" },
        { key: "TOKEN", category: "ENVIRONMENT", sensitive: true },
      ];
      for (const variable of all) await scene.send("setVariable", { workspaceId, value, ...variable });
    };
    await credentials("credential-1");
    const first = await deploy(workspaceId, 1);
    await set("two");
    await credentials("credential-2");
    await scene.send("setVariable", { workspaceId, key: "later", value: "two" });
    const valuesOf = async (runId: string) => {
      const claimed = await scene.claim(runId);
      await claimed.plan();
      return Object.fromEntries(claimed.job.variables.map(({ key, value }) => [key, value]));
    };
    const { run } = await scene.send("rollbackRun", { runId: first });
    const expected = { size: "one", password: "credential-2", REGION: "credential-2", TOKEN: "credential-2" };
    expect(await valuesOf(run.id)).toEqual(expected);
    await scene.send("discardRun", { runId: run.id });
    await credentials("credential-3");
    const { run: retried } = await scene.send("retryRun", { runId: run.id });
    expect(await valuesOf(retried.id)).toEqual({
      size: "one",
      password: "credential-3",
      REGION: "credential-3",
      TOKEN: "credential-3",
    });
    await scene.send("discardRun", { runId: retried.id });
    const next = await scene.createRun(workspaceId);
    expect(await valuesOf(next)).toMatchObject({ size: "two", later: "two", password: "credential-3" });
  });

  it("warns that the next run undoes the rollback, and so does its retry", async () => {
    const workspaceId = await scene.createWorkspace();
    const first = await deploy(workspaceId, 1);
    const { run } = await scene.send("rollbackRun", { runId: first });
    await scene.send("cancelRun", { runId: run.id });
    const { run: retried } = await scene.send("retryRun", { runId: run.id });
    const plain = await scene.createRun(workspaceId);
    const warnings = async (runId: string) => (await scene.run(runId, "warnings")).warnings;
    expect(await warnings(run.id)).toEqual([
      expect.stringMatching(/^This run goes back to run 1: .* undoes the rollback/),
    ]);
    expect(await warnings(retried.id)).toEqual(await warnings(run.id));
    expect(await warnings(plain)).toEqual([]);
  });

  it("goes back to what an APPLY applied: source and variables of its PLAN run", async () => {
    const { workspaceId, set } = await changing("back-to-apply");
    const planRunId = await scene.plan(workspaceId);
    await set("two");
    const applied = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await finish(applied, 1);
    const { run } = await scene.send("rollbackRun", { runId: applied }, scene.api, EVERY_PART);
    expect(run).toMatchObject({ revision: (await scene.run(planRunId, "revision")).revision, origin: { id: applied } });
    expect((await scene.claim(run.id)).job.variables).toMatchObject([{ key: "size", value: "one" }]);
  });

  it.each(walk(["READY", "AWAITING_APPLY_APPROVAL", "APPLYING", "FAILED", "DISCARDED"] as Place[], 2))(
    "refuses a run that is %s",
    async (place) => {
      const { runId } = await scene.reach(place);
      const before = await scene.run(runId);
      const answer = await scene.send("rollbackRun", { runId });
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["runId"] }] });
      expect(actionOf(before, "ROLLBACK")).toMatchObject({ allowed: false, code: "INVALID_INPUT" });
      expect(await scene.run(runId)).toEqual(before);
    },
  );

  it("refuses what applied no configuration: a destroy, a refresh, a plan, an unlock", async () => {
    const workspaceId = await scene.createWorkspace();
    const unlock = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    const refused = [
      (await scene.reach("FINISHED", "DESTROY")).runId,
      await deploy(await scene.createWorkspace(), 1, { refreshOnly: true }),
      await scene.plan(await scene.createWorkspace()),
      unlock,
    ];
    const answers = await Promise.all(refused.map((runId) => scene.send("rollbackRun", { runId })));
    expect(answers.map(({ issues }) => issues?.[0].path)).toEqual(refused.map(() => ["runId"]));
    expect(answers.at(-1).message).toContain("source");
  });
});

describe.each(["promoteRun", "rollbackRun"] as const)("%s", (command) => {
  const subject = async (): Promise<{ runId: string; workspaceId: string }> => {
    const workspaceId = await scene.createWorkspace();
    const runId = await (command === "promoteRun" ? scene.plan(workspaceId) : deploy(workspaceId, 1));
    return { runId, workspaceId };
  };

  it("makes one run of the same request with the same key, and tells another one", async () => {
    const { runId, workspaceId } = await subject();
    const input = { runId, message: "m", idempotencyKey: "k" };
    const answers = await Promise.all([1, 2, 3].map(() => scene.send(command, input)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const [{ run }] = answers;
    expect(new Set(answers.map((answer) => answer.run.id))).toEqual(new Set([run.id]));
    for (const other of [{ message: "n" }, { metadata: [] }, { priority: 0 }]) {
      const answer = await scene.send(command, { ...input, ...other });
      expect(answer).toMatchObject({ code: "IDEMPOTENCY_CONFLICT", run: { id: run.id } });
    }
    expect(await scene.send("createRun", { workspaceId, message: "m", idempotencyKey: "k" })).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
  });

  it("is for whoever may create runs, and not about what does not exist", async () => {
    const { runId } = await subject();
    expect((await scene.send(command, { runId }, await scene.login("READER"))).code).toBe("FORBIDDEN");
    expect((await scene.send(command, { runId }, await scene.login("WRITER"))).code).toBeUndefined();
    expect((await scene.send(command, { runId: "run_1" })).code).toBe("NOT_FOUND");
  });

  it.each(
    walk(
      [
        ["message", { message: "x".repeat(10_001) }],
        ["priority", { priority: 101 }],
        ["metadata.0.key", { metadata: [{ key: "", value: "" }] }],
        ["idempotencyKey", { idempotencyKey: "" }],
      ],
      2,
    ),
  )("refuses a bad %s", async (path, input) => {
    const { runId } = await subject();
    const answer = await scene.send(command, { runId, ...input });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
  });
});
