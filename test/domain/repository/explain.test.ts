/** Explains why changes started runs or none, and what pushes would start. */
import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createDomain } from "../../../src/domain/domain.ts";
import { previewPush } from "../../../src/domain/repository/explain-trigger.ts";
import { createGitFetcher } from "../../../src/domain/source/git-fetcher.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { type Permission, permissionSet } from "../../../src/model/people/permission-set.ts";
import { defaultProjectId } from "../../../src/model/people/project-tree.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import type { Repository } from "../../../src/model/repository/repository.ts";
import type { Api, Data } from "../../support/api.ts";
import { decideAll } from "../../support/repository-steps.ts";
import { admin } from "../access/sample.ts";
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
const look = () => pushes.look();
const settle = () => pushes.settle();
const changesOf = (id: string) => pushes.changesOf(id, `decisions { edges { node { ${DECISION} } } }`);
const lastChange = (id: string) => pushes.lastChange(id, `decisions { edges { node { ${DECISION} } } }`);

const DECISION = "workspace { id } outcome reason message changed run { id } inputs { digest commit folders }";

async function explain(refChangeId: string, workspaceId: string, api: Api = scene.api): Promise<Data> {
  const query = `query ($change: ID!, $workspace: ID!) {
    explainTrigger(refChangeId: $change, workspaceId: $workspace) { ${DECISION} } }`;
  return (await api.ask(query, { change: refChangeId, workspace: workspaceId })).explainTrigger;
}

const PREVIEW = `query ($id: ID!, $ref: String!, $commit: String!) {
  previewTriggers(repositoryId: $id, ref: $ref, commit: $commit) { ${DECISION} } }`;

async function preview(id: string, commit: string, ref = "refs/heads/main", api: Api = scene.api): Promise<Data[]> {
  return (await api.ask(PREVIEW, { id, ref, commit })).previewTriggers;
}
async function refusal(id: string, commit: string, ref = "refs/heads/main"): Promise<Data> {
  const { errors } = await scene.api.send(PREVIEW, { id, ref, commit });
  return { message: errors?.[0]?.message, ...errors?.[0]?.extensions };
}

const reasonOf = async (change: Data, workspaceId: string) => (await explain(change["id"], workspaceId))["reason"];

