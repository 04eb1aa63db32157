/** Promotion by people: which commit moves, when its runs start, and by whose rights. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { settleDueWorkspaces } from "../../../src/domain/rounds/settle-due-workspaces.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import type { InProcess } from "../../support/in-process.ts";
import { addMachine } from "../../support/machine.ts";
import {
  atOnce,
  deploy,
  finish,
  push,
  sendPromotion,
  type Staged,
  staged,
  work,
} from "../../support/promotion-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const CHANGESET = `id source title commit state createdBy { id } origin { id } appliedAt
  promotions { stage state dueAt problem changeset { id } pipeline { id } }
  runs { totalCount edges { node { id } } }`;
const RUN = `id status trigger revision scheduledAt message workspace { id } blockers { kind message until }
  cause { ... on PromotionCause { stage commit from { id } pipeline { id } } }`;
const MINUTE_MS = 60_000;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

const never = new AbortController().signal;
const promote = (input: object, api: Api = scene.api): Promise<Data> =>
  sendPromotion(api, "promoteChangeset", input, `created changeset { ${CHANGESET} }`);
const read = async (id: string, api: Api = scene.api): Promise<Data> =>
  (await api.ask(`query ($id: ID!) { changeset(id: $id) { ${CHANGESET} } }`, { id })).changeset;

/** The runs of a changeset, which the workers create first. */
async function runsOf(id: string, server: InProcess = scene.server, api: Api = scene.api): Promise<Data[]> {
  await changesetRound(server.deps, never);
  const query = `query ($id: ID!) { changeset(id: $id) { runs { edges { node { ${RUN} } } } } }`;
  return (await api.ask(query, { id })).changeset.runs.edges.map(({ node }: Data) => node);
}

/** A pipeline whose first stage has applied the first commit. */
async function applied(stages?: Parameters<typeof staged>[1]): Promise<Staged & { changesetId: string }> {
  const made = await staged(scene, stages);
  const changesetId = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
  await finish(scene, changesetId);
  return { ...made, changesetId };
}
const to = ({ changesetId, pipelineId }: { changesetId: string; pipelineId: string }, stage: string) => {
  return { changesetId, pipelineId, stage };
};

/** Replaces the branch, and removes what was there before from the repository. */
function lose({ repository }: Staged): void {
  repository.git("checkout", "--quiet", "--orphan", "anew");
  repository.commit({ "main.tf": "# forced\n" });
  repository.git("branch", "--quiet", "--force", "main", "anew");
  repository.git("reflog", "expire", "--expire=all", "--all");
  repository.git("gc", "--quiet", "--prune=now");
}

