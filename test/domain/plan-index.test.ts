/** All changes of a plan in one list, and what differs between two plans of a run. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { INDEXED_CHANGES } from "../../src/model/plan/plan-index.ts";
import type { ResourceChange } from "../../src/model/plan/plan.ts";
import type { Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { createdResource as change } from "../support/resource-changes.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const INDEX = "index { address action module type digest imported previousAddress } indexTruncated";

async function report(runId: string, resourceChanges: ResourceChange[]): Promise<void> {
  const counts = { ...fakePlan().counts, additions: resourceChanges.length, replacements: 1, destructions: 1 };
  expect(await (await scene.claim(runId)).plan({ resourceChanges, counts })).toMatchObject({ status: 200 });
}

async function planned(resourceChanges: ResourceChange[]): Promise<string> {
  const runId = await scene.createRun(await scene.createWorkspace());
  await report(runId, resourceChanges);
  return runId;
}

async function replan(runId: string, resourceChanges: ResourceChange[], planVersion = 1): Promise<void> {
  await scene.send("replanRun", { runId, planVersion });
  await report(runId, resourceChanges);
}

async function plan(id: string, fields: string): Promise<Data> {
  return (await scene.api.ask(`query ($id: ID!) { run(id: $id) { plan { ${fields} } } }`, { id })).run.plan;
}

describe("the index of a plan", () => {
  it("has every change in the order of the plan, with the digest that the change has", async () => {
    const changes = [
      change("gone", { action: "DELETE" }),
      change("moved", { previousAddress: "terraform_data.old", action: "NO_OP", module: "module.m" }),
      change("known", { imported: true, importId: "i-1", after: { zz: 1, a: { b: "ä" } } }),
    ];
    const runId = await planned(changes);
    const { index, indexTruncated, resourceChanges } = await plan(
      runId,
      `${INDEX} resourceChanges { edges { node { address digest importId provider } } }`,
    );
    const nodes = resourceChanges.edges.map((edge: Data) => edge.node);
    expect(index).toMatchObject([
      { address: "terraform_data.gone", action: "DELETE", module: null, type: "terraform_data", imported: false },
      { action: "NO_OP", module: "module.m", previousAddress: "terraform_data.old" },
      { action: "CREATE", imported: true, previousAddress: null },
    ]);
    expect(indexTruncated).toBe(false);
    expect(index.map((each: Data) => each.digest)).toEqual(nodes.map((each: Data) => each.digest));
    expect(new Set(index.map((each: Data) => each.digest)).size).toBe(3);
    expect(nodes[2]).toMatchObject({ importId: "i-1", provider: "terraform.io/builtin/terraform" });
  });

  it("ends at its bound and states that", async () => {
    const runId = await planned(Array.from({ length: INDEXED_CHANGES + 1 }, (_, n) => change(`r${n}`)));
    const { index, indexTruncated } = await plan(runId, "index { address } indexTruncated");
    expect([index.length, indexTruncated]).toEqual([INDEXED_CHANGES, true]);
    expect(index.at(-1).address).toBe(`terraform_data.r${INDEXED_CHANGES - 1}`);
    const { errors } = await scene.api.send(
      "query ($id: ID!) { run(id: $id) { plan { comparison(with: 1) { sameCount } } } }",
      { id: runId },
    );
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", issues: [{ path: ["with"] }] } }]);
  });

  it("is read for several plans at once, each with its own changes", async () => {
    const runIds = [];
    for (let n = 0; n < 3; n++) runIds.push(await planned([change(`r${n}`)]));
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Run { plan { index { address } } } } }";
    const { nodes } = await scene.api.ask(query, { ids: runIds });
    expect(nodes.map((node: Data) => node.plan.index)).toEqual(
      [0, 1, 2].map((n) => [{ address: `terraform_data.r${n}` }]),
    );
  });
});

describe("the comparison of two plans", () => {
  const COMPARISON = "added { address } removed { address } altered { address digest } sameCount";
  const compare = async (id: string, version: number): Promise<Data> =>
    (await plan(id, `comparison(with: ${version}) { ${COMPARISON} }`)).comparison;

  it("lists what is new, gone and different, from both sides", async () => {
    const runId = await planned([change("same"), change("gone"), change("other", { after: { input: 1 } })]);
    await replan(runId, [change("other", { after: { input: 2 } }), change("new"), change("same")]);
    expect(await compare(runId, 1)).toMatchObject({
      added: [{ address: "terraform_data.new" }],
      removed: [{ address: "terraform_data.gone" }],
      altered: [{ address: "terraform_data.other" }],
      sameCount: 1,
    });
    const { run } = await scene.api.ask(
      `query ($id: ID!) { run(id: $id) { plans { index { address digest } comparison(with: 2) { ${COMPARISON} } } } }`,
      { id: runId },
    );
    const [first, second] = run.plans;
    expect(first.comparison).toMatchObject({
      added: [{ address: "terraform_data.gone" }],
      removed: [{ address: "terraform_data.new" }],
      altered: [first.index[2]],
    });
    expect(second.comparison).toEqual({ added: [], removed: [], altered: [], sameCount: 3 });
  });

  it("shows a hidden value of another plan as equal: a digest is no way to guess it", async () => {
    const hidden = { after: { password: null }, sensitivePaths: ["password"], unknownPaths: [] };
    const runId = await planned([change("db", hidden)]);
    await replan(runId, [change("db", hidden)]);
    expect(await compare(runId, 1)).toMatchObject({ altered: [], sameCount: 1 });
  });

  it("refuses a version that there is not, and one of which no plan was made", async () => {
    const runId = await planned([change("a")]);
    await scene.send("replanRun", { runId, planVersion: 1 });
    const job = await scene.claim(runId);
    await job.message({ type: "prepared" });
    const query = "query ($id: ID!, $with: Int!) { run(id: $id) { plan { comparison(with: $with) { sameCount } } } }";
    for (const version of [0, -1, 2, 2 ** 31 - 1]) {
      const { errors } = await scene.api.send(query, { id: runId, with: version });
      const message = `The run made no plan ${version}. Its plans are 1.`;
      expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", issues: [{ path: ["with"], message }] } }]);
    }
  });
});

describe("the outputs that a plan changes", () => {
  const OUTPUTS = "outputChanges { name action sensitive before after unknown }";

  it("have their values, and none in a plan that was stored without them", async () => {
    const runId = await scene.createRun(await scene.createWorkspace());
    const outputChanges = [
      { name: "size", action: "UPDATE" as const, sensitive: false },
      { name: "secret", action: "CREATE" as const, sensitive: true },
    ];
    const outputValues = [
      { name: "secret", before: null, after: null, unknown: false },
      { name: "size", before: 1, after: { a: null }, unknown: true },
    ];
    await (await scene.claim(runId)).plan({ outputChanges, outputValues });
    expect((await plan(runId, OUTPUTS)).outputChanges).toEqual([
      { ...outputChanges[0], before: 1, after: { a: null }, unknown: true },
      { ...outputChanges[1], before: null, after: null, unknown: false },
    ]);
    expect((await plan(runId, "outputCounts { additions changes destructions }")).outputCounts).toEqual({
      additions: 1,
      changes: 1,
      destructions: 0,
    });
    const old = await scene.createRun(await scene.createWorkspace());
    await (await scene.claim(old)).plan({ outputChanges });
    expect((await plan(old, OUTPUTS)).outputChanges).toEqual(
      outputChanges.map((change) => ({ ...change, before: null, after: null, unknown: false })),
    );
  });
});
