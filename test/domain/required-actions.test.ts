import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REQUIRED_ACTIONS } from "../../src/model/lifecycle/run-status.ts";
import type { Data } from "../support/api.ts";
import { beginVerifying } from "../support/verification-rows.ts";
import { openScene, PLACES, type Scene } from "./scene.ts";

let scene: Scene;
const LIST = `query ($filter: RunFilter, $first: Int!, $after: String) {
  runs(first: $first, after: $after, filter: $filter) {
    totalCount edges { cursor node { id status requiredAction } } pageInfo { hasNextPage } } }`;
const list = async (filter: object, page: object = { first: 100 }): Promise<Data> =>
  (await scene.api.ask(LIST, { filter, ...page })).runs;
const ids = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.id);

/** Every status, with locked workspaces, judgements and interrupted applies. */
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  for (const place of PLACES) await scene.reach(place);
  for (const place of ["QUEUED", "READY", "CONFIRMED"] as const) {
    const { workspaceId } = await scene.reach(place);
    await scene.quick("lockWorkspace", { workspaceId });
  }
  const expiring = await scene.reach("CONFIRMED");
  const expiresAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
  await scene.quick("lockWorkspace", { workspaceId: expiring.workspaceId, expiresAt });
  const asking = await scene.reach("AWAITING_PLAN_APPROVAL");
  await scene.rows("update run set policy_asks = true where id = $1", asking.runId);
  // An apply that was stopped, past the machine.
  const stopped = await scene.reach("STOPPED");
  await scene.server.deps.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`update run set leg = 'APPLY' where id = ${stopped.runId}`.execute(tx.sql);
  });
  for (const status of ["RUNNING", "INCONCLUSIVE"]) {
    const { runId } = await scene.reach("APPLYING");
    await beginVerifying(scene.server.deps, runId);
    await scene.rows("update verification set status = $2 where run_id = $1", runId, status);
  }
}, 300_000);
afterAll(() => scene[Symbol.asyncDispose]());

async function expectAgreement(): Promise<Set<string>> {
  const all = await list({});
  for (const action of REQUIRED_ACTIONS) {
    const wanted = all.edges.filter(({ node }: Data) => node.requiredAction === action);
    const found = await list({ requiredActions: [action] });
    expect(ids(found), action).toEqual(ids({ edges: wanted }));
    expect(found.totalCount).toBe(wanted.length);
  }
  return new Set(all.edges.map(({ node }: Data) => node.requiredAction));
}

test("runs are found by exactly the action that they show, also when a lock has expired meanwhile", async () => {
  expect((await list({})).pageInfo.hasNextPage).toBe(false);
  expect([...(await expectAgreement())].toSorted()).toEqual([...REQUIRED_ACTIONS].toSorted());
  const locked = ids(await list({ requiredActions: ["RELEASE_LOCK"] }));
  scene.server.advance(120_000);
  await expectAgreement();
  expect(ids(await list({ requiredActions: ["RELEASE_LOCK"] })).length).toBe(locked.length - 1);
});

test("several actions are one list, page by page, and no action finds nothing", async () => {
  const filter = { requiredActions: ["REVIEW_PLAN", "CONFIRM_APPLY", "RELEASE_LOCK"] };
  const whole = ids(await list(filter));
  const pages: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Data = await list(filter, { first: 1, after });
    pages.push(...ids(page));
    after = page.edges.at(-1)?.cursor ?? null;
    more = page.pageInfo.hasNextPage;
  }
  expect(pages).toEqual(whole);
  expect(whole).toHaveLength(4);
  expect(ids(await list({ requiredActions: [] }))).toEqual([]);
});