describe("a promotion", () => {
  it("moves the commit that the stage before has applied, stage by stage, and not the head of the branch", async () => {
    const made = await applied();
    const { repository, commit, workspaces, pipelineId, changesetId } = made;
    const head = repository.commit({ "main.tf": "# two\n" });
    const answer = await promote(to(made, "stage"));
    expect(answer).toMatchObject({ __typename: "PromoteChangesetSuccess", created: true });
    expect(answer.changeset).toMatchObject({
      source: "PROMOTION",
      title: "Raise the limits",
      commit,
      state: "PLANNING",
      origin: { id: changesetId },
      promotions: [],
    });
    const [run] = await runsOf(answer.changeset.id);
    expect(run).toMatchObject({
      trigger: "PROMOTION",
      revision: commit,
      scheduledAt: null,
      message: "Raise the limits",
      workspace: { id: workspaces["stage"] },
      cause: { stage: "stage", commit, from: { id: changesetId }, pipeline: { id: pipelineId } },
    });
    expect((await read(changesetId)).promotions).toEqual([
      {
        stage: "stage",
        state: "PROMOTED",
        dueAt: null,
        problem: null,
        changeset: { id: answer.changeset.id },
        pipeline: { id: pipelineId },
      },
    ]);
    // It plans anew and asks the gates of its workspace.
    await (await scene.claim(run.id)).plan();
    expect((await scene.run(run.id, "status")).status).toBe("AWAITING_PLAN_APPROVAL");
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId: run.id, gate, planVersion: 1 });
    await (await scene.claim(run.id)).apply(1);
    const next = await promote({ changesetId: answer.changeset.id, pipelineId, stage: "prod" });
    expect(next.changeset).toMatchObject({ commit, origin: { id: answer.changeset.id } });
    const [last] = await runsOf(next.changeset.id);
    expect(last).toMatchObject({ revision: commit, workspace: { id: workspaces["prod"] } });
    expect(last.revision).not.toBe(head);
  });

  it("fetches a commit that no branch has any more, also on a server that never read it", async () => {
    const made = await applied();
    const { repository, commit } = made;
    repository.git("checkout", "--quiet", "--orphan", "anew");
    repository.commit({ "main.tf": "# forced\n" });
    repository.git("branch", "--quiet", "--force", "main", "anew");
    const { changeset } = await promote(to(made, "stage"));
    const [run] = await runsOf(changeset.id, other);
    expect(run).toMatchObject({ revision: commit });
  });

  it("finds a commit that the host has lost in the copy of a server that has read it", async () => {
    const made = await applied();
    lose(made);
    const { changeset } = await promote(to(made, "stage"));
    const [run] = await runsOf(changeset.id);
    expect(run).toMatchObject({ revision: made.commit });
  });

  it("says so where the repository has lost the commit", async () => {
    const made = await applied();
    const { commit } = made;
    lose(made);
    const { changeset } = await promote(to(made, "stage"));
    expect(await runsOf(changeset.id, other)).toEqual([]);
    const [row] = await scene.rows("select problem from changeset_member where changeset_id = $1", changeset.id);
    expect(row.problem).toContain(commit);
    expect(row.problem).toMatch(/does not have the commit/);
  });

  it("is about the workspaces of the same repository, and each repository has its own commit", async () => {
    const one = await staged(scene, { dev: {}, prod: {} });
    const second = await staged(scene, { dev: {}, prod: {} });
    const labels = (stage: string) => [one.labels[stage] ?? ""];
    const ofSecond = (url: string) => ({ git: { url, branch: "main" } });
    const dev = await scene.createWorkspace({ labels: labels("dev"), source: ofSecond(second.url) });
    const prod = await scene.createWorkspace({ labels: labels("prod"), source: ofSecond(second.url) });
    // Of neither repository.
    await scene.createWorkspace({ labels: labels("prod") });
    const changesetId = await deploy(scene, { workspaceIds: [one.workspaces["dev"], dev] });
    await finish(scene, changesetId);
    second.repository.commit({ "main.tf": "# later\n" });
    const { changeset } = await promote(to({ ...one, changesetId }, "prod"));
    expect(changeset.commit).toBeNull();
    const runs = await runsOf(changeset.id);
    expect(new Map(runs.map((run) => [run.workspace.id, run.revision]))).toEqual(
      new Map([
        [one.workspaces["prod"], one.commit],
        [prod, second.commit],
      ]),
    );
  });

  it("supersedes what an older one left at the gates of a workspace", async () => {
    const made = await applied({ dev: {}, prod: {} });
    const { changeset: first } = await promote(to(made, "prod"));
    const [older] = await runsOf(first.id);
    await (await scene.claim(older.id)).plan();
    const commit = made.repository.commit({ "main.tf": "# two\n" });
    const changesetId = await push(scene, [made.workspaces["dev"] ?? ""], commit);
    await finish(scene, changesetId);
    const { changeset: second } = await promote(to({ ...made, changesetId }, "prod"));
    const [newer] = await runsOf(second.id);
    expect(newer).toMatchObject({ revision: commit });
    const superseded = "query ($id: ID!) { run(id: $id) { status supersededBy { id } } }";
    expect((await scene.api.ask(superseded, { id: older.id })).run).toEqual({
      status: "DISCARDED",
      supersededBy: { id: newer.id },
    });
  });
});

