// The small table that runners claim from.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Run } from "../../src/model/run/run.ts";
import {
  enterDispatch,
  listOrganizationsToOffer,
  lockFirstOffered,
  offerSlots,
  takeOffered,
} from "../../src/persistence/dispatch/dispatch-store.ts";
import { endLiveJob, insertJob } from "../../src/persistence/dispatch/job-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

const CLAIMS = inject("soaks") ? 1000 : 320;

let stores: Stores;
let runnerId: string;
beforeAll(async () => {
  stores = await openStores();
  runnerId = await stores.addRunner("r");
});
afterAll(() => stores[Symbol.asyncDispose]());

const enter = (run: Run, lane: number, priority = 0, fairKey: string | null = null) =>
  stores.database.transaction((tx) => {
    const { id, organizationId, workspaceId } = run;
    const row = {
      runId: id,
      organizationId,
      workspaceId,
      class: lane,
      priority,
      since: AT,
      poolId: null,
      labels: [],
      fairKey,
    };
    return enterDispatch(tx, row, AT);
  });

/** A runner that all organizations share. */
const ANY = { pool: null, labels: [] };

/** Claims the first one: its place goes over to a lease. */
function take(): Promise<string | null> {
  return stores.database.transaction(async (tx) => {
    const found = await lockFirstOffered(tx, ANY, []);
    if (found === null || !(await takeOffered(tx, { ...ANY, id: runnerId }, found.runId))) return null;
    const id = stores.newId("job");
    const { organization_id: organizationId } = await tx.sql
      .selectFrom("workspace")
      .select("organization_id")
      .where("id", "=", found.workspaceId)
      .executeTakeFirstOrThrow();
    const lease = { claimId: id, leg: "PLAN", attempt: 1, runnerId, claimedAt: AT, expiresAt: AT, leaseMs: 1 } as const;
    await insertJob(tx, { id, runId: found.runId, organizationId, workspaceId: found.workspaceId, ...lease });
    return found.runId;
  });
}

test("over many claims each of eight workspaces that are always busy gets an eighth within a fifth", async () => {
  const runs: Run[] = [];
  for (let i = 0; i < 8; i++) runs.push(await stores.addRun(await stores.addWorkspace()));
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const run of runs) await enter(run, 1);
  const got = new Map(runs.map(({ id }) => [id, 0]));
  const live: string[] = [];
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (let i = 0; i < CLAIMS; i++) {
    const runId = await take();
    if (runId === null) throw new Error("There is a place and somebody who wants it.");
    got.set(runId, (got.get(runId) ?? 0) + 1);
    live.push(runId);
    if (live.length < 3) continue;
    const [over = ""] = live.splice(random() % live.length, 1);
    const run = byId.get(over);
    if (run === undefined) continue;
    await stores.database.transaction((tx) => endLiveJob(tx, over, AT));
    // First all deploy, then all make speculative plans: those that still want to deploy go before.
    await enter(run, i < CLAIMS / 2 ? 1 : 2);
  }
  const share = CLAIMS / runs.length;
  for (const count of got.values()) expect(Math.abs(count - share)).toBeLessThan(share * 0.2);
  expect(await listOrganizationsToOffer(stores.database)).toEqual([]);
}, 120_000);

test("a run of a person waits for one run of a changeset of 500, not for all of them", async () => {
  const first = await stores.addRun(await stores.addWorkspace());
  // The table knows runs alone: that they share a workspace does not matter to it.
  const copies = await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    const { rows } = await sql<{ id: string }>`
      insert into run select made.* from run r, generate_series(1, 600) n, jsonb_populate_record(r, jsonb_build_object(
          'id', r.id || '_' || lpad(n::text, 4, '0'), 'number', 1 + n)) made
        where r.id = ${first.id} returning id`.execute(tx.sql);
    await sql`delete from dispatch`.execute(tx.sql);
    await sql`update job set ended_at = ${AT} where ended_at is null`.execute(tx.sql);
    return rows.map(({ id }) => id).toSorted();
  });
  const enterAll = (ids: readonly string[], fairKey: string | null): Promise<void> =>
    stores.database.transaction(async (tx) => {
      const { organizationId, workspaceId } = first;
      const row = { organizationId, workspaceId, class: 3, priority: 0, since: AT, poolId: null, labels: [], fairKey };
      for (const runId of ids) await enterDispatch(tx, { ...row, runId }, AT);
    });
  const next = async (): Promise<string> => {
    const runId = await take();
    if (runId === null) throw new Error("There is a free place and a run that waits.");
    await stores.database.transaction(async (tx) => {
      await endLiveJob(tx, runId, AT);
      offerSlots(tx, first.organizationId);
    });
    return runId;
  };
  const storm = copies.slice(0, 500);
  await enterAll(storm, "cs_1");
  const served: string[] = [];
  for (let i = 0; i < 20; i++) served.push(await next());
  expect(served).toEqual(storm.slice(0, 20));
  await enterAll([first.id], null);
  // Three of the changeset have their slots already; the person gets one of the next two.
  const after: string[] = [];
  for (let i = 0; i < 5; i++) after.push(await next());
  expect(after).toContain(first.id);
  // Two changesets: each has its turn.
  const second = copies.slice(500, 550);
  await enterAll(second, "cs_2");
  const mixed: string[] = [];
  for (let i = 0; i < 24; i++) mixed.push(await next());
  expect(Math.abs(mixed.filter((id) => second.includes(id)).length - 12)).toBeLessThanOrEqual(3);
}, 120_000);
