/** Whether workspaces have what their tracked branch says. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { headRound } from "../../../src/domain/repository/heads.ts";
import type { Data } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";
import { openPushes, type Pushes } from "./pushes.ts";

let scene: Scene;
let pushes: Pushes;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  pushes = openPushes(scene);
});
afterAll(async () => {
  await pushes[Symbol.asyncDispose]();
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
beforeEach(() => scene.rows("update repository_look set next_at = '2999-01-01', wanted = done"));

async function readHeads(): Promise<void> {
  while ((await headRound(scene.server.deps)) > 0);
}
async function settle(): Promise<void> {
  await pushes.settle();
  await readHeads();
}
async function syncOf(id: string): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) {
    sync { state since applied { commit folders } head { commit folders } } } }`;
  return (await scene.api.ask(query, { id })).workspace.sync;
}
/** Applies the newest run of a workspace. */
async function apply(workspaceId: string): Promise<void> {
  const [run] = await pushes.runsOf(workspaceId);
  await (await scene.claim(run?.id)).plan();
  await scene.quick("approveRun", { runId: run?.id, gate: "PLAN", planVersion: 1 });
  await scene.quick("approveRun", { runId: run?.id, gate: "APPLY", planVersion: 1 });
  const [{ serial }] = await scene.rows("select state_serial + 1 as serial from workspace where id = $1", workspaceId);
  await (await scene.claim(run?.id)).apply(Number(serial));
}

describe("a workspace", () => {
  it("is behind after a push that it reads, and in sync when that is applied", async () => {
    const { repository, one, two } = await pushes.follow();
    const first = repository.git("rev-parse", "HEAD");
    expect(await syncOf(one)).toEqual({ state: "NEVER_APPLIED", since: null, applied: null, head: null });
    await readHeads();
    expect(await syncOf(two)).toMatchObject({ state: "NEVER_APPLIED", head: { commit: first, folders: ["two"] } });
    const commit = repository.commit({ "one/main.tf": "# a" });
    await settle();
    await apply(one);
    expect(await syncOf(one)).toMatchObject({ state: "IN_SYNC", applied: { commit }, head: { commit } });
    // Documents change nothing for it, also not the time.
    const { since } = await syncOf(one);
    repository.commit({ "one/README.md": "a" });
    await settle();
    expect(await syncOf(one)).toMatchObject({ state: "IN_SYNC", since, applied: { commit } });
    const next = repository.commit({ "one/main.tf": "# b" });
    await pushes.look();
    // The new commit is not read yet.
    expect(await syncOf(one)).toMatchObject({ state: "UNKNOWN", head: null, applied: { commit } });
    await settle();
    const behind = await syncOf(one);
    expect(behind).toMatchObject({ state: "BEHIND", applied: { commit }, head: { commit: next } });
    expect(Date.parse(behind["since"])).toBeGreaterThan(Date.parse(since));
    // Taken back, it is what was applied.
    repository.git("revert", "--no-edit", "HEAD");
    await settle();
    expect(await syncOf(one)).toMatchObject({ state: "IN_SYNC" });
  });

  it("is read again when its settings change, and not known without the branch or the folder", async () => {
    const { repository, one, two } = await pushes.follow({ one: { branch: "main" }, two: {} });
    await readHeads();
    // Without a trigger it tracks the branch of its source.
    expect(await syncOf(two)).toMatchObject({ head: { folders: ["two"] } });
    await scene.quick("updateWorkspace", { workspaceId: one, trigger: { alsoReads: ["README.md"] } });
    expect((await syncOf(one))["head"]).toBeNull();
    await readHeads();
    expect((await syncOf(one))["head"]).toMatchObject({ folders: ["modules/net", "one"] });
    repository.git("rm", "-r", "--quiet", "one");
    repository.git("commit", "--quiet", "--message=gone");
    await settle();
    expect((await syncOf(one))["head"]).toBeNull();
    expect((await syncOf(two))["head"]).not.toBeNull();
    repository.git("checkout", "--quiet", "--detach");
    repository.git("branch", "--quiet", "-D", "main");
    await settle();
    expect((await syncOf(two))["head"]).toBeNull();
  });

  it("without a repository of a host is not known", async () => {
    expect(await syncOf(await scene.createWorkspace())).toMatchObject({ state: "NEVER_APPLIED", head: null });
  });
});

it("reads the heads of a repository on one server at a time, and later if the host is away", async () => {
  const { id, repository, one } = await pushes.follow();
  await readHeads();
  const commit = repository.commit({ "one/main.tf": "# a" });
  await pushes.look();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { deps } = scene.server;
  const git: typeof deps.git = {
    fetch: (...args) => deps.git.fetch(...args),
    async read(...args) {
      begun.resolve();
      await held.promise;
      return deps.git.read(...args);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const first = headRound({ ...deps, git });
  await begun.promise;
  expect(await headRound(deps)).toBe(0);
  held.resolve();
  expect(await first).toBe(1);
  expect((await syncOf(one))["head"]).toMatchObject({ commit });
  const [row] = await scene.rows("select heads_until from repository where id = $1", id);
  expect(row?.["heads_until"]).toBeNull();
});
