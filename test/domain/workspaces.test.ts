import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { Data } from "../support/api.ts";
import { openScene, report, type Scene } from "./scene.ts";

let scene: Scene;
let path: string;
beforeAll(async () => {
  scene = await openScene();
  path = await scene.server.makeSource("infra", { "main.tf": "", "sub/main.tf": "" });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const create = (name: string, input: object = {}) =>
  scene.send("createWorkspace", { name, source: { directory: { path } }, ...input });

describe("the name of a workspace", () => {
  it.each(["a", "0", "a-b_c.d", "9.", "x".repeat(90)])("may be %s", async (name) => {
    expect((await create(name)).workspace.name).toBe(name);
  });
  it.each(["", "A", "-a", "_a", ".a", "a b", "a/b", "ä", "a\n", "a\0", "x".repeat(91), "../a"])(
    "may not be %j",
    async (name) => {
      expect(await create(name)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["name"] }] });
    },
  );

  it("is taken once, also by several at once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create("popular")));
    expect(answers.map(({ __typename }): string => __typename).toSorted()).toEqual([
      "CreateWorkspaceSuccess",
      ...Array.from({ length: 4 }, () => "NameTakenError"),
    ]);
    expect(await create("popular")).toMatchObject({ __typename: "NameTakenError", code: "NAME_TAKEN" });
  });
});

describe("the folder of a workspace", () => {
  it("is a folder below a root, its links resolved", async () => {
    await symlink(path, join(scene.server.sourceRoot, "link"));
    expect(
      (await create("by-link", { source: { directory: { path: join(scene.server.sourceRoot, "link") } } })).workspace
        .source,
    ).toEqual({ path });
    expect((await create("relative", { source: { directory: { path: "infra/sub" } } })).workspace.source).toEqual({
      path: join(path, "sub"),
    });
    expect(
      (await create("inner", { source: { directory: { path: `${path}/../infra/./sub/` } } })).workspace.source,
    ).toEqual({
      path: join(path, "sub"),
    });
  });

  it("is refused anywhere else", async () => {
    await symlink("/etc", join(scene.server.sourceRoot, "out"));
    const { sourceRoot } = scene.server;
    const paths = [
      "/etc",
      "..",
      "../..",
      `${sourceRoot}x`,
      join(sourceRoot, "out"),
      join(path, "main.tf"),
      "nothing",
      "a\0",
    ];
    for (const [index, bad] of paths.entries()) {
      const answer = await create(`bad${index}`, { source: { directory: { path: bad } } });
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["source", "directory", "path"] }] });
    }
  });

  it("is checked again when a run is created: a link that leaves it", async () => {
    const leaky = await scene.server.makeSource("leaky", { "main.tf": "" });
    const workspaceId = await scene.createWorkspace({ source: { directory: { path: leaky } } });
    await symlink("../../etc/passwd", join(leaky, "passwd"));
    expect(await scene.send("createRun", { workspaceId })).toMatchObject({ code: "INVALID_INPUT" });
  });
});

it("has settings that are kept, and refuses those that cannot be", async () => {
  const made = await create("settings", { description: "What it is.", planApproval: "WHEN_REQUIRED" });
  expect(made.workspace).toMatchObject({ description: "What it is.", deploymentStatus: "PENDING", lock: null });
  const refused = await create("eager", { autoApply: "ALWAYS", description: "\0" });
  expect(refused.issues.map((issue: Data) => issue.path[0])).toEqual(["description"]);
});

it("was created when the command ran, and a later change does not move that", async () => {
  const { deps } = scene.server;
  const createdAt = async (id: string): Promise<string> =>
    (await scene.api.ask("query ($id: ID!) { workspace(by: { id: $id }) { createdAt } }", { id })).workspace.createdAt;
  const before = deps.clock().toISOString();
  const workspaceId = await scene.createWorkspace();
  const after = deps.clock().toISOString();
  const at = await createdAt(workspaceId);
  expect([before, at, after].toSorted()).toEqual([before, at, after]);
  scene.server.advance(60_000);
  await scene.send("updateWorkspace", { workspaceId, description: "changed" });
  expect(await createdAt(workspaceId)).toBe(at);
  expect((await createdAt(await scene.createWorkspace())) > at).toBe(true);
});