describe("a change is explained", () => {
  it("as it was decided, with what is read and the paths that differ", async () => {
    const { id, repository, one, two } = await follow();
    const commit = repository.commit({ "modules/net/main.tf": "# a", "two/README.md": "b" });
    await settle();
    const change = await lastChange(id);
    const stored = change["decisions"].edges.map(({ node }: Data) => node);
    expect(stored).toMatchObject([
      {
        workspace: { id: one },
        outcome: "RUN_CREATED",
        reason: "AFFECTED",
        changed: ["modules/net/main.tf"],
        run: { id: expect.stringContaining("run_") },
        inputs: { commit, folders: ["modules/net", "one"] },
      },
    ]);
    expect(await explain(change["id"], one)).toEqual(stored[0]);
    expect(await explain(change["id"], two)).toMatchObject({
      workspace: { id: two },
      outcome: "SKIPPED",
      reason: "INPUTS_UNCHANGED",
      changed: [],
      run: null,
      inputs: { commit, folders: ["two"] },
    });
  });

  it("by what was there then, whatever came later", async () => {
    const { id, repository, one } = await follow();
    repository.commit({ "README.md": "a" });
    await settle();
    const first = await lastChange(id);
    repository.commit({ "one/main.tf": "# a" });
    await settle();
    const second = await lastChange(id);
    repository.commit({ "README.md": "b" });
    await settle();
    const third = await lastChange(id);
    // A run of the first change would be ALREADY_RUN if later ones counted.
    expect(await Promise.all([first, second, third].map((change) => reasonOf(change, one)))).toEqual([
      "INPUTS_UNCHANGED",
      "AFFECTED",
      "ALREADY_RUN",
    ]);
  });

  it("by the commit of the run where that is not the one before", async () => {
    const { repository, id, one } = await follow();
    repository.commit({ "one/main.tf": "# a" });
    await settle();
    // Read for the first time after the change; the run has what was there before.
    repository.commit({ "one/other.tf": "# b" });
    await look();
    await scene.rows("update ref_change set before = after where repository_id = $1 and decided_at is null", id);
    await decideAll(scene.server.deps);
    expect(await explain((await lastChange(id))["id"], one)).toMatchObject({
      reason: "AFFECTED",
      changed: ["one/other.tf"],
    });
  });

  it("if the workspace does not follow the ref, or did not then", async () => {
    const other = await follow({ one: { branch: "main" } });
    const { id, repository, one, two } = await follow({
      one: { branch: "main" },
      two: { branch: "other", tags: "v*" },
    });
    repository.commit({ "one/main.tf": "# a", "two/main.tf": "# a" });
    await settle();
    const change = await lastChange(id);
    const words = async (workspaceId: string) => {
      const { reason, message, inputs } = await explain(change["id"], workspaceId);
      return [reason, message, inputs?.commit];
    };
    expect(await words(two)).toEqual(["NOT_TRACKED", "The workspace follows the branch other.", undefined]);
    expect(await words(other.one)).toEqual(["NOT_TRACKED", "Its source is another repository.", undefined]);
    await scene.quick("updateWorkspace", { workspaceId: two, trigger: { branch: "main" } });
    expect(await words(two)).toEqual([
      "NOT_TRACKED",
      expect.stringContaining("By its settings of now it would have a run."),
      change["after"],
    ]);
    scene.server.advance(1000);
    const source = { git: { repositoryId: id, path: "two" } };
    const later = await scene.createWorkspace({ source, trigger: { branch: "main" } });
    expect(await words(later)).toEqual(["NOT_TRACKED", "The workspace was created after the change.", undefined]);
    await scene.quick("updateWorkspace", { workspaceId: one, trigger: { branch: null } });
    // What was decided stays.
    expect((await words(one))[0]).toBe("AFFECTED");
  });

  it("if another one was decided in its place, or it deleted the branch", async () => {
    const { id, repository, one, two } = await follow();
    const first = repository.commit({ "one/main.tf": "# a", "two/main.tf": "# a" });
    await look();
    repository.commit({ "one/main.tf": "# b" });
    await settle();
    const [newer = {}, older = {}] = await changesOf(id);
    expect([older["after"], await reasonOf(older, one), await reasonOf(newer, one)]).toEqual([
      first,
      "SUPERSEDED",
      "AFFECTED",
    ]);
    expect(await reasonOf(older, two)).toBe("SUPERSEDED");
    // The newer commit has the change of the older one, which no run has had.
    expect(await explain(newer["id"], two)).toMatchObject({ reason: "AFFECTED", changed: ["two/main.tf"] });
    repository.git("checkout", "--quiet", "--detach");
    repository.git("branch", "--quiet", "-D", "main");
    await settle();
    expect(await reasonOf(await lastChange(id), one)).toBe("REF_DELETED");
  });

  it("before it is decided, as it would be", async () => {
    const { id, repository, one, two } = await follow();
    repository.commit({ "one/main.tf": "# a" });
    await look();
    const change = await lastChange(id);
    expect(await explain(change["id"], one)).toMatchObject({
      outcome: "RUN_CREATED",
      run: null,
      changed: ["modules/net/main.tf", "one/main.tf"],
    });
    expect(await reasonOf(change, two)).toBe("INPUTS_UNCHANGED");
    await settle();
    expect((await explain(change["id"], one))["run"]).not.toBeNull();
  });

  it("for tags and messages as for others", async () => {
    const { id, repository, one, two } = await follow({ one: { tags: "v*" }, two: { tags: "/^release-[0-9]+$/" } });
    repository.git("tag", "v1");
    await settle();
    const change = await lastChange(id);
    expect([await reasonOf(change, one), await reasonOf(change, two)]).toEqual(["AFFECTED", "NOT_TRACKED"]);
    repository.commit({ "one/main.tf": "# a" });
    repository.git("tag", "--force", "v1");
    await settle();
    expect(await reasonOf(await lastChange(id), one)).toBe("TAG_MOVED");
  });

  it("for a tag that moves before it is decided", async () => {
    const { id, repository, one, two } = await follow({ one: { tags: "v*" }, two: { tags: "/^release-[0-9]+$/" } });
    repository.git("tag", "v1");
    await look();
    const moved = repository.commit({ "README.md": "a" });
    repository.git("tag", "--force", "v1");
    const previewed = await preview(id, moved, "refs/tags/v1");
    expect(previewed.find(({ workspace }) => workspace.id === one)).toMatchObject({ reason: "AFFECTED" });
    await look();
    expect(await reasonOf(await lastChange(id), one)).toBe("AFFECTED");
    await settle();
    await scene.quick("updateWorkspace", { workspaceId: two, trigger: { tags: "v*" } });
    const explained = await explain((await lastChange(id))["id"], two);
    expect(explained).toMatchObject({ reason: "NOT_TRACKED", run: null });
    expect(explained["message"]).toContain("By its settings of now it would have a run.");
  });
});

