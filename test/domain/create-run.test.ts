import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN_RUN = "run_00000000000000000000000000";
const ENTRY = { key: "a", value: "b" };

const actionOf = (run: Data, name: string): Data => run.actions.find(({ action }: Data) => action === name);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it.each(
  walk(
    [
      ["refreshOnly", { kind: "DESTROY", refreshOnly: true }],
      ["refreshOnly", { kind: "UNLOCK", refreshOnly: true }],
      ["replace", { kind: "DESTROY", replace: ["terraform_data.a"] }],
      ["replace", { kind: "UNLOCK", replace: ["terraform_data.a"] }],
      ["replace", { refreshOnly: true, replace: ["terraform_data.a"] }],
      ["replace.0", { replace: ["-destroy"] }],
      ["replace", { replace: ["a.b", "a.b"] }],
      ["targets", { kind: "UNLOCK", targets: ["a.b"] }],
      ["planRunId", { kind: "APPLY" }],
      ["planRunId", { planRunId: UNKNOWN_RUN }],
      ["planRunId", { kind: "APPLY", planRunId: UNKNOWN_RUN }],
      ["planRunId", { kind: "APPLY", planRunId: "\0" }],
      ["targets", { kind: "APPLY", planRunId: UNKNOWN_RUN, targets: ["a.b"] }],
      ["command", { command: "true" }],
      ["command", { kind: "UNLOCK", command: "" }],
      ["kind", { kind: "TASK", command: "true" }],
      ["metadata.0.key", { metadata: [{ key: " ", value: "" }] }],
      ["metadata.0.key", { metadata: [{ key: "x".repeat(101), value: "" }] }],
      ["metadata.0.key", { metadata: [{ key: "a\nb", value: "" }] }],
      ["metadata.0.key", { metadata: [{ key: "\ud800", value: "" }] }],
      ["metadata.1.value", { metadata: [ENTRY, { key: "b", value: "x".repeat(1001) }] }],
      ["metadata.1.value", { metadata: [ENTRY, { key: "b", value: "\0" }] }],
      ["metadata.1.value", { metadata: [ENTRY, { key: "b", value: "\udc00" }] }],
      ["metadata", { metadata: [ENTRY, { ...ENTRY, value: "other" }] }],
      ["metadata", { metadata: Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, value: "" })) }],
      ["priority", { priority: 101 }],
      ["priority", { priority: -101 }],
      ["scheduledAt", { scheduledAt: "2020-01-01T00:00:00Z" }],
      ["message", { message: "x".repeat(10_001) }],
      ["message", { message: "a\0b" }],
      ["idempotencyKey", { idempotencyKey: "" }],
      ["idempotencyKey", { idempotencyKey: "x".repeat(256) }],
      ["idempotencyKey", { idempotencyKey: "a\0b" }],
      ["targets.0", { targets: ["-var=x"] }],
    ],
    12,
  ),
)("refuses a bad %s: %j", async (path, input) => {
  const workspaceId = await scene.createWorkspace();
  const answer = await scene.send("createRun", { workspaceId, ...input });
  expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
  expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(0);
});

it("refuses several faults at once", async () => {
  const workspaceId = await scene.createWorkspace();
  const input = { kind: "TASK", command: " ", planRunId: "x", replace: ["a.b"], message: "\0", priority: 1000 };
  const { issues } = await scene.send("createRun", { workspaceId, ...input });
  expect(issues.map(({ path }: Data) => path.join("."))).toEqual([
    "message",
    "priority",
    "planRunId",
    "replace",
    "kind",
  ]);
});