describe("a variable", () => {
  const set = (workspaceId: string, input: object) => scene.send("setVariable", { workspaceId, value: "v", ...input });

  it("is shown unless it is sensitive, and replaced by its key and category", async () => {
    const workspaceId = await scene.createWorkspace();
    await set(workspaceId, { key: "region", value: "eu" });
    await set(workspaceId, { key: "list", value: '["a"]', hcl: true });
    await set(workspaceId, { key: "region", value: "env", category: "ENVIRONMENT" });
    await set(workspaceId, { key: "TOKEN", value: "hunter2", sensitive: true, category: "ENVIRONMENT" });
    const { workspace } = await set(workspaceId, { key: "region", value: "us 🐘" });
    const plain = { sensitive: false, hcl: false };
    expect(workspace.variables).toEqual([
      { key: "list", value: '["a"]', category: "ENGINE", sensitive: false, hcl: true },
      { key: "region", value: "us 🐘", category: "ENGINE", ...plain },
      { key: "TOKEN", value: null, category: "ENVIRONMENT", sensitive: true, hcl: false },
      { key: "region", value: "env", category: "ENVIRONMENT", ...plain },
    ]);
  });

  it.each([
    ["key", { key: "" }],
    ["key", { key: "1a" }],
    ["key", { key: "a b" }],
    ["key", { key: "a=b" }],
    ["key", { key: "x".repeat(256) }],
    ["key", { key: "a-b", category: "ENVIRONMENT" }],
    ["key", { key: "ä", category: "ENVIRONMENT" }],
    ["key", { key: "HOME", category: "ENVIRONMENT" }],
    ["key", { key: "TF_DATA_DIR", category: "ENVIRONMENT" }],
    ["key", { key: "TF_HTTP_ADDRESS", category: "ENVIRONMENT" }],
    ["hcl", { key: "LIST", hcl: true, category: "ENVIRONMENT" }],
    ["value", { key: "a", value: "a\0b" }],
    ["value", { key: "a", value: "x".repeat(256 * 1024 + 1) }],
  ])("is refused for its %s: %j", async (field, input) => {
    const workspaceId = await scene.createWorkspace();
    expect(await set(workspaceId, input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
    expect((await scene.workspace(workspaceId)).variables).toEqual([]);
  });

  it("is frozen in a run when that is created", async () => {
    const workspaceId = await scene.createWorkspace();
    await set(workspaceId, { key: "a", value: "first", sensitive: true });
    const runId = await scene.createRun(workspaceId);
    await set(workspaceId, { key: "a", value: "second" });
    const { job } = await scene.claim(runId);
    expect(job.variables).toEqual([{ key: "a", value: "first", sensitive: true, category: "ENGINE", hcl: false }]);
  });
});

describe("unlocking", () => {
  const lock = (workspaceId: string, actorId: string) =>
    scene.rows(
      "update workspace set lock_reason = 'MANUAL', lock_actor_id = $2, lock_note = 'busy', locked_at = now() where id = $1",
      workspaceId,
      actorId,
    );

  it("what is not locked succeeds", async () => {
    const workspaceId = await scene.createWorkspace();
    expect((await scene.send("unlockWorkspace", { workspaceId })).workspace.lock).toBeNull();
  });

  it("one's own lock needs no force; somebody else's does, and that is an admin's", async () => {
    const workspaceId = await scene.createWorkspace();
    const ada = await scene.login("WRITER");
    const bob = await scene.login("APPROVER");
    const input = { workspaceId };
    await lock(workspaceId, ada.actorId);
    expect(await scene.send("unlockWorkspace", input, bob)).toMatchObject({
      code: "WORKSPACE_LOCKED",
      lock: { reason: "MANUAL", note: "busy" },
    });
    expect(await scene.send("unlockWorkspace", { ...input, force: true }, bob)).toMatchObject({ code: "FORBIDDEN" });
    expect(await scene.send("unlockWorkspace", { ...input, force: true }, ada)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "MANUAL" });
    expect((await scene.send("unlockWorkspace", input, ada)).workspace.lock).toBeNull();
    await lock(workspaceId, ada.actorId);
    expect((await scene.send("unlockWorkspace", input)).code).toBe("WORKSPACE_LOCKED");
    expect((await scene.send("unlockWorkspace", { ...input, force: true, note: "checked" })).workspace.lock).toBeNull();
  });
});

it("the deployment status tells the life of a workspace", async () => {
  const workspaceId = await scene.createWorkspace();
  const status = async () => (await scene.workspace(workspaceId)).deploymentStatus;
  const planned = async (kind = "DEPLOY") => {
    const runId = await scene.createRun(workspaceId, { kind });
    expect(await status()).toBe("DEPLOYING");
    const job = await scene.claim(runId);
    await job.plan();
    return runId;
  };
  const confirmed = async (kind = "DEPLOY") => {
    const runId = await planned(kind);
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    expect(await status()).toBe("DEPLOYING");
    return scene.claim(runId);
  };
  expect(await status()).toBe("PENDING");
  const dropped = await planned();
  expect(await status()).toBe("PENDING");
  await scene.quick("discardRun", { runId: dropped });
  expect(await status()).toBe("PENDING");
  await (await confirmed()).apply(1);
  expect(await status()).toBe("RUNNING");
  const failing = await scene.claim(await scene.createRun(workspaceId));
  const failure = report("INIT_FAILED");
  await failing.message({ type: "failed", failure });
  expect(await status()).toBe("FAILED");
  // A run that nobody wanted says nothing about what is deployed.
  await scene.quick("discardRun", { runId: await planned() });
  expect(await status()).toBe("FAILED");
  await (await confirmed("DESTROY")).apply(2);
  expect(await status()).toBe("DESTROYED");
  await (await confirmed()).apply(3);
  expect(await status()).toBe("RUNNING");
  const lost = await confirmed();
  await lost.message({ type: "prepared" });
  scene.server.advance(31_000);
  await loseExpiredLeases(scene.server.deps);
  expect(await status()).toBe("FAILED");
  await scene.rows("update workspace set paused = true where id = $1", workspaceId);
  expect(await status()).toBe("PAUSED");
});
