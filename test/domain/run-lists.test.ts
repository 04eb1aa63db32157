import { assertObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";
import type { Answer, Data } from "../support/api.ts";
import { everyFieldOf } from "../support/selection.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let workspaceId: string;
/** All runs, newest first, by their statuses, kinds and triggers. */
let all: Data[];

const QUERY = `query ($first: Int, $after: String, $last: Int, $before: String, $offset: Int, $filter: RunFilter) {
  runs(first: $first, after: $after, last: $last, before: $before, offset: $offset, filter: $filter) {
    totalCount edges { cursor node { id status kind trigger createdAt workspace { id organization { id } } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const list = async (args: object = {}): Promise<Data> => (await scene.api.ask(QUERY, { ...args })).runs;
const nodes = ({ edges }: Data): Data[] => edges.map(({ node }: Data) => node);
const ids = (page: Data): string[] => nodes(page).map(({ id }) => id);

beforeAll(async () => {
  // The clock stands but where it is moved on: what says since when a run waits would change between two looks.
  scene = await openScene(1000, { standing: true });
  await scene.send("createOrganization", { slug: "other", name: "Other" });
  await scene.createRun(await scene.createWorkspace({ organization: "other" }));
  for (const place of ["AWAITING_PLAN_APPROVAL", "DISCARDED", "AWAITING_APPLY_APPROVAL", "CANCELED"] as const) {
    await scene.reach(place);
    scene.server.advance(1000);
  }
  const spot = await scene.reach("READY", "PLAN");
  workspaceId = spot.workspaceId;
  await scene.createRun(workspaceId, { kind: "DESTROY" });
  await scene.send("createRun", { workspaceId }, await scene.login("WRITER", { actor: "MACHINE" }));
  await scene.quick("cancelRun", { runId: spot.runId });
  await scene.send("retryRun", { runId: spot.runId });
  all = nodes(await list({ first: 100 }));
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const AT_GATE = ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"];

/** A run that has ended says the same each time; what it has no more is shown by those that wait. */
function statusToShow(field: string): string {
  if (field.startsWith("approval")) return "AWAITING_APPLY_APPROVAL";
  return field.startsWith("blockers") ? "QUEUED" : "DISCARDED";
}

describe("a list shows each field as the run itself does", () => {
  const fields = everyFieldOf(assertObjectType(schema.getType("Run")));

  it.each(walk(fields, 20))("%s", async (field) => {
    const { workspace, id } = all.find(({ status }) => status === statusToShow(field)) ?? {};
    const filter = { workspaceId: workspace.id };
    const alone = (await scene.api.ask(`query ($id: ID!) { run(id: $id) { same: ${field} } }`, { id })).run;
    if (statusToShow(field) !== "DISCARDED") expect(alone.same).not.toEqual([]);
    const [plain, filtered] = [
      `query ($id: ID!) { workspace(by: { id: $id }) { runs { edges { node { id same: ${field} } } } } }`,
      `query ($filter: RunFilter) { runs(filter: $filter) { edges { ...Edge } } }
       fragment Edge on RunEdge { node { ... on Node { id ... on Run { same: ${field} } } } }`,
    ];
    const lists = [
      (await scene.api.ask(plain, { id: workspace.id })).workspace.runs,
      (await scene.api.ask(filtered, { filter: { ...filter, createdAfter: "2000-01-01T00:00:00Z" } })).runs,
    ];
    for (const found of lists) expect(nodes(found).find((run) => run.id === id)).toEqual({ id, ...alone });
  });
});

describe("a filter", () => {
  const middle = (): string => all[4]?.createdAt;
  it.each<[string, () => object, (run: Data) => boolean]>([
    ["by organization", () => ({ organizationId: all.at(-1)?.workspace.organization.id }), (run) => run === all.at(-1)],
    ["by workspace", () => ({ workspaceId }), (run) => run.workspace.id === workspaceId],
    ["by statuses", () => ({ statuses: ["CANCELED", "DISCARDED"] }), ({ status }) => /CANCELED|DISCARDED/.test(status)],
    ["by kinds", () => ({ kinds: ["PLAN", "DESTROY"] }), ({ kind }) => kind !== "DEPLOY"],
    ["by triggers", () => ({ triggers: ["RETRY", "API"] }), ({ trigger }) => trigger !== "MANUAL"],
    ["by people who are waited for", () => ({ needsApproval: true }), ({ status }) => AT_GATE.includes(status)],
    ["by nobody who is waited for", () => ({ needsApproval: false }), ({ status }) => !AT_GATE.includes(status)],
    ["by what came after", () => ({ createdAfter: middle() }), ({ createdAt }) => createdAt > middle()],
    ["by what came before", () => ({ createdBefore: middle() }), ({ createdAt }) => createdAt < middle()],
    [
      "by all of them at once",
      () => ({ workspaceId, kinds: ["PLAN"], statuses: ["READY"], triggers: ["RETRY"], needsApproval: false }),
      ({ trigger }) => trigger === "RETRY",
    ],
    ["by fields that contradict each other", () => ({ statuses: ["READY"], needsApproval: true }), () => false],
    ["by nothing but null", () => ({ organizationId: null, statuses: null, needsApproval: null }), () => true],
    ["by no statuses", () => ({ statuses: [] }), () => false],
    ["by no kinds", () => ({ kinds: [] }), () => false],
    ["by no triggers", () => ({ triggers: [], needsApproval: true }), () => false],
    ["by what is no id", () => ({ organizationId: "\0", workspaceId: "x" }), () => false],
  ])("%s", async (_what, filter, matches) => {
    const wanted = all.filter(matches).map(({ id }) => id);
    const found = await list({ first: 100, filter: filter() });
    expect(ids(found)).toEqual(wanted);
    expect(found.totalCount).toBe(wanted.length);
    expect(wanted.length).toBeLessThanOrEqual(all.length);
  });

  it("of a workspace may not name one", async () => {
    const query = `query ($id: ID!, $filter: RunFilter) { workspace(by: { id: $id }) {
      runs(filter: $filter) { totalCount } } }`;
    const refused = await scene.api.send(query, { id: workspaceId, filter: { workspaceId } });
    expect(refused.errors).toMatchObject([{ extensions: { code: "INVALID_INPUT" } }]);
    const { workspace } = await scene.api.ask(query, { id: workspaceId, filter: { kinds: ["DESTROY"] } });
    expect(workspace.runs.totalCount).toBe(1);
  });
});

describe("a page", () => {
  it("is found from either end, and by how many runs come before it", async () => {
    const every = all.map(({ id }) => id);
    const first = await list({ first: 3 });
    expect(ids(first)).toEqual(every.slice(0, 3));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(ids(await list({ first: 2, after: first.pageInfo.endCursor }))).toEqual(every.slice(3, 5));
    const last = await list({ last: 2 });
    expect(ids(last)).toEqual(every.slice(-2));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(ids(await list({ last: 2, before: last.pageInfo.startCursor }))).toEqual(every.slice(-4, -2));

    const third = await list({ first: 2, offset: 2 });
    expect(ids(third)).toEqual(every.slice(2, 4));
    expect(third.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(ids(await list({ first: 2, after: third.pageInfo.endCursor }))).toEqual(every.slice(4, 6));
    expect(ids(await list({ first: 3, offset: 0 }))).toEqual(every.slice(0, 3));
    const beyond = await list({ first: 2, offset: 10_000 });
    expect(beyond).toMatchObject({ edges: [], totalCount: all.length, pageInfo: { hasNextPage: false } });
    const filtered = await list({ first: 1, offset: 1, filter: { statuses: ["CANCELED"] } });
    expect(ids(filtered)).toEqual([all.filter(({ status }) => status === "CANCELED")[1]?.id]);
  });

  const refused = (answer: Answer): unknown[] => {
    expect(answer.data).toBeNull();
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT" });
    const issues: Data = answer.errors?.[0]?.extensions?.["issues"];
    return issues.map(({ path }: Data) => path[0]);
  };

  it.each<[object, string[]]>([
    [{ first: -1 }, ["first"]],
    [{ last: -1 }, ["last"]],
    [{ first: 101 }, ["first"]],
    [{ first: 1_000_000 }, ["first"]],
    [{ last: 1_000_000 }, ["last"]],
    [{ first: 1, last: 1 }, ["last"]],
    [{ after: "" }, ["after"]],
    [{ after: "not a cursor" }, ["after"]],
    [{ before: "bm90IGEgY3Vyc29y" }, ["before"]],
    [{ after: "x".repeat(100_000) }, ["after"]],
    [{ offset: -1 }, ["offset"]],
    [{ offset: 10_001 }, ["offset"]],
    [{ offset: 1, last: 2 }, ["offset"]],
  ])("is refused with %j", async (args, paths) => {
    expect(refused(await scene.api.send(QUERY, { ...args }))).toEqual(paths);
  });

  it("is refused with the cursor of another list, and with a cursor beside an offset", async () => {
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 1) { pageInfo { endCursor } } }
      organizations(first: 1) { pageInfo { endCursor } }
      run(id: "${all[0]?.id}") { events(first: 1) { pageInfo { endCursor } } } }`;
    const { workspace, organizations, run } = await scene.api.ask(query, { id: workspaceId });
    const foreign = [workspace.runs, organizations, run.events].map(({ pageInfo }: Data) => pageInfo.endCursor);
    for (const after of foreign) expect(refused(await scene.api.send(QUERY, { after }))).toEqual(["after"]);
    const { pageInfo } = await list({ first: 1 });
    for (const cursor of [{ after: pageInfo.endCursor }, { before: pageInfo.endCursor }]) {
      expect(refused(await scene.api.send(QUERY, { ...cursor, offset: 1 }))).toEqual(["offset"]);
    }
  });
});

it("counts to 10,000 and no further", async () => {
  const house = await scene.createWorkspace();
  const template = await scene.createRun(house);
  await scene.quick("cancelRun", { runId: template });
  await scene.rows("alter table run disable trigger all");
  await scene.rows(
    `insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
       variables_sealed, version, status_version, created_at, status_at, finished_at)
     select 'run_' || lpad(n::text, 26, '0'), organization_id, project_id, workspace_id, n + 10, kind, status, leg, trigger,
       created_by, variables_sealed, 1, 1, created_at, status_at, finished_at
     from run, generate_series(1, 10020) n where run.id = $1`,
    template,
  );
  await scene.rows("alter table run enable trigger all");
  expect((await list({ first: 1 })).totalCount).toBe(10_000);
  const deep = await list({ first: 5, offset: 10_000, filter: { workspaceId: house } });
  expect(deep.edges).toHaveLength(5);
});
