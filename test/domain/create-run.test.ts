import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it.each([
  ["refreshOnly", { kind: "DESTROY", refreshOnly: true }],
  ["kind", { kind: "APPLY" }],
  ["kind", { kind: "UNLOCK" }],
  ["kind", { kind: "TASK" }],
  ["replace", { replace: ["terraform_data.a"] }],
  ["planRunId", { planRunId: "run_00000000000000000000000000" }],
  ["message", { message: "x".repeat(10_001) }],
  ["message", { message: "a\0b" }],
  ["idempotencyKey", { idempotencyKey: "" }],
  ["idempotencyKey", { idempotencyKey: "x".repeat(256) }],
  ["idempotencyKey", { idempotencyKey: "a\0b" }],
  ["targets.0", { targets: ["-var=x"] }],
])("refuses a bad %s: %j", async (path, input) => {
  const workspaceId = await scene.createWorkspace();
  const answer = await scene.send("createRun", { workspaceId, ...input });
  expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
  expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(0);
});

it("refuses several faults at once", async () => {
  const workspaceId = await scene.createWorkspace();
  const input = { kind: "TASK", planRunId: "x", replace: ["a.b"], message: "\0" };
  const { issues } = await scene.send("createRun", { workspaceId, ...input });
  expect(issues.map(({ path }: Data) => path.join("."))).toEqual(["kind", "message", "replace", "planRunId"]);
});

it("takes what is empty for what is absent, and keeps what was asked for", async () => {
  const workspaceId = await scene.createWorkspace();
  const answer = await scene.send("createRun", { workspaceId, replace: [], targets: [], message: "why 🐘" });
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
    const first = await scene.send("createRun", input);
    const second = await scene.send("createRun", { ...input, replace: [] });
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
    for (const other of [{ message: "n" }, { targets: ["a.c"] }, { targets: null }, { kind: "DESTROY" }]) {
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
    const mine = await scene.send("createRun", input);
    const its = await scene.send("createRun", input, robot);
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