describe("a repository that is not as it was", () => {
  async function withEmptyMirror<Result>(work: (domain: ReturnType<typeof createDomain>) => Promise<Result>) {
    const { deps, sourceRoot } = scene.server;
    await using git = await createGitFetcher({
      folder: `${sourceRoot}-git-${randomUUID()}`,
      sourceRoots: [sourceRoot],
      inherited: { PATH: process.env["PATH"] ?? "" },
      limits: LIMITS,
      allowed: [],
      randomBytes: deps.randomBytes,
      mac: (text) => deps.cipher.mac("git-mirror", text),
    });
    return await work(createDomain({ ...deps, git }));
  }

  it("is read from the mirror while the host is away", async () => {
    const { id, repository, one, two } = await follow();
    const commit = repository.commit({ "one/main.tf": "# a" });
    await settle();
    const { id: changeId } = await lastChange(id);
    const objects = join(repository.folder, ".git/objects");
    renameSync(objects, `${objects}-away`);
    expect(await explain(changeId, two)).toMatchObject({ reason: "INPUTS_UNCHANGED", inputs: { commit } });
    expect(await refusal(id, commit)).toMatchObject({ code: "HOST_UNREACHABLE" });
    await withEmptyMirror(async (domain) => {
      await expect(domain.explainTrigger(admin, changeId, two)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
      // What was stored needs no host.
      expect(await domain.explainTrigger(admin, changeId, one)).toMatchObject({ reason: "AFFECTED" });
    });
    renameSync(`${objects}-away`, objects);
  });

  it("is fetched anew where the mirror was lost, and a commit that is gone is named so", async () => {
    const { id, repository, two } = await follow();
    repository.commit({ "one/main.tf": "# a" });
    await settle();
    const { id: changeId } = await lastChange(id);
    await withEmptyMirror(async (domain) => {
      expect(await domain.explainTrigger(admin, changeId, two)).toMatchObject({ reason: "INPUTS_UNCHANGED" });
    });
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.commit({ "one/main.tf": "# b" });
    repository.git("reflog", "expire", "--expire=now", "--all");
    repository.git("gc", "--quiet", "--prune=now");
    await withEmptyMirror(async (domain) => {
      expect(await domain.explainTrigger(admin, changeId, two)).toMatchObject({
        outcome: "SKIPPED",
        reason: "COMMIT_MISSING",
        inputs: null,
      });
    });
  });
});

describe("a push is previewed", () => {
  it("as it is decided afterwards, and nothing is created", async () => {
    const { id, repository, one, two } = await follow();
    repository.git("checkout", "--quiet", "-b", "feature");
    const commit = repository.commit({ "one/main.tf": "# a" });
    const count = async () => {
      const tables = ["run", "changeset", "ref_change", "trigger_decision", "source_inputs", "workspace_event"];
      const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
      return (await scene.rows(`select ${counts.join()}`))[0];
    };
    const before = await count();
    const previewed = await preview(id, commit);
    expect(await count()).toEqual(before);
    expect(previewed).toMatchObject([
      {
        workspace: { id: one },
        outcome: "RUN_CREATED",
        reason: "AFFECTED",
        changed: ["modules/net/main.tf", "one/main.tf"],
        run: null,
      },
      { workspace: { id: two }, outcome: "SKIPPED", reason: "INPUTS_UNCHANGED", changed: [] },
    ]);
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--ff-only", "feature");
    await settle();
    const change = await lastChange(id);
    for (const decision of previewed) {
      const { run, ...explained } = await explain(change["id"], decision["workspace"].id);
      expect({ ...explained, run: null }).toEqual(decision);
      expect(run === null).toBe(explained["outcome"] === "SKIPPED");
    }
  });

  it("to a ref that is not there, and of a tag that is", async () => {
    const { id, repository, one, two } = await follow({ one: { branch: "next", tags: "v*" }, two: { branch: "main" } });
    const commit = repository.commit({ "one/main.tf": "# a" });
    const reasons = async (ref: string) =>
      Object.fromEntries((await preview(id, commit, ref)).map(({ workspace, reason }) => [workspace.id, reason]));
    expect(await reasons("refs/heads/next")).toEqual({ [one]: "AFFECTED", [two]: "NOT_TRACKED" });
    expect(await reasons("refs/tags/v1")).toEqual({ [one]: "AFFECTED", [two]: "NOT_TRACKED" });
    // No look has seen the tag where it is: the push of it elsewhere is what creates it.
    repository.git("tag", "v1", "HEAD~1");
    expect(await reasons("refs/tags/v1")).toEqual({ [one]: "AFFECTED", [two]: "NOT_TRACKED" });
    repository.git("tag", "--force", "v1", commit);
    await settle();
    expect(await explain((await lastChange(id))["id"], one)).toMatchObject({ reason: "AFFECTED", inputs: { commit } });
    expect(await reasons("refs/tags/v1")).toEqual({ [one]: "TAG_MOVED", [two]: "NOT_TRACKED" });
  });

  it("of a tag where tags are not followed yet is that of a tag which the next look remembers", async () => {
    const { id, repository, one } = await follow({ one: { branch: "main" }, two: { branch: "main" } });
    const commit = repository.commit({ "one/main.tf": "# a" });
    repository.git("tag", "v1", "HEAD~1");
    await scene.api.ask(
      `mutation ($id: ID!) { updateWorkspace(input: { workspaceId: $id, trigger: { tags: "v*" } }) { __typename } }`,
      { id: one },
    );
    const reason = async () =>
      (await preview(id, commit, "refs/tags/v1")).find(({ workspace }) => workspace.id === one)?.["reason"];
    expect(await reason()).toBe("TAG_MOVED");
    await settle();
    repository.git("tag", "--force", "v1", commit);
    await settle();
    expect(await explain((await lastChange(id))["id"], one)).toMatchObject({ outcome: "SKIPPED", reason: "TAG_MOVED" });
  });

  it("is refused by the name of the argument", async () => {
    const { id, repository } = await follow();
    const commit = repository.commit({ "one/main.tf": "# a" });
    const tree = repository.git("rev-parse", "HEAD^{tree}");
    for (const bad of ["a".repeat(40), tree, commit.slice(0, 12), commit.toUpperCase(), "HEAD", "--all", ""]) {
      expect(await refusal(id, bad), bad).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["commit"] }] });
    }
    for (const ref of [
      "main",
      "refs/heads/",
      "refs/heads/a..b",
      "refs/heads/*",
      "refs/heads/a\0",
      "refs/pull/1/head",
    ]) {
      expect(await refusal(id, commit, ref), ref).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["ref"] }] });
    }
    expect(await refusal("repo_00000000000000000000000000", commit)).toMatchObject({ code: "NOT_FOUND" });
  });
});

