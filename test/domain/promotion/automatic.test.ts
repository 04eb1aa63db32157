/** Stages that get commits by themselves: once, on however many servers, only the newest, and only of a branch. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { promotionRound } from "../../../src/domain/promotion/promotion-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { startChangesetWorker } from "../../../src/workers/changesets.ts";
import type { Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
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
const MINUTE_MS = 60_000;
/** Instants of one transaction to the next differ by a millisecond, also while the clock stands. */
const SECOND_MS = 1000;
const AUTOMATIC = { automatic: true, soakMinutes: 30 };

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

async function promotionsOf(id: string): Promise<Data[]> {
  const query = `query ($id: ID!) { changeset(id: $id) { promotions { stage state dueAt problem
    changeset { id commit createdBy { id } runs { edges { node { id createdBy { id } trigger revision } } } } supersededBy { id } } } }`;
  return (await scene.api.ask(query, { id })).changeset.promotions;
}
/** A push to the first stage that was applied. */
async function applied(made: Staged, commit = made.commit): Promise<string> {
  const id = await push(scene, [made.workspaces["dev"] ?? ""], commit);
  await finish(scene, id);
  return id;
}
const change = (input: object, api = scene.api): Promise<Data> =>
  sendPromotion(api, "updatePromotionPipeline", input, "pipeline { id }");
const promotedFrom = (id: string): Promise<Data[]> => scene.rows("select id from changeset where origin_id = $1", id);

describe("an automatic stage", () => {
  it("gets what was pushed and applied once it has soaked, and so does the one behind it", async () => {
    const made = await staged(scene, { dev: {}, stage: AUTOMATIC, prod: { automatic: true } });
    const id = await applied(made);
    await work(scene.server);
    const [soaking, ...others] = await promotionsOf(id);
    expect(others).toEqual([]);
    expect(soaking).toMatchObject({ stage: "stage", state: "SOAKING", changeset: null, problem: null });
    const [row] = await scene.rows("select passed_at from changeset where id = $1", id);
    expect(Date.parse(soaking?.["dueAt"]) - Date.parse(row?.["passed_at"])).toBe(30 * MINUTE_MS);
    made.repository.commit({ "main.tf": "# two\n" });
    scene.server.advance(29 * MINUTE_MS);
    await work(scene.server);
    expect(await promotedFrom(id)).toEqual([]);
    scene.server.advance(MINUTE_MS + SECOND_MS);
    await work(scene.server);
    await work(scene.server);
    const [promoted] = await promotionsOf(id);
    expect(promoted).toMatchObject({
      state: "PROMOTED",
      dueAt: null,
      changeset: { commit: made.commit, createdBy: { id: SYSTEM_ACTOR_ID } },
    });
    const { id: stageId, runs } = promoted?.["changeset"] ?? {};
    expect(runs.edges.map(({ node }: Data) => node)).toMatchObject([{ trigger: "PROMOTION", revision: made.commit }]);
    await finish(scene, stageId);
    await work(scene.server);
    expect(await promotionsOf(stageId)).toMatchObject([
      { stage: "prod", state: "PROMOTED", changeset: { commit: made.commit } },
    ]);
  });

  it("gets it once from two servers", async () => {
    const mades = [];
    for (let count = 0; count < 5; count++) {
      const made = await staged(scene, { dev: {}, prod: { automatic: true } });
      mades.push(await applied(made));
    }
    await Promise.all(
      [scene.server, other].flatMap(({ deps }) => [promotionRound(deps, never), promotionRound(deps, never)]),
    );
    await Promise.all([scene.server, other].map(({ deps }) => promotionRound(deps, never)));
    for (const id of mades) expect(await promotedFrom(id)).toHaveLength(1);
  });

  it("gets it from the workers, which are told of the end of the run", async () => {
    const made = await staged(scene, { dev: {}, prod: { automatic: true } });
    const id = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
    // Started after the runs were created: it would create them itself, at a time that the test does not know.
    await using _ = startChangesetWorker(scene.server.deps, scene.server.hub);
    await finish(scene, id);
    await waitUntil(async () => (await promotedFrom(id)).length === 1);
  });

  it("gets what another server noted before it died", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const id = await applied(made);
    expect(await scene.rows("select promotable from changeset where id = $1", id)).toEqual([{ promotable: true }]);
    await promotionRound(scene.server.deps, never);
    scene.server.advance(30 * MINUTE_MS + SECOND_MS);
    await promotionRound(other.deps, never);
    expect(await promotedFrom(id)).toHaveLength(1);
  });
});

