import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const update = (workspaceId: string, input: object, api = scene.api) =>
  scene.send("updateWorkspace", { workspaceId, ...input }, api);

describe("updateWorkspace", () => {
  it("changes what is given and leaves the rest; null clears the description", async () => {
    const workspaceId = await scene.createWorkspace({ description: "before" });
    const { name } = await scene.workspace(workspaceId);
    const path = await scene.server.makeSource("other", { "main.tf": "" });
    const changed = await update(workspaceId, {
      planApproval: "WHEN_REQUIRED",
      autoApply: "NO_DESTROY",
      source: { directory: { path } },
    });
    const wanted = { name, description: "before", paused: false, planApproval: "WHEN_REQUIRED", source: { path } };
    expect(changed.workspace).toMatchObject({ ...wanted, autoApply: "NO_DESTROY" });
    expect(await scene.workspace(workspaceId)).toEqual(changed.workspace);

    const cleared = await update(workspaceId, { description: null, name: `${name}-renamed` });
    expect(cleared.workspace).toMatchObject({ ...wanted, name: `${name}-renamed`, description: null });
    expect((await update(workspaceId, {})).workspace).toEqual(cleared.workspace);
  });

  it("takes the changed source for later runs only", async () => {
    const path = await scene.server.makeSource("later", { "main.tf": "# another" });
    const workspaceId = await scene.createWorkspace();
    const before = await scene.createRun(workspaceId);
    await update(workspaceId, { source: { directory: { path } } });
    const after = await scene.createRun(workspaceId);
    expect((await scene.run(before, "revision")).revision).not.toBe((await scene.run(after, "revision")).revision);
  });

  it.each(["name", "source", "planApproval", "autoApply", "paused"])("does not clear %s", async (field) => {
    const workspaceId = await scene.createWorkspace();
    const answer = await update(workspaceId, { [field]: null });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
  });

  it.each([
    ["name", { name: "Upper" }],
    ["name", { name: "" }],
    ["name", { name: "x".repeat(91) }],
    ["description", { description: "x".repeat(10_001) }],
    ["source.directory.path", { source: { directory: { path: "/etc" } } }],
  ])("refuses a bad %s: %j", async (path, input) => {
    const workspaceId = await scene.createWorkspace();
    const before = await scene.workspace(workspaceId);
    const answer = await update(workspaceId, input);
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
    expect(await scene.workspace(workspaceId)).toEqual(before);
  });

  it("names the source roots where a folder does not lie below them", async () => {
    const workspaceId = await scene.createWorkspace();
    const answer = await update(workspaceId, { source: { directory: { path: "/etc" } } });
    const roots = `below ${scene.server.sourceRoot}, the source roots of this server (HOLDPOINT_SOURCE_ROOTS).`;
    expect(answer.issues[0].message).toBe(`must be a folder that exists, ${roots}`);
  });

  it("sends the password of a repository to no other host", async () => {
    const git = (url: string) => ({ source: { git: { url } } });
    const workspaceId = await scene.createWorkspace(git("https://git.example.com/infra"));
    const password = { workspaceId, key: "HOLDPOINT_GIT_PASSWORD", category: "ENVIRONMENT" };
    await scene.send("setVariable", { ...password, value: "s3cret", sensitive: true });
    const path = await scene.server.makeSource("between", { "main.tf": "" });
    const allowed = [
      git("https://GIT.example.com/other"),
      git("ssh://git@other.example/x"),
      { source: { directory: { path } } },
    ];
    for (const source of allowed) expect((await update(workspaceId, source)).code).toBeUndefined();
    // Neither at once nor by a detour.
    const elsewhere = git("https://git.example.com.other.example/infra");
    const refused = { code: "INVALID_INPUT", issues: [{ path: ["source", "git", "url"] }] };
    expect(await update(workspaceId, elsewhere)).toMatchObject(refused);
    expect((await scene.workspace(workspaceId)).source).toEqual({ path });
    await scene.send("deleteVariable", password);
    expect((await update(workspaceId, elsewhere)).code).toBeUndefined();
    await scene.send("setVariable", { ...password, value: "another", sensitive: true });
    expect(await update(workspaceId, git("https://git.example.com.other.example:444/infra"))).toMatchObject(refused);
  });

  it("refuses a name that is in use, also where two want it at once", async () => {
    const [one, two] = await Promise.all([scene.createWorkspace(), scene.createWorkspace()]);
    const { name } = await scene.workspace(one);
    expect((await update(two, { name })).code).toBe("NAME_TAKEN");
    expect((await update(one, { name })).__typename).toBe("UpdateWorkspaceSuccess");
    const answers = await Promise.all([one, two].map((id) => update(id, { name: "wanted" })));
    expect(answers.map(({ code }) => String(code ?? "OK")).toSorted()).toEqual(["NAME_TAKEN", "OK"]);
  });

  it("lets only those who may approve change who is asked", async () => {
    const workspaceId = await scene.createWorkspace();
    const [reader, writer, approver] = await Promise.all(["READER", "WRITER", "APPROVER"].map((r) => scene.login(r)));
    expect((await update(workspaceId, { description: "x" }, reader)).code).toBe("FORBIDDEN");
    expect((await update(workspaceId, { description: "x" }, writer)).code).toBeUndefined();
    for (const gates of [{ planApproval: "WHEN_REQUIRED" }, { autoApply: "ALWAYS" }]) {
      expect((await update(workspaceId, gates, writer)).code).toBe("FORBIDDEN");
      expect((await update(workspaceId, gates, approver)).code).toBeUndefined();
    }
    const source = { directory: { path: await scene.server.makeSource("eager", { "main.tf": "" }) } };
    const eager = { name: "eager", source, autoApply: "ALWAYS" };
    expect((await scene.send("createWorkspace", eager, writer)).code).toBe("FORBIDDEN");
    expect((await scene.send("createWorkspace", eager, approver)).code).toBeUndefined();
    expect((await update("ws_00000000000000000000000000", {}, writer)).code).toBe("NOT_FOUND");
    expect((await update("ws_1", {}, writer)).code).toBe("NOT_FOUND");
  });

  it("pauses: nothing is admitted or claimed, and what waited goes on afterwards", async () => {
    const { workspaceId, runId } = await scene.reach("READY");
    const paused = await update(workspaceId, { paused: true });
    expect(paused.workspace).toMatchObject({ paused: true, deploymentStatus: "PAUSED" });
    await expect(scene.claim(runId)).rejects.toThrow();
    expect((await scene.run(runId, "blockers")).blockers).toMatchObject([{ kind: "WORKSPACE_PAUSED" }]);
    await scene.quick("cancelRun", { runId });
    const next = await scene.createRun(workspaceId);
    expect(await scene.run(next, "status", "blockers")).toMatchObject({
      status: "QUEUED",
      blockers: [{ kind: "WORKSPACE_PAUSED" }],
    });
    expect((await update(workspaceId, { paused: false })).workspace.paused).toBe(false);
    expect((await scene.run(next, "status")).status).toBe("READY");
    await scene.claim(next);
  });
});

