import { afterAll, beforeAll, expect, test } from "vitest";
import { listPhases } from "../../src/persistence/plan/phase-store.ts";
import { findRunsWithPhases } from "../../src/persistence/run/run-phase-store.ts";
import { findRunSummaries } from "../../src/persistence/run/run-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

test("runs are found with the phases of each, in the order in which these began", async () => {
  const { database } = stores;
  const workspace = await stores.addWorkspace();
  const first = await stores.addRun(workspace);
  const second = await stores.addRun(workspace);
  const none = await stores.addRun(workspace);
  const runnerId = await stores.addRunner("of phases");
  // Alternately, so that the order of the rows is not that of the runs.
  const kinds = ["PREPARE", "INIT", "PLAN"] as const;
  for (const kind of kinds) for (const { id } of [first, second]) await stores.addPhase(id, kind, runnerId);
  const ids = [second.id, "run_00000000000000000000000000", none.id, first.id];
  const found = await findRunsWithPhases(database, ids);
  const [summaries, phases] = [await findRunSummaries(database, ids), await listPhases(database, ids)];
  expect(found).toEqual(summaries.map((run, index) => run && { ...run, phases: phases[index] }));
  expect(found.map((run) => run?.phases.map(({ kind }) => kind) ?? null)).toEqual([kinds, null, [], kinds]);
});

test("runs of deleted workspaces are not found", async () => {
  const workspace = await stores.addWorkspace();
  const { id } = await stores.addRun(workspace);
  await stores.addPhase(id, "PLAN");
  await stores.database.sql
    .updateTable("workspace")
    .set({ deleted_at: workspace.createdAt })
    .where("id", "=", workspace.id)
    .execute();
  expect(await findRunsWithPhases(stores.database, [id])).toEqual([null]);
});