/** A caller with permissions on the organization, and others on one workspace. */
function callerWith(everywhere: Permission[], workspaceId: string, there: Permission[]): ActorCaller {
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const projectId = defaultProjectId(organizationId);
  const rights = rightsOf([
    { permissions: permissionSet(everywhere), scope: { type: "organization", organizationId } },
    { permissions: permissionSet(there), scope: { type: "workspace", organizationId, projectId, workspaceId } },
  ]);
  return { ...admin, rights };
}

describe("a caller", () => {
  it("is shown only workspaces whose runs it may read, and the rest as if it did not exist", async () => {
    const { id, repository, one, two } = await follow();
    const commit = repository.commit({ "one/main.tf": "# a", "two/main.tf": "# a" });
    await settle();
    const { id: changeId } = await lastChange(id);
    const { domain } = scene.server;
    const reader = await scene.login("READER");
    expect((await preview(id, commit, undefined, reader)).length).toBe(2);
    expect(await explain(changeId, one, reader)).not.toBeNull();
    const limited = callerWith(["WORKSPACE_READ"], two, ["RUN_READ"]);
    const seen = await domain.previewTriggers(limited, id, { ref: "refs/heads/main", commit });
    expect(seen.map(({ workspaceId }) => workspaceId)).toEqual([two]);
    expect(await domain.explainTrigger(limited, changeId, one)).toBeNull();
    expect(await domain.explainTrigger(limited, changeId, two)).not.toBeNull();
    expect(await domain.explainTrigger(limited, changeId, "ws_00000000000000000000000000")).toBeNull();
    const own = callerWith([], two, ["WORKSPACE_READ", "RUN_READ"]);
    expect(await domain.explainTrigger(own, changeId, two)).not.toBeNull();
    // A change of another repository is one that does not exist.
    const other = await follow({ one: { branch: "main" } });
    expect(await domain.explainTrigger(own, changeId, other.one)).toBeNull();
    other.repository.commit({ "one/main.tf": "# a" });
    await settle();
    const { id: otherId } = await lastChange(other.id);
    expect(await domain.explainTrigger(own, otherId, two)).toBeNull();
    expect(await domain.explainTrigger(limited, otherId, two)).toMatchObject({ reason: "NOT_TRACKED" });
    const elsewhere = callerWith(["RUN_READ"], two, ["WORKSPACE_READ"]);
    await expect(domain.previewTriggers(elsewhere, id, { ref: "refs/heads/main", commit })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("has a few of a request, and pays for them", async () => {
    const one = `explainTrigger(refChangeId: "refc_1", workspaceId: "ws_1") { reason }`;
    const four = ["1", "2", "3", "4"].map((n) => `a${n}: ${one.replaceAll("_1", `_${n}`)}`).join(" ");
    const { errors } = await scene.api.send(`{ ${four} }`);
    expect(errors?.[0]).toMatchObject({ extensions: { code: "INVALID_INPUT" } });
    const { viewer } = await scene.api.ask(`{ ${one} viewer { rateLimit { cost } } }`);
    expect(viewer.rateLimit?.cost ?? 21).toBe(21);
  });
});

describe("a host that does not answer", () => {
  afterEach(() => vi.useRealTimers());

  it("ends the wait of its caller", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const repository = {} as Repository;
    const input = { repository, ref: "refs/heads/main", commit: "a".repeat(40) };
    const answer = previewPush(scene.server.deps, () => new Promise(() => {}), admin, input);
    const refused = expect(answer).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    await vi.advanceTimersByTimeAsync(LIMITS.explanationMs);
    await refused;
  });
});