describe("what is promoted", () => {
  it("is the newest that was applied: it supersedes what still soaks", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const older = await applied(made);
    await work(scene.server);
    scene.server.advance(20 * MINUTE_MS);
    const commit = made.repository.commit({ "main.tf": "# two\n" });
    const newer = await applied(made, commit);
    await work(scene.server);
    expect(await promotionsOf(older)).toMatchObject([
      { state: "SUPERSEDED", dueAt: null, supersededBy: { id: newer } },
    ]);
    scene.server.advance(20 * MINUTE_MS);
    await work(scene.server);
    expect(await promotedFrom(newer)).toEqual([]);
    scene.server.advance(10 * MINUTE_MS + SECOND_MS);
    await work(scene.server);
    expect(await promotionsOf(newer)).toMatchObject([{ state: "PROMOTED", changeset: { commit } }]);
    expect(await promotedFrom(older)).toEqual([]);
  });

  it("is the newest also if the older one is considered late, or a person promotes a newer one", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const older = await applied(made);
    scene.server.advance(MINUTE_MS);
    const newer = await applied(made, made.repository.commit({ "main.tf": "# two\n" }));
    const input = { changesetId: newer, pipelineId: made.pipelineId, stage: "prod" };
    await sendPromotion(scene.api, "promoteChangeset", input, "created");
    await work(scene.server);
    expect(await promotionsOf(older)).toMatchObject([{ state: "SUPERSEDED", supersededBy: { id: newer } }]);
    scene.server.advance(60 * MINUTE_MS);
    await work(scene.server);
    expect(await promotedFrom(older)).toEqual([]);
    expect(await promotedFrom(newer)).toHaveLength(1);
  });

  it("is not superseded by another repository", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const second = await staged(scene, { dev: {}, prod: {} });
    const source = { git: { url: second.url, branch: "main" } };
    const dev = await scene.createWorkspace({ labels: [made.labels["dev"]], source });
    await scene.createWorkspace({ labels: [made.labels["prod"]], source });
    const one = await applied(made);
    await work(scene.server);
    const two = await push(scene, [dev], second.commit);
    await finish(scene, two);
    await work(scene.server);
    scene.server.advance(30 * MINUTE_MS + SECOND_MS);
    await work(scene.server);
    for (const id of [one, two]) expect(await promotionsOf(id)).toMatchObject([{ state: "PROMOTED" }]);
  });

  it("comes from a branch: what a person or a tag deployed is left to people", async () => {
    const made = await staged(scene, { dev: {}, prod: { automatic: true } });
    const byPerson = await deploy(scene, { workspaceIds: [made.workspaces["dev"]] });
    const byTag = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
    await scene.rows("update changeset set source = 'TAG' where id = $1", byTag);
    for (const id of [byPerson, byTag]) await finish(scene, id);
    await work(scene.server);
    for (const id of [byPerson, byTag]) expect(await promotionsOf(id)).toEqual([]);
    const input = { changesetId: byPerson, pipelineId: made.pipelineId, stage: "prod" };
    expect(await sendPromotion(scene.api, "promoteChangeset", input, "created")).toMatchObject({ created: true });
  });

  it("is not what follows a promotion that began with a tag", async () => {
    const made = await staged(scene, { dev: {}, stage: {}, prod: { automatic: true } });
    const byTag = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
    await scene.rows("update changeset set source = 'TAG' where id = $1", byTag);
    await finish(scene, byTag);
    const input = { changesetId: byTag, pipelineId: made.pipelineId, stage: "stage" };
    const { changeset } = await sendPromotion(scene.api, "promoteChangeset", input, "changeset { id }");
    await work(scene.server);
    await finish(scene, changeset.id);
    await work(scene.server);
    expect(await promotionsOf(changeset.id)).toEqual([]);
  });

  it("is nothing that a failed run left, until its retry is applied", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const id = await push(scene, [made.workspaces["dev"] ?? ""], made.commit);
    const [row] = await scene.rows("select run_id from changeset_member where changeset_id = $1", id);
    await scene.quick("cancelRun", { runId: row?.["run_id"] });
    await work(scene.server);
    expect(await promotionsOf(id)).toEqual([]);
    const retry = await scene.quick("retryRun", { runId: row?.["run_id"] });
    await (await scene.claim(retry)).plan({ hasChanges: false });
    await work(scene.server);
    expect(await promotionsOf(id)).toMatchObject([{ state: "SOAKING" }]);
    // A retry takes the place of the run: the changeset is not applied meanwhile, and soaks anew.
    scene.server.advance(29 * MINUTE_MS);
    const second = await scene.quick("retryRun", { runId: retry });
    scene.server.advance(2 * MINUTE_MS);
    await work(scene.server);
    expect(await promotionsOf(id)).toEqual([]);
    await (await scene.claim(second)).plan({ hasChanges: false });
    await work(scene.server);
    expect(await promotionsOf(id)).toMatchObject([{ state: "SOAKING" }]);
    expect(await promotedFrom(id)).toEqual([]);
  });
});

