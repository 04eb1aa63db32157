import { EVERYTHING } from "../../src/model/people/permission.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Page, PageRequest } from "../../src/model/kit/page.ts";
import { EVERY_CHANGE } from "../../src/model/plan/change-filter.ts";
import type { PlanContent, ResourceChange } from "../../src/model/plan/plan.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";
import { changeDigest } from "../../src/persistence/plan/change-digest.ts";
import { findPlanTexts, insertPlan } from "../../src/persistence/plan/plan-store.ts";
import { listResourceChanges } from "../../src/persistence/plan/resource-change-store.ts";
import { listRunEvents } from "../../src/persistence/run/run-event-store.ts";
import { countRuns, listRuns } from "../../src/persistence/run/run-list-store.ts";
import { updateRun } from "../../src/persistence/run/run-change-store.ts";
import { listWorkspaces } from "../../src/persistence/workspace/workspace-list-store.ts";
import { NO_FACTS } from "../support/resource-changes.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

/** Reads a list from both ends in pages of every size, and expects the same items whatever the way. */
async function walk<Item, Position>(
  list: (page: PageRequest<Position>) => Promise<Page<Item>>,
  positionOf: (item: Item) => Position,
  expected: Item[],
): Promise<void> {
  for (const limit of [1, 2, 3, expected.length - 1, expected.length, expected.length + 1]) {
    const forward: Item[] = [];
    for (let after: Position | null = null; ; ) {
      const page: Page<Item> = await list({ limit, direction: "forward", after, before: null });
      expect(page.hasPreviousPage).toBe(after !== null);
      forward.push(...page.items);
      const last = page.items.at(-1);
      expect(page.hasNextPage).toBe(forward.length < expected.length);
      if (!page.hasNextPage || last === undefined) break;
      after = positionOf(last);
    }
    expect(forward).toEqual(expected);

    const backward: Item[] = [];
    for (let before: Position | null = null; ; ) {
      const page: Page<Item> = await list({ limit, direction: "backward", after: null, before });
      expect(page.hasNextPage).toBe(before !== null);
      backward.unshift(...page.items);
      const [first] = page.items;
      expect(page.hasPreviousPage).toBe(backward.length < expected.length);
      if (!page.hasPreviousPage || first === undefined) break;
      before = positionOf(first);
    }
    expect(backward).toEqual(expected);
  }
  const [first, second, third, fourth] = expected;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return;
  const window = { after: positionOf(first), before: positionOf(fourth) };
  expect((await list({ limit: 1, direction: "forward", ...window })).items).toEqual([second]);
  expect((await list({ limit: 1, direction: "backward", ...window })).items).toEqual([third]);
  expect((await list({ limit: 9, direction: "forward", ...window })).items).toEqual([second, third]);
  expect((await list({ limit: 0, direction: "forward", after: null, before: null })).items).toEqual([]);
}

test("runs: newest first, of one workspace, by status", async () => {
  const workspace = await stores.addWorkspace();
  await stores.addRun(await stores.addWorkspace());
  const runs = [];
  for (let number = 1; number <= 7; number++) {
    const run = await stores.addRun(workspace);
    runs.unshift(number % 3 === 0 ? await stores.move(run, "CANCELED") : run);
  }
  const { database } = stores;
  const workspaceId = workspace.id;
  await walk(
    (page: PageRequest<string>) => listRuns(database, EVERYTHING, { workspaceId }, page),
    (run) => run.id,
    runs,
  );
  const queued = runs.filter((run) => run.status === "QUEUED");
  await walk(
    (page: PageRequest<string>) => listRuns(database, EVERYTHING, { workspaceId, statuses: ["QUEUED", "READY"] }, page),
    (run) => run.id,
    queued,
  );
  const page: PageRequest<string> = { limit: 9, direction: "forward", after: null, before: null };
  expect(await listRuns(database, EVERYTHING, { workspaceId, statuses: [] }, page)).toMatchObject({
    items: [],
    hasNextPage: false,
  });
  expect(await countRuns(database, EVERYTHING, { workspaceId }, 100)).toBe(7);
  expect(await countRuns(database, EVERYTHING, { workspaceId, statuses: ["CANCELED"] }, 100)).toBe(2);
  expect(await countRuns(database, EVERYTHING, { workspaceId }, 3)).toBe(3);
  expect(await countRuns(database, EVERYTHING, { workspaceId, statuses: [] }, 3)).toBe(0);
});

test("workspaces: by name, or by a part of it taken literally", async () => {
  const made = [];
  for (const name of ["p-e", "p-a", "p-d", "p-c", "p-b", "p_b"]) made.push(await stores.addWorkspace(name));
  const byName = made.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const list = (search: string | null) => (page: PageRequest<string>) =>
    listWorkspaces(stores.database, EVERYTHING, DEFAULT_ORGANIZATION_ID, search === null ? {} : { search }, page);
  const dashes = byName.filter(({ name }) => name.startsWith("p-"));
  await walk(list("p-"), ({ name }) => name, dashes);
  const all = await list(null)({ limit: 100, direction: "forward", after: null, before: null });
  expect(all.items.map(({ name }) => name).filter((name) => name.startsWith("p"))).toEqual(
    byName.map(({ name }) => name),
  );
  const literally = await list("p_")({ limit: 100, direction: "forward", after: null, before: null });
  expect(literally.items.map(({ name }) => name)).toEqual(["p_b"]);
});