it("says which setting allows a task, and takes one where it is set", async () => {
  const workspaceId = await scene.createWorkspace();
  const input = { workspaceId, kind: "TASK", command: "terraform output" };
  expect((await scene.send("createRun", input)).message).toContain("tasksAllowed");
  await scene.rows("update workspace set tasks_allowed = true where id = $1", workspaceId);
  for (const command of [undefined, "", " \n", "x".repeat(10_001), "a\0b"]) {
    const answer = await scene.send("createRun", { ...input, command });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["command"] }] });
  }
  const { run } = await scene.send("createRun", input);
  expect(run).toMatchObject({ kind: "TASK", leg: "TASK", status: "AWAITING_APPLY_APPROVAL", command: input.command });
  expect(run.revision).toMatch(/^[0-9a-f]{64}$/);
  await scene.send("discardRun", { runId: run.id });
  const retried = await scene.send("retryRun", { runId: run.id });
  expect(retried.run).toMatchObject({ kind: "TASK", command: input.command, revision: run.revision });
  await scene.send("discardRun", { runId: retried.run.id });
  await scene.rows("update workspace set tasks_allowed = false where id = $1", workspaceId);
  const refused = await scene.send("retryRun", { runId: run.id });
  expect(refused).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["runId"] }] });
  expect(actionOf(await scene.run(run.id), "RETRY")).toMatchObject({ allowed: false, code: "INVALID_INPUT" });
});

it("takes no source for an UNLOCK, which is an admin's", async () => {
  const path = await scene.server.makeSource("unlocked", { "main.tf": "" });
  const workspaceId = await scene.createWorkspace({ source: { directory: { path } } });
  await scene.rows(`update workspace set source = '{"type":"directory","path":"/nowhere"}' where id = $1`, workspaceId);
  const input = { workspaceId, kind: "UNLOCK", message: "stuck" };
  const approver = await scene.login("APPROVER");
  expect(await scene.send("createRun", input, approver)).toMatchObject({ code: "FORBIDDEN" });
  const { run } = await scene.send("createRun", input, scene.api, EVERY_PART);
  expect(run).toMatchObject({ kind: "UNLOCK", leg: "TASK", status: "READY", revision: null, plan: null });
  await scene.send("cancelRun", { runId: run.id });
  expect(await scene.send("retryRun", { runId: run.id }, approver)).toMatchObject({ code: "FORBIDDEN" });
  expect((await scene.send("retryRun", { runId: run.id })).run).toMatchObject({ kind: "UNLOCK", status: "READY" });
});

it("keeps what goes with a run, and gives the runner what is to be made anew", async () => {
  const workspaceId = await scene.createWorkspace();
  const metadata = [
    { key: "pr", value: "12" },
    { key: "__proto__", value: "x" },
  ];
  const input = { replace: ["terraform_data.a[0]"], metadata, priority: -100 };
  const { run } = await scene.send("createRun", { workspaceId, ...input }, scene.api, EVERY_PART);
  expect(run).toMatchObject({ ...input, metadata: metadata.toReversed(), scheduledAt: null, command: null });
  const job = await scene.claim(run.id);
  expect(job.job.replace).toEqual(input.replace);
  await job.plan();
  const replan = (replace?: unknown) => scene.send("replanRun", { runId: run.id, planVersion: 1, replace });
  expect((await replan(["a b"])).issues).toMatchObject([{ path: ["replace", "0"] }]);
  expect((await replan([])).run).toMatchObject({ status: "REPLAN_REQUESTED", replace: [] });
  expect((await scene.claim(run.id)).job.replace).toEqual([]);
});

it.each([
  ["DESTROY", {}],
  ["DEPLOY", { refreshOnly: true }],
])("replans a %s with nothing to be made anew: %j", async (kind, options) => {
  const workspaceId = await scene.createWorkspace();
  const runId = await scene.createRun(workspaceId, { kind, ...options });
  await (await scene.claim(runId)).plan();
  const answer = await scene.send("replanRun", { runId, planVersion: 1, replace: ["a.b"] });
  expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["replace"] }] });
  expect((await scene.send("replanRun", { runId, planVersion: 1, replace: [] })).run.replace).toEqual([]);
});