describe("a person", () => {
  it("asks while a server promotes it, and gets the same changeset", async () => {
    const made = await staged(scene, { dev: {}, prod: { automatic: true } });
    const id = await applied(made);
    const input = { changesetId: id, pipelineId: made.pipelineId, stage: "prod" };
    const answers = await atOnce(scene, made.pipelineId, [
      () => promotionRound(other.deps, never),
      () => sendPromotion(scene.api, "promoteChangeset", input, "created changeset { id }"),
    ]);
    await promotionRound(other.deps, never);
    expect(await promotedFrom(id)).toEqual([{ id: answers[1]?.changeset.id }]);
  });

  it("is faster than the soak time, and the stage gets it once", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const id = await applied(made);
    await work(scene.server);
    const input = { changesetId: id, pipelineId: made.pipelineId, stage: "prod" };
    await sendPromotion(scene.api, "promoteChangeset", input, "created");
    scene.server.advance(31 * MINUTE_MS);
    await work(scene.server);
    expect(await promotedFrom(id)).toHaveLength(1);
    expect(await promotionsOf(id)).toMatchObject([{ state: "PROMOTED", dueAt: null }]);
  });
});

describe("the rights", () => {
  it("are those that the owner of the pipeline has then; another owner promotes what failed", async () => {
    const made = await staged(scene, { dev: {}, prod: { automatic: true } });
    const owner = await addMachine(scene.server.url, scene.api);
    const grantId = await owner.grant("WRITER", organizationId);
    await change({ pipelineId: made.pipelineId, name: `by ${owner.id}` }, owner);
    await sendPromotion(scene.api, "revokeGrant", { grantId }, "__typename");
    const id = await applied(made);
    await work(scene.server);
    const [failed] = await promotionsOf(id);
    expect(failed).toMatchObject({ state: "FAILED", dueAt: null, changeset: null });
    expect(failed?.["problem"]).toMatch(/has not the permission RUN_READ in every workspace of the stage/);
    await work(scene.server);
    expect(await promotedFrom(id)).toEqual([]);
    await change({ pipelineId: made.pipelineId, name: `ours ${owner.id}` });
    await work(scene.server);
    expect(await promotionsOf(id)).toMatchObject([{ state: "PROMOTED", problem: null }]);
  });

  it("end with the owner", async () => {
    const made = await staged(scene, { dev: {}, prod: { automatic: true } });
    const owner = await addMachine(scene.server.url, scene.api, ["WRITER", organizationId]);
    await change({ pipelineId: made.pipelineId, name: `of ${owner.id}` }, owner);
    await sendPromotion(scene.api, "disableUser", { userId: owner.id }, "__typename");
    const id = await applied(made);
    await work(scene.server);
    expect(await promotionsOf(id)).toMatchObject([{ state: "FAILED", problem: expect.stringMatching(/was disabled/) }]);
  });
});

describe("a pipeline that changes", () => {
  it("changes the soak time of what soaks", async () => {
    const made = await staged(scene, { dev: {}, prod: AUTOMATIC });
    const id = await applied(made);
    await work(scene.server);
    const stages = (settings: object) => [
      { name: "dev", label: made.labels["dev"] },
      { name: "prod", label: made.labels["prod"], ...settings },
    ];
    await change({ pipelineId: made.pipelineId, stages: stages({ automatic: true, soakMinutes: 60 }) });
    scene.server.advance(31 * MINUTE_MS);
    await work(scene.server);
    expect(await promotionsOf(id)).toMatchObject([{ state: "SOAKING" }]);
    await change({ pipelineId: made.pipelineId, stages: stages({ automatic: true, soakMinutes: 30 }) });
    await work(scene.server);
    expect(await promotedFrom(id)).toHaveLength(1);
  });

  it("promotes nothing once it is not automatic, or deleted", async () => {
    const [first, second] = [
      await staged(scene, { dev: {}, prod: AUTOMATIC }),
      await staged(scene, { dev: {}, prod: AUTOMATIC }),
    ];
    const ids = [await applied(first), await applied(second)];
    await work(scene.server);
    const stages = ["dev", "prod"].map((name) => ({ name, label: first.labels[name] }));
    await change({ pipelineId: first.pipelineId, stages });
    await sendPromotion(scene.api, "deletePromotionPipeline", { pipelineId: second.pipelineId }, "deletedId");
    scene.server.advance(60 * MINUTE_MS);
    await work(scene.server);
    for (const id of ids) expect(await promotedFrom(id)).toEqual([]);
    expect(await promotionsOf(ids[1] ?? "")).toMatchObject([{ state: "FAILED", problem: "The pipeline was deleted." }]);
  });
});
