// Who of those that wait for work is called, beside who may take what (runner-match.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { enterDispatch } from "../../src/persistence/dispatch/dispatch-store.ts";
import { insertRunnerPool } from "../../src/persistence/runner/runner-pool-store.ts";
import { orderRunner, seeRunner } from "../../src/persistence/runner/runner-store.ts";
import { insertRunnerToken } from "../../src/persistence/runner/runner-token-store.ts";
import { findCalled, touchRunners, type WaitingClaim } from "../../src/persistence/dispatch/waiting-store.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";
import { RUNNER_SELF } from "../support/fake-runner.ts";

const OTHER_ORGANIZATION_ID = "org_0000000000000000000000000z";
const LATER = new Date(Date.parse(AT) + 30_000).toISOString();
const JUST_BEFORE = new Date(Date.parse(LATER) - 1).toISOString();

let stores: Stores;
let poolId: string;
beforeAll(async () => {
  stores = await openStores();
  poolId = stores.newId("runnerPool");
  const token = { id: "token", poolId, name: "t", createdById: SYSTEM_ACTOR_ID, createdAt: AT };
  const facts = {
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: "p",
    description: null,
    reserved: false,
    driftCheckLimit: null,
  };
  await stores.database.transaction(async (tx) => {
    await insertRunnerPool(tx, { ...facts, id: poolId, createdAt: AT });
    await insertRunnerToken(tx, { ...token, expiresAt: LATER, lastUsedAt: null }, Buffer.from("t"));
    const other = { id: OTHER_ORGANIZATION_ID, slug: "other", name: "Other", created_at: AT };
    await tx.sql.insertInto("organization").values(other).execute();
    await tx.sql.updateTable("organization").set({ concurrency_limit: 10 }).execute();
  });
});
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ["dispatch", "job", "runner"] as const) await stores.database.sql.deleteFrom(table).execute();
});

/** A runner of that name waits; its claim has the name too. */
async function waits(name: string, labels: string[] = [], door: { poolId: string; tokenId: string } | null = null) {
  const instance = `process of ${name}`;
  const asking = { ...RUNNER_SELF, id: stores.newId("runner"), name, at: AT, labels, door, instance };
  const seen = await seeRunner(stores.database, asking);
  if (typeof seen === "string") throw new Error(seen);
  return { claimId: name, runnerId: seen.id, instance, tokenId: door?.tokenId ?? null, isCalled: false };
}

/** So many runs with these labels have a place in an organization. */
async function offer(count: number, labels: string[] = [], organizationId = DEFAULT_ORGANIZATION_ID): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { id: runId, workspaceId } = await stores.addRun(await stores.addWorkspace());
    const row = {
      runId,
      organizationId,
      workspaceId,
      class: 1,
      priority: 0,
      since: AT,
      poolId: null,
      labels,
      fairKey: null,
    };
    await stores.database.transaction(async (tx) => enterDispatch(tx, row, AT));
  }
}

const called = async (claims: WaitingClaim[], at = AT) => (await findCalled(stores.database, claims, at)).toSorted();

test("as many are called as there are runs, those first whose turn it is", async () => {
  const claims = [await waits("z"), await waits("y"), await waits("x")];
  expect(await called(claims)).toEqual([]);
  await offer(2);
  expect(await called(claims)).toEqual(["y", "z"]);
  expect(await called(claims.toReversed())).toEqual(["x", "y"]);
});

test("shared runners are called for the runs of all organizations together, those of a pool for its own", async () => {
  const claims = [await waits("z"), await waits("y"), await waits("in pool", [], { poolId, tokenId: "token" })];
  await offer(1, [], OTHER_ORGANIZATION_ID);
  expect(await called(claims.toReversed())).toEqual(["y"]);
  await offer(1);
  expect(await called(claims)).toEqual(["in pool", "y", "z"]);
});

test("who was called before counts, and is not called again", async () => {
  const [first, ...others] = [await waits("a"), await waits("b"), await waits("c")];
  await offer(2);
  expect(await called([{ ...first, isCalled: true }, ...others])).toEqual(["b"]);
});