test("events of a run: oldest first, every type as it was written", async () => {
  const run = await stores.addRun(await stores.addWorkspace());
  const base = { runId: run.id, at: AT, actorId: SYSTEM_ACTOR_ID };
  const added: RunEvent[] = [
    { ...base, version: 2, type: "CHANGED", fields: ["cancelRequest"] },
    { ...base, version: 3, type: "PHASE_CHANGED", phaseId: stores.newId("phase"), to: "RUNNING" },
    { ...base, version: 4, type: "PLAN_READY", planId: stores.newId("plan") },
    { ...base, version: 5, type: "APPROVAL_RECORDED", approvalId: stores.newId("approval") },
    { ...base, version: 6, type: "STATUS_CHANGED", from: "QUEUED", to: "READY", reason: "a reason" },
  ];
  await stores.database.transaction(async (tx) => {
    await updateRun(tx, run, { status: { to: "READY", version: 6, at: AT } }, added);
  });
  const created: RunEvent = { ...base, version: 1, type: "STATUS_CHANGED", from: null, to: "QUEUED", reason: null };
  const expected = [created, ...added];
  await walk(
    (page: PageRequest<number>) => listRunEvents(stores.database, run.id, page),
    (event) => event.version,
    expected,
  );
});

function change(index: number): ResourceChange {
  return {
    address: `terraform_data.item[${index}]`,
    type: "terraform_data",
    name: "item",
    module: null,
    action: index % 2 === 0 ? "CREATE" : "REPLACE",
    createBeforeDestroy: index % 2 === 0 ? null : true,
    previousAddress: null,
    imported: false,
    before: index % 2 === 0 ? null : { big: "123456789012345678901234567890", list: [1, null, "ä"] },
    after: "a string",
    sensitivePaths: ["", "tags.Name"],
    unknownPaths: [],
    ...NO_FACTS,
  };
}

test("resource changes: in the order of the plan, over more than one insert, by action", async () => {
  const workspace = await stores.addWorkspace();
  const run = await stores.addRun(workspace);
  const resourceChanges = Array.from({ length: 2001 }, (_, index) => change(index));
  const content: PlanContent = {
    engine: { name: "terraform", version: "1.11.4" },
    digest: "d",
    hasChanges: true,
    complete: true,
    counts: { additions: 1, changes: 2, destructions: 3, replacements: 4, imports: 5, moves: 6, forgets: 7 },
    stateSerial: 2 ** 40,
    text: "Plan: ünïcode\n",
    resourceChanges,
    outputChanges: [{ name: "out", action: "CREATE", sensitive: true }],
  };
  const id = stores.newId("plan");
  const archiveBlobId = await stores.addBlob(workspace.id);
  const plan = await stores.database.transaction((tx) =>
    insertPlan(tx, {
      id,
      runId: run.id,
      version: 1,
      targets: ["a.b"],
      replace: ["a.c"],
      archiveBlobId,
      createdAt: AT,
      content,
    }),
  );
  expect(plan).toEqual({
    id,
    actionInvocations: [],
    actionInvocationCount: 0,
    failedCheckCount: 0,
    runId: run.id,
    version: 1,
    targets: ["a.b"],
    replace: ["a.c"],
    createdAt: AT,
    engine: content.engine,
    digest: "d",
    hasChanges: true,
    complete: true,
    ...content.counts,
    stateSerial: 2 ** 40,
    outputChanges: content.outputChanges,
    archiveExpiredAt: null,
  });
  expect(await findPlanTexts(stores.database, ["plan_none", id])).toEqual([null, content.text]);

  const stored = resourceChanges.map((item, index) => ({ position: index + 1, digest: changeDigest(item), ...item }));
  const list =
    (actions: readonly ["REPLACE"] | null, planId = id) =>
    (page: PageRequest<number>) =>
      listResourceChanges(stores.database, planId, { ...EVERY_CHANGE, actions }, page);
  const whole = await list(null)({ limit: 5000, direction: "forward", after: null, before: null });
  expect(whole).toEqual({ items: stored, hasNextPage: false, hasPreviousPage: false });
  const replaced = stored.filter(({ action }) => action === "REPLACE");
  const last = replaced.slice(-3);
  const tail = await list(["REPLACE"])({ limit: 3, direction: "backward", after: null, before: null });
  expect(tail).toEqual({ items: last, hasNextPage: false, hasPreviousPage: true });

  const few = stores.newId("plan");
  const small = { ...content, resourceChanges: resourceChanges.slice(0, 7) };
  await stores.database.transaction((tx) =>
    insertPlan(tx, {
      id: few,
      runId: run.id,
      version: 2,
      targets: [],
      replace: [],
      archiveBlobId,
      createdAt: AT,
      content: small,
    }),
  );
  await walk(list(null, few), ({ position }) => position, stored.slice(0, 7));
});