it("keeps a run in the queue until its time, and does so once for a request that is repeated afterwards", async () => {
  const workspaceId = await scene.createWorkspace();
  const scheduledAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
  const input = { workspaceId, scheduledAt, idempotencyKey: "k" };
  const { run } = await scene.send("createRun", input);
  expect(run).toMatchObject({ status: "QUEUED", scheduledAt });
  scene.server.advance(60_000);
  expect(await scene.send("createRun", input)).toMatchObject({ created: false, run: { id: run.id } });
  expect((await scene.send("createRun", { ...input, idempotencyKey: null })).issues).toMatchObject([
    { path: ["scheduledAt"] },
  ]);
});

it("finds runs by what was noted with them", async () => {
  const workspaceId = await scene.createWorkspace();
  const a = { key: "pr", value: "12" };
  const b = { key: "team", value: 'ä"\\' };
  const one = await scene.createRun(workspaceId, { metadata: [a, b] });
  const two = await scene.createRun(workspaceId, { metadata: [a] });
  await scene.createRun(workspaceId);
  const query = `query ($filter: RunFilter) { runs(filter: $filter) { totalCount edges { node { id } } } }`;
  const find = async (metadata: unknown) => {
    const { runs } = await scene.api.ask(query, { filter: { workspaceId, metadata } });
    expect(runs.totalCount).toBe(runs.edges.length);
    return runs.edges.map(({ node }: Data) => node.id);
  };
  expect(await find([a])).toEqual([two, one]);
  expect(await find([b, a])).toEqual([one]);
  expect(await find([b, { ...a, value: "13" }])).toEqual([]);
  expect(await find([])).toEqual([]);
  expect(await find(null)).toHaveLength(3);
  for (const value of ["\0", "\ud800"]) expect(await find([{ key: "pr", value }])).toEqual([]);
  const many = { filter: { metadata: Array.from({ length: 51 }, () => a) } };
  const { errors } = await scene.api.send(query, many);
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["filter", "metadata"] }] });
});

it("takes what is empty for what is absent, and keeps what was asked for", async () => {
  const workspaceId = await scene.createWorkspace();
  const answer = await scene.send(
    "createRun",
    { workspaceId, replace: [], targets: [], message: "why 🐘" },
    scene.api,
    EVERY_PART,
  );
  expect(answer).toMatchObject({ created: true, run: { number: 1, kind: "DEPLOY", status: "READY", targets: [] } });
  expect(answer.run).toMatchObject({ message: "why 🐘", leg: "PLAN", version: 2, trigger: "MANUAL", plan: null });
});

it("numbers runs within their workspace without gaps, however many are made at once", async () => {
  const workspaceId = await scene.createWorkspace();
  await Promise.all(Array.from({ length: 12 }, () => scene.createRun(workspaceId)));
  const rows = await scene.rows("select number, status from run where workspace_id = $1 order by number", workspaceId);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(rows).toHaveLength(12);
  expect(rows.filter(({ status }) => status === "READY")).toHaveLength(1);
});

