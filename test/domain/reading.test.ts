import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
let spot: Spot;
/** An id of every kind that there is. */
let ids: Record<string, string>;
beforeAll(async () => {
  scene = await openScene();
  spot = await scene.reach("CONFIRMED");
  const robot = await scene.login("WRITER", { actor: "MACHINE" });
  const { run } = await scene.api.ask(
    `query ($id: ID!) { run(id: $id) { createdBy { id } plan { id } phases { id runner { id } } approvals { id }
      workspace { organization { id } } } }`,
    { id: spot.runId },
  );
  ids = {
    Organization: run.workspace.organization.id,
    Workspace: spot.workspaceId,
    Run: spot.runId,
    Plan: run.plan.id,
    Phase: run.phases[0].id,
    Approval: run.approvals[0].id,
    Token: robot.tokenId,
    User: run.createdBy.id,
    MachineUser: robot.actorId,
    SystemActor: "sys_00000000000000000000000000",
    Runner: run.phases[0].runner.id,
  };
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

describe("node", () => {
  it("finds what an id of each kind names, and nodes keep their order", async () => {
    for (const [type, id] of Object.entries(ids)) {
      const { node } = await scene.api.ask(`query ($id: ID!) { node(id: $id) { __typename id } }`, { id });
      expect(node).toEqual({ __typename: type, id });
    }
    const asked = [...Object.values(ids), "nothing", spot.runId];
    const { nodes } = await scene.api.ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, { ids: asked });
    expect(nodes.map((node: Data) => node?.id ?? "nothing")).toEqual(asked);
  });

  it("finds nothing for what does not exist, is malformed, or is no part of the graph", async () => {
    const jobId = spot.job.job.id;
    const [{ blob_id: blobId }] = await scene.rows("select blob_id from blob_piece limit 1");
    const unknown = Object.values(ids).map((id) => id.replace(/_.*/, "_00000000000000000000000zzz"));
    const bad = [
      "",
      "run",
      "run_",
      "_",
      "run_0",
      `${spot.runId} `,
      spot.runId.toUpperCase(),
      "a\0b",
      "🐘",
      jobId,
      blobId,
    ];
    const asked = [...unknown, ...bad];
    const { nodes } = await scene.api.ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, { ids: asked });
    expect(nodes).toEqual(asked.map(() => null));
    for (const id of ["", "a\0b", "ws_0"]) {
      const data = await scene.api.ask(
        `query ($id: ID!, $slug: String!) { run(id: $id) { id } workspace(by: { id: $id }) { id }
          organization(slug: $slug) { id } }`,
        { id, slug: id },
      );
      expect(data).toEqual({ run: null, workspace: null, organization: null });
    }
  });

  it("does not take the id of one kind for that of another", async () => {
    const data = await scene.api.ask(
      `query ($run: ID!, $workspace: ID!) { run(id: $workspace) { id } workspace(by: { id: $run }) { id } }`,
      { run: spot.runId, workspace: spot.workspaceId },
    );
    expect(data).toEqual({ run: null, workspace: null });
  });
});

describe("lists of runs", () => {
  const COUNT = 7;
  let workspaceId: string;
  let numbers: number[];
  beforeAll(async () => {
    workspaceId = await scene.createWorkspace();
    for (let i = 0; i < COUNT; i++) await scene.createRun(workspaceId);
    numbers = Array.from({ length: COUNT }, (_, index) => COUNT - index);
  });

  const LIST = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: RunFilter) {
    workspace(by: { id: $id }) { runs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount edges { cursor node { number status } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const list = async (args: object): Promise<Data> =>
    (await scene.api.ask(LIST, { id: workspaceId, ...args })).workspace.runs;
  const numbersOf = (page: Data): number[] => page.edges.map((edge: Data) => edge.node.number);

  it("go forward and backward over everything, each once", async () => {
    const forward: number[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Data = await list({ first: 3, after });
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      expect(page.totalCount).toBe(COUNT);
      forward.push(...numbersOf(page));
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(forward).toEqual(numbers);
    const backward: number[] = [];
    let before: string | null = null;
    for (;;) {
      const page: Data = await list({ last: 3, before });
      expect(page.pageInfo.hasNextPage).toBe(before !== null);
      backward.unshift(...numbersOf(page));
      before = page.pageInfo.startCursor;
      if (!page.pageInfo.hasPreviousPage) break;
    }
    expect(backward).toEqual(numbers);
  });

  it("keep their place when newer runs come", async () => {
    const page = await list({ first: 2 });
    await scene.createRun(workspaceId);
    const next = await list({ first: 2, after: page.pageInfo.endCursor });
    expect(numbersOf(next)).toEqual([5, 4]);
    expect(numbersOf(await list({ first: 100, before: page.pageInfo.startCursor }))).toEqual([COUNT + 1]);
  });

  it("are filtered by status, of one workspace or of all", async () => {
    const queued = await list({ filter: { statuses: ["QUEUED"] } });
    expect(queued.totalCount).toBe(COUNT);
    expect(queued.edges.every((edge: Data) => edge.node.status === "QUEUED")).toBe(true);
    expect(numbersOf(await list({ filter: { statuses: ["READY"] } }))).toEqual([1]);
    expect((await list({ filter: { statuses: ["READY", "QUEUED"] }, first: 0 })).totalCount).toBe(COUNT + 1);
    expect(await list({ filter: { statuses: [] } })).toMatchObject({ totalCount: 0, edges: [] });
    expect((await list({ filter: { statuses: null } })).totalCount).toBe(COUNT + 1);
    const all = `query ($filter: RunFilter) { runs(filter: $filter, first: 100) { totalCount edges { node { status } } } }`;
    const { runs } = await scene.api.ask(all, { filter: { statuses: ["CONFIRMED"] } });
    expect(runs).toEqual({ totalCount: 1, edges: [{ node: { status: "CONFIRMED" } }] });
    const inWorkspace = { filter: { workspaceId, statuses: ["READY"] } };
    expect((await scene.api.ask(all, inWorkspace)).runs.totalCount).toBe(1);
    expect((await scene.api.ask(all, { filter: { workspaceId: "ws_nothing" } })).runs.totalCount).toBe(0);
  });

  it.each([
    { first: 101 },
    { first: -1 },
    { first: 1, last: 1 },
    { after: "nonsense" },
    { after: "" },
    { filter: { workspaceId: "ws_00000000000000000000000000" } },
  ])("refuse %j, naming what is wrong", async (args) => {
    const { errors } = await scene.api.send(LIST, { id: workspaceId, ...args });
    expect(errors?.[0]?.extensions?.["code"]).toBe("INVALID_INPUT");
    expect(errors?.[0]?.extensions?.["issues"]).toHaveLength(1);
  });
});
