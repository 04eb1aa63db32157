/** The settings of pipelines. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { sendPromotion } from "../../support/promotion-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const PIPELINE = "pipeline { id name stages { name label automatic soakMinutes } owner { id } organization { id } }";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const DEV = { name: "dev", label: "env:dev" };
const PROD = { name: "prod", label: "env:prod", automatic: true, soakMinutes: 60 };
const create = (input: object = {}, api: Api = scene.api): Promise<Data> =>
  sendPromotion(
    api,
    "createPromotionPipeline",
    { organizationId, name: `p-${randomUUID()}`, stages: [DEV, PROD], ...input },
    PIPELINE,
  );
const update = (input: object, api: Api = scene.api): Promise<Data> =>
  sendPromotion(api, "updatePromotionPipeline", input, PIPELINE);

async function list(api: Api = scene.api): Promise<string[]> {
  const query =
    "query ($id: ID!) { node(id: $id) { ... on Organization { pipelines(first: 100) { edges { node { id } } } } } }";
  return (await api.ask(query, { id: organizationId })).node.pipelines.edges.map(({ node }: Data) => node.id);
}

it("a pipeline has its stages in order, and is listed until it is deleted", async () => {
  const { pipeline } = await create({ name: "through the stages" });
  expect(pipeline).toMatchObject({
    name: "through the stages",
    organization: { id: organizationId },
    stages: [{ ...DEV, automatic: false, soakMinutes: 0 }, PROD],
  });
  expect(await list()).toContain(pipeline.id);
  expect(await create({ name: "through the stages" })).toMatchObject({ code: "NAME_TAKEN" });
  const other = (await create()).pipeline.id;
  expect(await update({ pipelineId: other, name: "through the stages" })).toMatchObject({ code: "NAME_TAKEN" });
  const deleted = await sendPromotion(scene.api, "deletePromotionPipeline", { pipelineId: pipeline.id }, "deletedId");
  expect(deleted.deletedId).toBe(pipeline.id);
  expect(await list()).not.toContain(pipeline.id);
  expect(await update({ pipelineId: pipeline.id, name: "again" })).toMatchObject({ code: "NOT_FOUND" });
  // The name is free again.
  expect((await create({ name: "through the stages" })).pipeline.id).not.toBe(pipeline.id);
});

it("whoever changes it owns it; all stages are replaced", async () => {
  const { id: pipelineId } = (await create()).pipeline;
  const machine = await addMachine(scene.server.url, scene.api, ["WRITER", organizationId]);
  const stages = [DEV, { name: "live", label: "tier:live", automatic: false, soakMinutes: 0 }];
  const { pipeline } = await update({ pipelineId, stages }, machine);
  expect(pipeline.owner.id).toBe(machine.id);
  expect(pipeline.stages.map(({ name }: Data) => name)).toEqual(["dev", "live"]);
  expect((await update({ pipelineId, name: `n-${randomUUID()}` })).pipeline.stages).toEqual(pipeline.stages);
});

it("what is wrong is named by its field", async () => {
  const stage = (change: object) => [DEV, { ...PROD, ...change }];
  const many = Array.from({ length: LIMITS.stagesPerPipeline + 1 }, (_, index) => {
    return { name: `s${index}`, label: `env:s${index}` };
  });
  const cases: [object, string[]][] = [
    [{ name: " " }, ["name"]],
    [{ name: "n".repeat(LIMITS.nameLength + 1) }, ["name"]],
    [{ stages: [] }, ["stages"]],
    [{ stages: [DEV] }, ["stages"]],
    [{ stages: many }, ["stages"]],
    [{ stages: stage({ name: "" }) }, ["stages.1.name"]],
    [{ stages: stage({ name: "dev" }) }, ["stages.1.name"]],
    [{ stages: stage({ label: "no label" }) }, ["stages.1.label"]],
    [{ stages: stage({ label: "env:dev" }) }, ["stages.1.label"]],
    [{ stages: stage({ label: "env" }) }, ["stages.1.label"]],
    [{ stages: stage({ soakMinutes: -1 }) }, ["stages.1.soakMinutes"]],
    [{ stages: stage({ soakMinutes: LIMITS.soakMinutes + 1 }) }, ["stages.1.soakMinutes"]],
    [{ stages: [{ ...DEV, automatic: true, soakMinutes: 5 }, PROD] }, ["stages.0.automatic", "stages.0.soakMinutes"]],
  ];
  const { id: pipelineId } = (await create()).pipeline;
  for (const [input, paths] of cases) {
    for (const answer of [await create(input), await update({ pipelineId, ...input })]) {
      expect(answer, JSON.stringify(input)).toMatchObject({ code: "INVALID_INPUT" });
      expect(answer.issues.map(({ path }: Data) => path.join("."))).toEqual(paths);
    }
  }
  for (const field of ["name", "stages"]) {
    expect(await update({ pipelineId, [field]: null })).toMatchObject({ issues: [{ path: [field] }] });
  }
});

it("there are at most so many in an organization", async () => {
  await scene.rows(
    `insert into promotion_pipeline (id, organization_id, name, stages, owner_id, created_at)
      select 'pipe_' || i, $1, 'many ' || i, '[]', (select id from actor order by id limit 1), now()
      from generate_series(1, $2::int) i`,
    organizationId,
    LIMITS.pipelinesPerOrganization,
  );
  expect(await create()).toMatchObject({ issues: [{ path: ["organizationId"] }] });
  await scene.rows("delete from promotion_pipeline where name like 'many %'");
});

it("it takes rights in the whole organization, to see as well as to change", async () => {
  const { id: pipelineId } = (await create()).pipeline;
  const reader = await addMachine(scene.server.url, scene.api, ["READER", organizationId]);
  expect(await list(reader)).toContain(pipelineId);
  expect(await create({}, reader)).toMatchObject({ code: "FORBIDDEN" });
  expect(await update({ pipelineId, name: "x" }, reader)).toMatchObject({ code: "FORBIDDEN" });
  const local = await addMachine(scene.server.url, scene.api, ["ADMIN", await scene.createWorkspace()]);
  expect(await list(local)).toEqual([]);
  expect(await create({}, local)).toMatchObject({ code: "FORBIDDEN" });
  expect(await update({ pipelineId, name: "x" }, local)).toMatchObject({ code: "NOT_FOUND" });
  const query = "query ($id: ID!) { node(id: $id) { id } }";
  expect((await local.ask(query, { id: pipelineId })).node).toBeNull();
  expect((await reader.ask(query, { id: pipelineId })).node).toEqual({ id: pipelineId });
});