test("each kind of run calls its own runners; where none may take one, one of each kind looks whether a place moves", async () => {
  const claims = [await waits("plain"), await waits("plain too"), await waits("gpu", ["gpu"])];
  await offer(1, ["gpu"]);
  expect(await called(claims)).toEqual(["gpu", "plain"]);
  expect(await called(claims.slice(0, 2))).toEqual(["plain"]);
});

test("where all runners differ, not all of them look at once whether a place moves", async () => {
  const claims: WaitingClaim[] = [];
  for (let n = 0; n < LIMITS.kindsWokenAtOnce + 2; n++) claims.push(await waits(`box ${n}`, [`box-${n}`]));
  await waits("at work", ["gpu"]);
  await offer(1, ["gpu"]);
  const first = claims.slice(0, LIMITS.kindsWokenAtOnce).map(({ claimId }) => claimId);
  expect(await called(claims)).toEqual(first.toSorted());
});

test("drained runners are not called for work, and hold nobody else up", async () => {
  const [drained, other] = [await waits("drained"), await waits("other")];
  await stores.database.transaction((tx) => orderRunner(tx, drained.runnerId, { drainRequestedAt: AT }));
  await offer(1);
  expect(await called([drained, other])).toEqual(["other"]);
});

test("who is let in no more, is to end, or was answered by another request, hears of it without any work", async () => {
  const door = { poolId, tokenId: "token" };
  const claims = [await waits("fine"), await waits("revoked"), await waits("cycled"), await waits("in pool", [], door)];
  const [, revoked, cycled] = claims;
  await stores.database.transaction(async (tx) => {
    await orderRunner(tx, revoked?.runnerId ?? "", { revokedAt: AT });
    await orderRunner(tx, cycled?.runnerId ?? "", { cycleInstance: cycled?.instance ?? "" });
  });
  expect(await called(claims)).toEqual(["cycled", "revoked"]);
  expect(await called(claims, JUST_BEFORE)).toEqual(["cycled", "revoked"]);
  expect(await called(claims, LATER)).toEqual(["cycled", "in pool", "revoked"]);
  const run = await stores.addRun(await stores.addWorkspace());
  await stores.database.sql
    .insertInto("job")
    .values({
      id: stores.newId("job"),
      claim_id: "fine",
      run_id: run.id,
      organization_id: run.organizationId,
      workspace_id: run.workspaceId,
      leg: "PLAN",
      attempt: 1,
      runner_id: claims[0]?.runnerId ?? "",
      claimed_at: AT,
      expires_at: LATER,
      lease_ms: 1000,
    })
    .execute();
  expect(await called(claims)).toEqual(["cycled", "fine", "revoked"]);
});

test("a token of a pool lets runners in until the instant at which it ends, known ones and new ones", async () => {
  const door = { poolId, tokenId: "token" };
  const enter = async (name: string, at: string) => {
    const seen = await seeRunner(stores.database, { ...RUNNER_SELF, id: stores.newId("runner"), name, at, door });
    return typeof seen === "string" ? seen : "IN";
  };
  expect(await enter("known", AT)).toBe("IN");
  expect([await enter("known", JUST_BEFORE), await enter("new", JUST_BEFORE)]).toEqual(["IN", "IN"]);
  expect([await enter("known", LATER), await enter("newer", LATER)]).toEqual(["NO_TOKEN", "NO_TOKEN"]);
});

test("runners are noted as waiting, but for those that were revoked", async () => {
  const claims = [await waits("a"), await waits("b")];
  const ids = claims.map(({ runnerId }) => runnerId);
  await stores.database.transaction((tx) => orderRunner(tx, ids[1] ?? "", { revokedAt: AT }));
  await touchRunners(stores.database, ids, LATER);
  const rows = await stores.database.sql
    .selectFrom("runner")
    .select(["name", "last_seen_at"])
    .orderBy("name")
    .execute();
  expect(rows).toEqual([
    { name: "a", last_seen_at: LATER },
    { name: "b", last_seen_at: AT },
  ]);
});