describe("an idempotency key", () => {
  it("gives the first run to the same request, also when that has ended", async () => {
    const workspaceId = await scene.createWorkspace();
    const input = { workspaceId, message: "m", targets: ["a.b"], idempotencyKey: "k" };
    const parts = ["createdBy", "workspace", "metadata"] as const;
    const first = await scene.send("createRun", input, scene.api, parts);
    const second = await scene.send("createRun", { ...input, replace: [] }, scene.api, parts);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.run).toEqual(first.run);
    await scene.send("cancelRun", { runId: first.run.id });
    expect(await scene.send("createRun", input)).toMatchObject({
      created: false,
      run: { id: first.run.id, status: "CANCELED" },
    });
    expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(1);
  });

  it("is in the way of another request, with the run that it belongs to", async () => {
    const workspaceId = await scene.createWorkspace();
    const input = { workspaceId, message: "m", targets: ["a.b"], idempotencyKey: "k" };
    const first = await scene.send("createRun", input);
    const others = [
      { message: "n" },
      { targets: ["a.c"] },
      { targets: null },
      { kind: "DESTROY" },
      { replace: ["a.b"] },
      { refreshOnly: true },
      { priority: 1 },
      { metadata: [{ key: "a", value: "b" }] },
      { scheduledAt: "2100-01-01T00:00:00Z" },
    ];
    for (const other of others) {
      const answer = await scene.send("createRun", { ...input, ...other });
      expect(answer).toMatchObject({ code: "IDEMPOTENCY_CONFLICT", run: { id: first.run.id, number: 1 } });
    }
    expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(1);
  });

  it("makes one run of two requests at once", async () => {
    const workspaceId = await scene.createWorkspace();
    const input = { workspaceId, idempotencyKey: "k" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.send("createRun", input)));
    expect(new Set(answers.map(({ run }) => run.id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(1);
  });

  it("makes one run of two different requests at once, and tells the other", async () => {
    const workspaceId = await scene.createWorkspace();
    const answers = await Promise.all(
      ["a", "b"].map((message) => scene.send("createRun", { workspaceId, message, idempotencyKey: "k" })),
    );
    expect(answers.map(({ __typename }): string => __typename).toSorted()).toEqual([
      "CreateRunSuccess",
      "IdempotencyConflictError",
    ]);
  });

  it("belongs to one actor and one workspace", async () => {
    const workspaceId = await scene.createWorkspace();
    const robot = await scene.login("WRITER", { actor: "MACHINE" });
    const input = { workspaceId, idempotencyKey: "k" };
    const mine = await scene.send("createRun", input, scene.api, ["createdBy"]);
    const its = await scene.send("createRun", input, robot, ["createdBy"]);
    const elsewhere = await scene.send("createRun", { ...input, workspaceId: await scene.createWorkspace() });
    expect([mine.created, its.created, elsewhere.created]).toEqual([true, true, true]);
    expect(new Set([mine.run.id, its.run.id, elsewhere.run.id]).size).toBe(3);
    expect(mine.run).toMatchObject({ trigger: "MANUAL", createdBy: { __typename: "User", name: "admin" } });
    expect(its.run).toMatchObject({ trigger: "API", createdBy: { __typename: "MachineUser", id: robot.actorId } });
  });

  it("is free again after a day", async () => {
    const workspaceId = await scene.createWorkspace();
    const input = { workspaceId, idempotencyKey: "k" };
    const first = await scene.send("createRun", input);
    scene.server.advance(DAY_MS - 60_000);
    expect(await scene.send("createRun", input)).toMatchObject({ created: false, run: { id: first.run.id } });
    expect((await scene.send("createRun", { ...input, kind: "DESTROY" })).code).toBe("IDEMPOTENCY_CONFLICT");
    scene.server.advance(60_001);
    const second = await scene.send("createRun", { ...input, kind: "DESTROY" });
    expect(second).toMatchObject({ created: true, run: { number: 2 } });
    // From then on the key is the second run's.
    expect((await scene.send("createRun", input)).run.id).toBe(second.run.id);
  });

  it("answers a repeated request also where the folder is gone", async () => {
    const path = await scene.server.makeSource("gone", { "main.tf": "" });
    const workspaceId = await scene.createWorkspace({ source: { directory: { path } } });
    const input = { workspaceId, idempotencyKey: "k" };
    const first = await scene.send("createRun", input);
    await scene.rows(
      `update workspace set source = '{"type":"directory","path":"/nowhere"}' where id = $1`,
      workspaceId,
    );
    expect(await scene.send("createRun", input)).toMatchObject({ created: false, run: { id: first.run.id } });
    const answer = await scene.send("createRun", { workspaceId });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["source", "directory", "path"] }] });
  });
});
