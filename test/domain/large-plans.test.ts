import { afterAll, beforeAll, expect, it } from "vitest";
import type { ResourceChange } from "../../src/model/plan/plan.ts";
import type { Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { createdResource as change } from "../support/resource-changes.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const QUERY = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $actions: [ResourceAction!]) {
  run(id: $id) { warnings plan { resourceChanges(
    first: $first, after: $after, last: $last, before: $before, actions: $actions) {
      edges { cursor node { address action after } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;
const MIB = 1024 * 1024;

async function planned(resourceChanges: ResourceChange[], kind = "DEPLOY"): Promise<string> {
  const runId = await scene.createRun(await scene.createWorkspace(), { kind });
  const job = await scene.claim(runId);
  const destructions = resourceChanges.filter(({ action }) => action === "DELETE").length;
  const counts = { ...fakePlan().counts, additions: resourceChanges.length - destructions, destructions };
  expect(await job.plan({ resourceChanges, counts })).toMatchObject({ status: 200 });
  return runId;
}

async function page(id: string, args: object): Promise<Data> {
  return (await scene.api.ask(QUERY, { id, ...args })).run.plan.resourceChanges;
}

const addresses = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.address);

it("reads a plan of 5,000 resources page by page, from both ends and by what happens", async () => {
  const changes = Array.from({ length: 5000 }, (_, n) => change(`r${n}`, { action: n < 3 ? "DELETE" : "CREATE" }));
  const runId = await planned(changes);
  const wanted = changes.map(({ address }) => address);
  const found: string[] = [];
  for (let after: string | null = null; ; ) {
    const read = await page(runId, { first: 100, after });
    found.push(...addresses(read));
    after = read.pageInfo.endCursor;
    if (!read.pageInfo.hasNextPage) break;
  }
  expect(found).toEqual(wanted);
  const last = await page(runId, { last: 2 });
  expect(addresses(last)).toEqual(wanted.slice(-2));
  expect(addresses(await page(runId, { last: 2, before: last.pageInfo.startCursor }))).toEqual(wanted.slice(-4, -2));
  expect(addresses(await page(runId, { first: 100, actions: ["DELETE"] }))).toEqual(wanted.slice(0, 3));
  expect(addresses(await page(runId, { first: 100, actions: [] }))).toEqual([]);
  for (const args of [{ first: 101 }, { first: -1 }, { first: 1, last: 1 }, { after: "x" }]) {
    const { errors } = await scene.api.send(QUERY, { id: runId, ...args });
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT" } }]);
  }
});

it("gives a resource of 5 MB alone, and never more than fits into a page", async () => {
  const large = (name: string, bytes: number) => change(name, { after: { value: "x".repeat(bytes) } });
  const runId = await planned([
    large("huge", 5 * MIB),
    change("small"),
    ...Array.from({ length: 6 }, (_, n) => large(`big${n}`, 1.5 * MIB)),
  ]);
  const first = await page(runId, { first: 100 });
  expect(addresses(first)).toEqual(["terraform_data.huge"]);
  expect(first.edges[0].node.after.value).toHaveLength(5 * MIB);
  expect(first.pageInfo.hasNextPage).toBe(true);
  const found: string[][] = [];
  for (let read = first; read.pageInfo.hasNextPage; ) {
    read = await page(runId, { first: 100, after: read.pageInfo.endCursor });
    found.push(addresses(read));
    expect(JSON.stringify(read).length).toBeLessThan(4.1 * MIB);
  }
  expect(found.map((each) => each.length)).toEqual([3, 2, 2]);
  expect(found.flat()).toHaveLength(7);
  const last = await page(runId, { last: 100 });
  expect(addresses(last)).toEqual(["terraform_data.big4", "terraform_data.big5"]);
  expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  // What does not ask for the objects is not held up by them.
  const { run } = await scene.api.ask(`query ($id: ID!) { run(id: $id) { plan { additions } } }`, { id: runId });
  expect(run.plan.additions).toBe(8);
});

it("warns of what a destroy takes away, by the first addresses and the count of the rest", async () => {
  const gone = (count: number) => Array.from({ length: count }, (_, n) => change(`r${n}`, { action: "DELETE" }));
  const one = await planned(gone(1), "DESTROY");
  const many = await planned(gone(7), "DESTROY");
  expect((await scene.run(one, "warnings")).warnings).toEqual(["This run destroys 1 resource: terraform_data.r0."]);
  const first = [0, 1, 2, 3, 4].map((n) => `terraform_data.r${n}`).join(", ");
  expect((await scene.run(many, "warnings")).warnings).toEqual([
    `This run destroys 7 resources: ${first}, and 2 more.`,
  ]);
  const partial = await scene.createRun(await scene.createWorkspace());
  await (await scene.claim(partial)).plan({ complete: false });
  expect((await scene.run(partial, "warnings")).warnings).toEqual([expect.stringContaining("not complete")]);
});
