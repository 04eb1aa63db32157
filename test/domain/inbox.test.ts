import { afterAll, beforeAll, expect, test } from "vitest";
import type { Api, Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let approver: Api & { actorId: string };
let plain: string;
let ruled: string;
let failed: string;

const INBOX = `query ($first: Int, $after: String, $reasons: [InboxReason!]) { viewer {
  inboxCount(reasons: $reasons)
  inbox(first: $first, after: $after, reasons: $reasons) {
    edges { cursor node { reason since run { id } requirement { stage missing viewerCanApprove } } }
    pageInfo { hasNextPage endCursor } } } }`;
const inboxOf = async (api: Api, args: object = {}): Promise<Data> =>
  (await api.ask(INBOX, { first: 100, ...args })).viewer;
const reasonsOf = ({ inbox }: Data): Record<string, string> =>
  Object.fromEntries(inbox.edges.map(({ node }: Data) => [node.run.id, node.reason]));

beforeAll(async () => {
  scene = await openScene(1000);
  approver = await scene.login("APPROVER");
  plain = (await scene.reach("AWAITING_PLAN_APPROVAL")).runId;
  const rule = { name: "security", gate: "PLAN", approverIds: [approver.actorId], machinesCount: true };
  ruled = (await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules: [rule] })).runId;
  failed = (await scene.reach("FAILED")).runId;
  await scene.reach("CANCELED");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

test("a run is for those who can approve it now, by rules as well as without any", async () => {
  const mine = await inboxOf(approver);
  expect(reasonsOf(mine)).toEqual({ [plain]: "YOUR_APPROVAL", [ruled]: "YOUR_APPROVAL", [failed]: "FAILED" });
  expect(mine.inboxCount).toBe(3);
  const [, second, third] = mine.inbox.edges;
  expect(second.node.requirement).toEqual({ stage: "security", missing: 1, viewerCanApprove: true });
  expect(third.node.requirement).toBeNull();

  // The rule does not name the administrator, who created all of the runs.
  const theirs = await inboxOf(scene.api);
  expect(reasonsOf(theirs)).toEqual({ [plain]: "YOUR_APPROVAL", [ruled]: "YOUR_RUN", [failed]: "YOUR_RUN" });
  const reader = await inboxOf(await scene.login("READER"));
  expect(reasonsOf(reader)).toEqual({ [plain]: "OTHERS_APPROVAL", [ruled]: "OTHERS_APPROVAL", [failed]: "FAILED" });
});

test("YOUR_APPROVAL is exactly what the requirements of the runs allow", async () => {
  const query = `{ runs(first: 100, filter: { needsApproval: true }) { edges { node { id
    approvalRequirements { current satisfied viewerCanApprove } } } } }`;
  for (const api of [scene.api, approver, await scene.login("WRITER"), await scene.login("APPROVER")]) {
    const { runs } = await api.ask(query);
    const wanted = runs.edges
      .filter(({ node }: Data) =>
        node.approvalRequirements.some((one: Data) => one.current && !one.satisfied && one.viewerCanApprove),
      )
      .map(({ node }: Data) => node.id);
    const found = await inboxOf(api, { reasons: ["YOUR_APPROVAL"] });
    expect(Object.keys(reasonsOf(found)).toSorted()).toEqual(wanted.toSorted());
    expect(found.inboxCount).toBe(wanted.length);
  }
});

test("pages have each item once, oldest first, and a foreign cursor is refused", async () => {
  const first = await inboxOf(approver, { first: 2 });
  expect(Object.keys(reasonsOf(first))).toEqual([plain, ruled]);
  expect(first.inbox.pageInfo.hasNextPage).toBe(true);
  const second = await inboxOf(approver, { first: 2, after: first.inbox.pageInfo.endCursor });
  expect(Object.keys(reasonsOf(second))).toEqual([failed]);
  expect(second.inbox.pageInfo.hasNextPage).toBe(false);
  expect(await inboxOf(approver, { reasons: [] })).toMatchObject({ inboxCount: 0, inbox: { edges: [] } });
  const refused = await scene.api.send(INBOX, { after: first.inbox.pageInfo.endCursor });
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["after"] }] });
});

test("a decision, a newer run and the age of a failure take a run out", async () => {
  const stageOf = async (runId: string): Promise<unknown> =>
    (await inboxOf(approver)).inbox.edges.find(({ node }: Data) => node.run.id === runId).node.requirement.stage;
  expect(await stageOf(ruled)).toBe("security");
  await scene.send("approveRun", { runId: ruled, gate: "PLAN", planVersion: 1 }, approver);
  // It waits at the next gate, which has no rule.
  expect(await stageOf(ruled)).toBeNull();
  await scene.quick("discardRun", { runId: ruled });
  expect(reasonsOf(await inboxOf(approver))[ruled]).toBeUndefined();
  const { workspace } = await scene.run(failed, "workspace");
  await scene.createRun(workspace.id);
  expect(reasonsOf(await inboxOf(approver))[failed]).toBeUndefined();
  const other = await scene.reach("FAILED");
  expect(reasonsOf(await inboxOf(approver))[other.runId]).toBe("FAILED");
  scene.server.advance(8 * 24 * 60 * 60 * 1000);
  expect(reasonsOf(await inboxOf(scene.api))[other.runId]).toBeUndefined();
});