describe("two workspaces of one name at once", () => {
  it("one of them is created", async () => {
    const path = await scene.server.makeSource("twins", { "main.tf": "" });
    const input = { name: "twin", source: { directory: { path } } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => scene.send("createWorkspace", input)));
    const codes = answers.map(({ code }) => String(code ?? "OK")).toSorted();
    expect(codes).toEqual(["NAME_TAKEN", "NAME_TAKEN", "NAME_TAKEN", "NAME_TAKEN", "OK"]);
  });
});

it("deletes a variable, for later runs only", async () => {
  const workspaceId = await scene.createWorkspace();
  for (const category of ["ENGINE", "ENVIRONMENT"]) {
    await scene.send("setVariable", { workspaceId, key: "size", value: category, category });
  }
  const earlier = await scene.createRun(workspaceId);
  const answer = await scene.send("deleteVariable", { workspaceId, key: "size" });
  expect(answer.workspace.variables).toMatchObject([{ key: "size", category: "ENVIRONMENT" }]);
  expect((await scene.send("deleteVariable", { workspaceId, key: "size" })).code).toBe("NOT_FOUND");
  expect((await scene.send("deleteVariable", { workspaceId, key: "\0" })).code).toBe("NOT_FOUND");
  expect((await scene.claim(earlier)).job.variables).toHaveLength(2);
  await scene.quick("cancelRun", { runId: await scene.createRun(workspaceId) });
  const writer = await scene.login("READER");
  expect((await scene.send("deleteVariable", { workspaceId, key: "size" }, writer)).code).toBe("FORBIDDEN");
});
