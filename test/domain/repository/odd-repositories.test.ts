/** Repositories with what one does not expect: what people see of it, and that pushes of others go on. */
import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

const follow: Pushes["follow"] = (triggers) => pushes.follow(triggers);
const runsOf = (workspaceId: string) => pushes.runsOf(workspaceId, "inputs { paths unresolved }");
const reasonsOf = async (id: string) => {
  const change = await pushes.lastChange(id, "decisions { edges { node { reason message } } }");
  return change["decisions"].edges.map(({ node }: { node: object }) => node);
};
const pollErrorOf = async (id: string) => {
  const query = "query ($id: ID!) { repository(id: $id) { pollError defaultBranch } }";
  return (await scene.api.ask(query, { id })).repository.pollError;
};

describe("a branch", () => {
  it("that is deleted starts nothing, and made again only what differs from the newest run", async () => {
    const { id, repository, one, two } = await follow();
    repository.commit({ "one/main.tf": "# a" });
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(1);
    repository.git("checkout", "--quiet", "--detach");
    repository.git("branch", "--quiet", "-D", "main");
    await pushes.settle();
    expect(await pushes.lastChange(id, "after")).toMatchObject({ after: null, decidedAt: expect.any(String) });
    expect(await pollErrorOf(id)).toBeNull();
    repository.git("checkout", "--quiet", "-b", "main");
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(1);
    repository.commit({ "one/main.tf": "# b" });
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(2);
    expect((await runsOf(two)).length).toBeLessThanOrEqual(1);
  });

  it("of a repository that was emptied is one that was deleted, and no error", async () => {
    const { id, repository, one } = await follow();
    for (const ref of repository.git("for-each-ref", "--format=%(refname)").split("\n")) {
      repository.git("update-ref", "-d", ref);
    }
    await pushes.settle();
    expect(await pushes.lastChange(id)).toMatchObject({ after: null });
    expect(await pollErrorOf(id)).toBeNull();
    expect(await runsOf(one)).toEqual([]);
  });
});

describe("a commit", () => {
  it("with a configuration that cannot be read counts for all who read it, and says so", async () => {
    const { repository, one, two } = await follow();
    repository.commit({ "one/broken.tf": 'module "x" {\n  source = "' });
    await pushes.settle();
    const [run] = await runsOf(one);
    expect(run).toMatchObject({ inputs: { paths: ["."], unresolved: [expect.stringMatching(/^one\/broken\.tf: /)] } });
    // Any change of the repository may concern it now, and does not concern the other.
    repository.commit({ "elsewhere/x.txt": "x" });
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(2);
    expect(await runsOf(two)).toEqual([]);
  });

  it("with a submodule and links in a circle starts runs like any other", async () => {
    const { id, repository, one } = await follow();
    symlinkSync("loop", join(repository.folder, "one/loop"));
    symlinkSync("../one", join(repository.folder, "one/up"));
    repository.git("add", "--all");
    repository.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},one/module`);
    repository.git("commit", "--quiet", "--message=odd");
    await pushes.settle();
    expect(await runsOf(one)).toMatchObject([{ status: expect.stringMatching(/QUEUED|READY|PREPARING/) }]);
    expect(await reasonsOf(id)).toMatchObject([{ reason: "AFFECTED" }]);
    // Another commit of the submodule is another content.
    repository.git("update-index", "--add", "--cacheinfo", `160000,${"2".repeat(40)},one/module`);
    repository.git("commit", "--quiet", "--message=odder");
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(2);
  });

  it("with a link that leads out of the repository names it as the reason why there is no run", async () => {
    const { id, repository, one } = await follow();
    repository.commit({ "one/out": { link: "/etc/passwd" } });
    await pushes.settle();
    expect(await runsOf(one)).toEqual([]);
    expect(await reasonsOf(id)).toEqual([
      {
        reason: "AFFECTED",
        message: expect.stringMatching(/could not be created: .*"one\/out", which leads out of it/),
      },
    ]);
  });

  it("with a large file that nothing reads is decided without it", async () => {
    const { repository, one } = await follow();
    writeFileSync(join(repository.folder, "large.bin"), "");
    truncateSync(join(repository.folder, "large.bin"), 100 * 1024 * 1024);
    repository.commit({ "one/main.tf": "# a" });
    await pushes.settle();
    expect(await runsOf(one)).toHaveLength(1);
    const oid = repository.git("rev-parse", "HEAD:large.bin");
    // It is in no mirror.
    const folder = execFileSync("sh", ["-c", `ls -d ${scene.server.sourceRoot}-git-*/mirrors/*/repository.git`], {
      encoding: "utf8",
    });
    for (const mirror of folder.trim().split("\n")) {
      const there = () => repository.git("-C", mirror, "cat-file", "-e", oid);
      expect(there).toThrow();
    }
  });
});
