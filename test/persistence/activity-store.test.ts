import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EVERYTHING, NOTHING } from "../../src/model/people/permission.ts";
import { countLiveRuns, findPlaceUses } from "../../src/persistence/dispatch/activity-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

interface Row {
  organizationId: string;
  projectId: string | null;
  id: string;
}

/** Writes past the machine: statuses are counted, not reached. */
async function add(
  workspace: Row,
  status: string,
  statusAt: string,
  finishedAt: string | null = null,
): Promise<string> {
  const id = stores.newId("run");
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at)
      select ${id}, ${workspace.organizationId}, ${workspace.projectId}, ${workspace.id}, coalesce(max(number), 0) + 1,
        'DEPLOY', ${status}, 'PLAN', 'MANUAL', 'sys', '', '{}', '{}', 1, 1, ${statusAt}, ${statusAt}, ${finishedAt}
      from run where workspace_id = ${workspace.id}
    `.execute(tx.sql);
  });
  return id;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 10, 0, minute)).toISOString();

test("live runs are counted by status within the scope, and the run that waits longest is found", async () => {
  const shown = await stores.addWorkspace();
  const other = await stores.addWorkspace();
  const organizationId = shown.organizationId;
  await add(shown, "QUEUED", at(1));
  await add(shown, "QUEUED", at(2));
  await add(shown, "FINISHED", at(0), at(3));
  // The older run reached its gate later.
  await add(shown, "AWAITING_PLAN_APPROVAL", at(30));
  const oldest = await add(shown, "AWAITING_APPLY_APPROVAL", at(20));
  const hidden = await add(other, "AWAITING_APPLY_APPROVAL", at(10));

  const [all, none] = await countLiveRuns(stores.database, EVERYTHING, [organizationId, "org_unknown"]);
  expect(all).toEqual({
    counts: [
      { status: "QUEUED", count: 2 },
      { status: "AWAITING_PLAN_APPROVAL", count: 1 },
      { status: "AWAITING_APPLY_APPROVAL", count: 2 },
    ],
    oldestAtGateId: hidden,
  });
  expect(none).toEqual({ counts: [], oldestAtGateId: null });

  const scope = { organizationIds: [], hiddenProjectIds: [], projectIds: [], workspaceIds: [shown.id] };
  const [some] = await countLiveRuns(stores.database, { type: "some", ...scope }, [organizationId]);
  expect(some?.oldestAtGateId).toBe(oldest);
  expect(some?.counts).toContainEqual({ status: "AWAITING_APPLY_APPROVAL", count: 1 });
  const [nothing] = await countLiveRuns(stores.database, NOTHING, [organizationId]);
  expect(nothing).toEqual({ counts: [], oldestAtGateId: null });
});

test("an organization without work has all of its places, and one that does not exist has none", async () => {
  const { organizationId } = await stores.addWorkspace();
  const [use, absent] = await findPlaceUses(stores.database, [organizationId, "org_unknown"]);
  expect(use).toEqual({ busy: 0, limit: expect.any(Number), queueLength: 0, endingSince: null, jobMs: null });
  expect(absent).toBeNull();
});