describe("what cannot be promoted is named", () => {
  const pathOf = async (input: object): Promise<string> => {
    const answer = await promote(input);
    expect(answer, JSON.stringify(answer)).toMatchObject({ code: "INVALID_INPUT" });
    return answer.issues.map(({ path, message }: Data) => `${path.join(".")} ${message}`).join();
  };

  it("by its stage", async () => {
    const made = await applied();
    expect(await pathOf(to(made, "dev"))).toMatch(/^stage must be a stage .* "stage", "prod"/);
    expect(await pathOf(to(made, "nowhere"))).toMatch(/^stage /);
    expect(await pathOf(to(made, " "))).toMatch(/^stage /);
    expect(await pathOf({ ...to(made, "stage"), idempotencyKey: "" })).toMatch(/^idempotencyKey /);
    // Not of the stage before.
    expect(await pathOf(to(made, "prod"))).toMatch(/^changesetId must be of the stage "stage"/);
    const both = [made.labels["stage"], made.labels["prod"]];
    await scene.createWorkspace({ labels: [both[0]], source: { git: { url: made.url } } });
    await scene.rows("update workspace set labels = $2 where id = $1", made.workspaces["stage"], both);
    expect(await pathOf(to(made, "stage"))).toMatch(/^stage selects a workspace that the stage "prod" selects too/);
    await scene.rows("update workspace set labels = '{}' where labels @> $1", [both[0]]);
    expect(await pathOf(to(made, "stage"))).toMatch(/^stage selects no workspace of the same repository/);
  });

  it("by its changeset", async () => {
    const made = await staged(scene);
    const workspaceIds = [made.workspaces["dev"]];
    const planned = await deploy(scene, { workspaceIds, kind: "PLAN" });
    await finish(scene, planned);
    expect(await pathOf(to({ ...made, changesetId: planned }, "stage"))).toMatch(
      /^changesetId must be one that deploys/,
    );
    const changesetId = await deploy(scene, { workspaceIds });
    expect(await pathOf(to({ ...made, changesetId }, "stage"))).toMatch(/^changesetId must be applied/);
    const folder = await scene.createWorkspace({ labels: [made.labels["dev"]] });
    const ofFolder = await deploy(scene, { workspaceIds: [folder] });
    await finish(scene, ofFolder);
    expect(await pathOf(to({ ...made, changesetId: ofFolder }, "stage"))).toMatch(/a commit of a repository/);
  });

  it("where there is no such pipeline or changeset", async () => {
    const made = await applied();
    const absent = { changesetId: made.changesetId.replace(/.{4}$/, "0000"), pipelineId: made.pipelineId };
    expect(await promote(to(absent, "stage"))).toMatchObject({ code: "NOT_FOUND" });
    const nowhere = { ...made, pipelineId: made.pipelineId.replace(/.{4}$/, "0000") };
    expect(await promote(to(nowhere, "stage"))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("where a newer commit is there already", async () => {
    const made = await applied({ dev: {}, prod: {} });
    scene.server.advance(1000);
    const commit = made.repository.commit({ "main.tf": "# two\n" });
    const newer = await push(scene, [made.workspaces["dev"] ?? ""], commit);
    await finish(scene, newer);
    await promote(to({ ...made, changesetId: newer }, "prod"));
    expect(await promote(to(made, "prod"))).toMatchObject({ code: "STALE_CHANGESET" });
  });
});

describe("the soak time", () => {
  it("blocks the runs visibly until it has passed, also those of a retry", async () => {
    const made = await applied({ dev: {}, prod: { soakMinutes: 30 } });
    const [row] = await scene.rows("select passed_at from changeset where id = $1", made.changesetId);
    const until = new Date(Date.parse(row?.["passed_at"]) + 30 * MINUTE_MS).toISOString();
    scene.server.advance(10 * MINUTE_MS);
    const { changeset } = await promote(to(made, "prod"));
    const [run] = await runsOf(changeset.id);
    expect(run).toMatchObject({ status: "QUEUED", scheduledAt: until, blockers: [{ kind: "SOAKING", until }] });
    expect(run.blockers[0].message).toContain(until);
    await scene.quick("cancelRun", { runId: run.id });
    const retry = await scene.quick("retryRun", { runId: run.id });
    const again = (await runsOf(changeset.id)).find(({ id }) => id === retry);
    expect(again).toMatchObject({ status: "QUEUED", scheduledAt: until, blockers: [{ kind: "SOAKING" }] });
    scene.server.advance(21 * MINUTE_MS);
    await settleDueWorkspaces(scene.server.deps);
    expect((await scene.run(retry, "status")).status).toBe("READY");
    await (await scene.claim(retry)).plan({ hasChanges: false });
    expect((await read(changeset.id)).state).toBe("NO_CHANGES");
  });

  it("does not count where it has passed before", async () => {
    const made = await applied({ dev: {}, prod: { soakMinutes: 30 } });
    scene.server.advance(31 * MINUTE_MS);
    const { changeset } = await promote(to(made, "prod"));
    const [run] = await runsOf(changeset.id);
    expect(run).toMatchObject({ status: "READY", scheduledAt: null });
  });
});

describe("a repeated promotion", () => {
  it("returns the changeset of the first, by its key or without one", async () => {
    const made = await applied();
    const idempotencyKey = randomUUID();
    const first = await promote({ ...to(made, "stage"), idempotencyKey });
    const repeated = await promote({ ...to(made, "stage"), idempotencyKey });
    const without = await promote(to(made, "stage"));
    for (const answer of [repeated, without]) {
      expect(answer).toMatchObject({ created: false, changeset: { id: first.changeset.id } });
    }
    expect(await promote({ ...to(made, "prod"), idempotencyKey })).toMatchObject({
      issues: [{ path: ["idempotencyKey"] }],
    });
  });

  it("is one of two people at once, on two servers", async () => {
    const api = createApi(other.url, scene.api.token ?? "");
    for (let round = 0; round < 3; round++) {
      const made = await applied();
      const [first, second] = await atOnce(scene, made.pipelineId, [
        () => promote(to(made, "stage")),
        () => promote(to(made, "stage"), api),
      ]);
      expect(first?.["changeset"].id).toBe(second?.["changeset"].id);
      expect(first?.["created"]).toBe(!second?.["created"]);
      const rows = await scene.rows("select id from changeset where origin_id = $1", made.changesetId);
      expect(rows).toHaveLength(1);
    }
  });
});

const writerIn = (scopeId: string) => ({ roleId: builtInRoleId("WRITER"), scopeId });

describe("the rights", () => {
  it("are those of creating runs in each workspace of the stage, of which hidden ones are not named", async () => {
    const made = await applied();
    const account = await addMachine(scene.server.url, scene.api, ["WRITER", organizationId]);
    const project = { organizationId, name: `isolated-${randomUUID()}`, isolated: true };
    const { id: projectId } = (await sendPromotion(scene.api, "createProject", project, "project { id }")).project;
    const source = { git: { url: made.url, branch: "main" } };
    await sendPromotion(
      scene.api,
      "createGrant",
      { principalId: ADMIN_ACTOR_ID, ...writerIn(projectId) },
      "grant { id }",
    );
    const hidden = await scene.createWorkspace({ labels: [made.labels["stage"]], source, projectId });
    const refused = await promote(to(made, "stage"), account);
    expect(refused).toMatchObject({ code: "FORBIDDEN", scopeId: organizationId });
    expect(JSON.stringify(refused)).not.toContain(hidden);
    expect(await scene.rows("select 1 from promotion where origin_id = $1", made.changesetId)).toEqual([]);
    // Who has rights there as well may do it.
    await sendPromotion(scene.api, "createGrant", { principalId: account.id, ...writerIn(projectId) }, "grant { id }");
    const { changeset } = await promote(to(made, "stage"), account);
    expect(await runsOf(changeset.id)).toHaveLength(2);
    // Once it is there, one who may not make such runs is refused as before.
    const reader = await addMachine(scene.server.url, scene.api, ["READER", organizationId]);
    expect(await promote(to(made, "stage"), reader)).toMatchObject({ code: "FORBIDDEN" });
    const writer = await addMachine(scene.server.url, scene.api, ["WRITER", organizationId]);
    expect(await promote(to(made, "stage"), writer)).toMatchObject({ code: "FORBIDDEN" });
  });

  it("hide the pipeline and the promotions from a caller of one stage", async () => {
    const made = await applied();
    const { changeset } = await promote(to(made, "stage"));
    const [run] = await runsOf(changeset.id);
    const [dev = "", stage = ""] = [made.workspaces["dev"], made.workspaces["stage"]];
    const ofDev = await addMachine(scene.server.url, scene.api, ["ADMIN", dev]);
    expect(await promote(to(made, "stage"), ofDev)).toMatchObject({ code: "NOT_FOUND" });
    expect(await read(made.changesetId, ofDev)).toMatchObject({ promotions: [] });
    expect(await read(changeset.id, ofDev)).toBeNull();
    const ofStage = await addMachine(scene.server.url, scene.api, ["READER", stage]);
    expect(await read(changeset.id, ofStage)).toMatchObject({ origin: null });
    const { run: seen } = await ofStage.ask(`query ($id: ID!) { run(id: $id) { ${RUN} } }`, { id: run.id });
    expect(seen.cause).toEqual({ stage: "stage", commit: made.commit, from: null, pipeline: null });
  });

  it("count when runs are created, as those of any changeset", async () => {
    const made = await applied();
    const token = await scene.login("ADMIN");
    const { changeset } = await promote(to(made, "stage"), token);
    await scene.send("revokeToken", { tokenId: token.tokenId });
    expect(await runsOf(changeset.id)).toEqual([]);
    expect((await read(changeset.id)).state).toBe("FAILED");
    await work(scene.server);
  });
});
