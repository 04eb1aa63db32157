// Who may take what: the condition on one runner and the function over all of them say the same.
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Run } from "../../src/model/run/run.ts";
import { enterDispatch, isWorkFor, lockFirstOffered } from "../../src/persistence/dispatch/dispatch-store.ts";
import { insertRunnerPool } from "../../src/persistence/runner/runner-pool-store.ts";
import { seeRunner, type SeenRunner } from "../../src/persistence/runner/runner-store.ts";
import { insertRunnerToken } from "../../src/persistence/runner/runner-token-store.ts";
import { findCalled } from "../../src/persistence/dispatch/waiting-store.ts";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";
import { RUNNER_SELF } from "../support/fake-runner.ts";

let stores: Stores;
let run: Run;
const pools: Record<string, string> = {};

/** Pools with their organization; those of the second one exist to be left out. */
const POOLS = {
  open: { organizationId: DEFAULT_ORGANIZATION_ID, reserved: false },
  reserved: { organizationId: DEFAULT_ORGANIZATION_ID, reserved: true },
  foreign: { organizationId: "org_0000000000000000000000000z", reserved: false },
};
type PoolName = keyof typeof POOLS | null;

beforeAll(async () => {
  stores = await openStores();
  const { organizationId: id } = POOLS.foreign;
  await stores.database.sql.insertInto("organization").values({ id, slug: "z", name: "Z", created_at: AT }).execute();
  for (const [name, { organizationId, reserved }] of Object.entries(POOLS)) {
    const poolId = stores.newId("runnerPool");
    pools[name] = poolId;
    const token = { id: `token of ${name}`, poolId, name, createdById: SYSTEM_ACTOR_ID, createdAt: AT };
    await stores.database.transaction(async (tx) => {
      await insertRunnerPool(tx, {
        id: poolId,
        organizationId,
        name,
        description: null,
        reserved,
        driftCheckLimit: null,
        createdAt: AT,
      });
      await insertRunnerToken(tx, { ...token, expiresAt: null, lastUsedAt: null }, Buffer.from(name));
    });
  }
  run = await stores.addRun(await stores.addWorkspace());
});
afterAll(() => stores[Symbol.asyncDispose]());

const poolOf = (name: PoolName): string | null => (name === null ? null : (pools[name] ?? ""));

async function see(pool: PoolName, labels: string[], name = `${pool} ${labels.join()}`): Promise<SeenRunner> {
  const poolId = poolOf(pool);
  const door = poolId === null ? null : { poolId, tokenId: `token of ${pool}` };
  const seen = await seeRunner(stores.database, {
    ...RUNNER_SELF,
    id: stores.newId("runner"),
    name,
    at: AT,
    door,
    labels,
  });
  if (typeof seen === "string") throw new Error(seen);
  return seen;
}

/** The run waits with these wishes, reachable by these runners alone. */
async function wait(pool: PoolName, labels: string[]): Promise<{ reachable: boolean; offered: boolean } | undefined> {
  const { id: runId, organizationId, workspaceId } = run;
  await stores.database.transaction(async (tx) => {
    await tx.sql.deleteFrom("dispatch").execute();
    const poolId = poolOf(pool);
    const row = { runId, organizationId, workspaceId, class: 1, priority: 0, since: AT, poolId, labels, fairKey: null };
    await enterDispatch(tx, row, AT);
  });
  return stores.database.sql.selectFrom("dispatch").select(["reachable", "offered"]).executeTakeFirst();
}

const CASES: [wants: PoolName, asks: string[], pool: PoolName, has: string[], takes: boolean][] = [
  [null, [], null, [], true],
  [null, [], "open", [], true],
  [null, [], "open", ["gpu"], true],
  [null, [], "reserved", [], false],
  [null, [], "foreign", [], false],
  ["open", [], "open", [], true],
  ["open", [], null, [], false],
  ["open", [], "reserved", [], false],
  ["reserved", [], "reserved", ["eu"], true],
  ["reserved", [], "open", [], false],
  [null, ["gpu"], null, [], false],
  [null, ["gpu"], null, ["eu", "gpu"], true],
  [null, ["eu", "gpu"], null, ["gpu"], false],
  [null, ["gpu"], "open", ["gpu"], true],
  [null, ["gpu"], "reserved", ["gpu"], false],
  [null, ["gpu"], "foreign", ["gpu"], false],
  ["open", ["gpu"], "open", [], false],
  ["open", ["gpu"], "open", ["gpu"], true],
  ["open", ["gpu"], null, ["gpu"], false],
];

test.each(CASES)("a run for pool %s with %j, a runner of %s with %j: %s", async (wants, asks, pool, has, takes) => {
  await stores.database.sql.deleteFrom("runner").execute();
  const runner = await see(pool, has);
  const plain = wants === null && asks.length === 0;
  expect(await wait(wants, asks)).toEqual({ reachable: takes || plain, offered: takes || plain });
  const isWork = await isWorkFor(stores.database, "none", runner);
  expect(isWork === "YES").toBe(takes);
  const waiting = { claimId: "c", runnerId: runner.id, instance: "process", tokenId: null, isCalled: false };
  expect(await findCalled(stores.database, [waiting], AT)).toEqual(isWork === "NO" ? [] : ["c"]);
  const found = await stores.database.transaction((tx) => lockFirstOffered(tx, runner, []));
  expect(found?.runId ?? null).toBe(takes ? run.id : null);
});

test("a name is one runner within its pool, and another one in another pool; no token, no runner", async () => {
  const first = await see("open", [], "box");
  expect(await see("open", ["gpu"], "box")).toMatchObject({ ...first, labels: ["gpu"], former: { labels: [] } });
  const others = [await see("reserved", [], "box"), await see(null, [], "box")];
  expect(new Set([first, ...others].map((seen) => "id" in seen && seen.id)).size).toBe(3);
  const asking = { ...RUNNER_SELF, id: stores.newId("runner"), name: "box", at: AT };
  const poolId = poolOf("open") ?? "";
  for (const tokenId of ["none", "token of reserved"]) {
    expect(await seeRunner(stores.database, { ...asking, door: { poolId, tokenId } })).toBe("NO_TOKEN");
  }
});
