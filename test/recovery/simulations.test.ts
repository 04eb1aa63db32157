/** A server that is killed while it simulates policies: another one continues, and judges each plan that was left. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { createPolicySet, simulate, simulationOf } from "../support/policy-steps.ts";
import * as steps from "../support/run-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

/** A lease of a minute has to run out. */
const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
const PLANS = 6;

let work: HeldWork;
let database: TestDatabase;
let client: Client;
let dataDir: string;
beforeAll(async () => {
  [work, database, dataDir] = await Promise.all([startHeldWork(), createTestDatabase(), makeDataDir()]);
  client = new Client({ ...database.connection });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await work[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({ dataDir, env: { DATABASE_URL: database.url, HOLDPOINT_SOURCE_ROOTS: work.root } });

/** A good part of a second of CPU time, below the limit of a policy: a step of a simulation ends between two plans. */
const DIGITS = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const SLOW = ["a", "b", "c", "d", "e"].reduceRight(
  (inner, name) => `${DIGITS}.all(${name}, ${inner})`,
  "a + b + c + d + e >= 0",
);
const rules = ["first", "second", "third", "fourth"].map((name) => {
  return { name, level: "MANDATORY", each: "PLAN", when: SLOW, message: "It was judged." };
});

interface Item {
  position: number;
  after: string | null;
  done_at: Date | null;
}

async function items(): Promise<Item[]> {
  const { rows } = await client.query<Item>(
    "select position, after, done_at from policy_simulation_item order by position",
  );
  return rows;
}

it("kill -9 of a server that simulates: another one judges what is left, once each", async () => {
  const first = await start();
  const workspace = await steps.createWorkspaceOf(first.api, {
    name: "simulated",
    source: { directory: { path: await work.source("simulated", 'resource "terraform_data" "a" {}') } },
  });
  for (let made = 0; made < PLANS; made++) {
    await waitForStatus(first.api, await steps.createRun(first.api, workspace, { kind: "PLAN" }), "FINISHED");
  }
  const { policySet } = await createPolicySet(first.api, { selector: { workspaceIds: [workspace] } });
  const { simulation } = await simulate(first.api, { policySetId: policySet.id, rules });
  expect(simulation).toMatchObject({ state: "RUNNING", total: PLANS, done: 0 });
  await waitUntil(async () => (await items()).some(({ done_at: doneAt }) => doneAt !== null), PATIENCE);
  await first.killGroup();
  const left = (await items()).filter(({ done_at: doneAt }) => doneAt !== null);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(PLANS);
  const { rows: held } = await client.query("select state, lease_id from policy_simulation");
  expect(held).toEqual([{ state: "RUNNING", lease_id: expect.any(String) }]);

  const second = await start();
  await waitUntil(async () => (await simulationOf(second.api, simulation.id)).state === "FINISHED", PATIENCE);
  expect(await simulationOf(second.api, simulation.id)).toMatchObject({
    total: PLANS,
    done: PLANS,
    newlyDenied: PLANS,
    newlyPassing: 0,
    errors: 0,
    unknown: 0,
  });
  const all = await items();
  expect(all.map(({ position, after }) => [position, after])).toEqual(
    Array.from({ length: PLANS }, (_, index) => [index + 1, "FAILED"]),
  );
  // What the first server stored stays as it is.
  expect(all.slice(0, left.length)).toEqual(left);
  const { rows: after } = await client.query("select count(*)::int as count from policy_evaluation");
  expect(after).toEqual([{ count: 0 }]);
  expect(await second.stop()).toBe(0);
});
