// Runners in pools: which runs they get, whose places they take, and what admins may do with them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { createLeaseRound } from "../../src/domain/rounds/lease-round.ts";
import { scheduleRound } from "../../src/domain/rounds/scheduler-round.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { listOrganizationsToOffer } from "../../src/persistence/dispatch/dispatch-store.ts";
import type { Data } from "../support/api.ts";
import { addPool, type Pool, runnersBy } from "../support/fleet.ts";
import { openScene, report, type Scene } from "./scene.ts";

let scene: Scene;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
// What one test leaves must not be claimed by the next one.
beforeEach(async () => {
  const left = await scene.rows("select run_id from dispatch");
  for (const { run_id: runId } of left) await scene.quick("cancelRun", { runId });
  await setLimit(1000);
});

const setLimit = (limit: number) => scene.rows("update organization set concurrency_limit = $1", limit);
/** Room for so many more than are busy. Wait, or start another one. */
const setRoom = async (room: number) =>
  setLimit(room + (await scene.rows("select id from job where ended_at is null")).length);
const offered = async () => (await scene.rows("select run_id from dispatch where offered")).map((row) => row.run_id);
const pool = (reserved = false): Promise<Pool> => addPool(scene.server, `p${++count}`, reserved);
const shared = () => runnersBy(scene.server, scene.server.runnerToken);
const round = () => scheduleRound(scene.server.deps);
const runIn = async (workspace: object) => scene.createRun(await scene.createWorkspace(workspace));
const runOf = ({ id }: Pool, labels: string[] = []) => runIn({ runnerPoolId: id, runnerLabels: labels });

async function command(name: string, input: object, fields: string, api = scene.api): Promise<Data> {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ... on ${type}Success { ${fields} }
    ... on UserError { code message } ... on InvalidInputError { issues { path message } }
    ${name === "deleteRunnerPool" || name === "revokeRunner" ? "... on RunStateConflictError { run { id } }" : ""} } }`;
  const { data, errors } = await api.send(
    query.replace(/\.\.\. on InvalidInputError \{[^}]*\}[^}]*\}/, (part) => (NO_INPUT.has(name) ? "" : part)),
    { input },
  );
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data[name];
}
const NO_INPUT = new Set(["drainRunner", "resumeRunner", "revokeRunner", "revokeRunnerToken"]);
const RUNNER = "runner { id name state drainRequestedAt revokedAt }";
const onRunner = (name: string, runnerId: string, more: object = {}) => command(name, { runnerId, ...more }, RUNNER);

async function runnersOf(poolId: string): Promise<Data[]> {
  const query = `query ($id: ID!) { node(id: $id) { ... on RunnerPool { runners { edges { node {
    id name state labels slots version engine { name version } pool { id } jobs { leg leaseEndsAt run { id } } } } } } } }`;
  const { node } = await scene.api.ask(query, { id: poolId });
  return node.runners.edges.map((edge: Data) => edge.node);
}
const runnerOf = async ({ id }: Pool, name = "one") =>
  (await runnersOf(id)).find((runner) => runner.name === name) ?? expect.fail(`no runner ${name}`);

describe("a pool", () => {
  it("is made, changed and deleted by admins; its tokens let runners in and are shown once", async () => {
    const { organization } = await scene.api.ask(`{ organization(slug: "default") { id } }`);
    const make = (input: object, api = scene.api) =>
      command(
        "createRunnerPool",
        { organizationId: organization.id, ...input },
        "runnerPool { id name reserved }",
        api,
      );
    const { runnerPool } = await make({ name: "gpu", reserved: true });
    expect(runnerPool).toMatchObject({ name: "gpu", reserved: true });
    const poolId = runnerPool.id;
    expect(await make({ name: "gpu" })).toMatchObject({ code: "NAME_TAKEN" });
    expect(await make({ name: "No" })).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["name"] }] });
    expect(await make({ name: "x", organizationId: "org_1" })).toMatchObject({ code: "NOT_FOUND" });
    const approver = await scene.login("APPROVER");
    expect(await make({ name: "x" }, approver)).toMatchObject({ code: "FORBIDDEN" });
    const update = (input: object, api = scene.api) =>
      command("updateRunnerPool", { poolId, ...input }, "runnerPool { name reserved description }", api);
    expect(await update({ reserved: false, description: "d" })).toMatchObject({ runnerPool: { reserved: false } });
    expect(await update({ name: null })).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["name"] }] });
    expect(await update({ name: "y" }, approver)).toMatchObject({ code: "FORBIDDEN" });
    expect(await update({ poolId: "pool_1" })).toMatchObject({ code: "NOT_FOUND" });

    const admit = (input: object, api = scene.api) =>
      command("createRunnerToken", { poolId, ...input }, "secret token { id name expiresAt }", api);
    expect(await admit({ name: "t" }, approver)).toMatchObject({ code: "FORBIDDEN" });
    expect(await admit({ name: " " })).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["name"] }] });
    expect(await admit({ name: "t", expiresAt: "2020-01-01T00:00:00Z" })).toMatchObject({ code: "INVALID_INPUT" });
    const { secret, token } = await admit({ name: "t" });
    expect(secret).toMatch(/^hpr_[\w-]{43}$/);
    expect(await admit({ name: "t" })).toMatchObject({ code: "NAME_TAKEN" });
    const self = () => fetch(`${scene.server.url}/runner/v1/self`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await (await self()).json()).toEqual({ pool: { id: poolId, name: "gpu", organization: "default" } });
    const dump = await scene.rows("select * from runner_token");
    expect(JSON.stringify(dump)).not.toContain(secret);

    const seen = `query ($id: ID!, $token: ID!) { node(id: $id) { ... on RunnerPool { name organization { slug } tokens { name } } }
      token: node(id: $token) { id } organization(slug: "default") { runnerPools { name } } }`;
    const read = { id: poolId, token: token.id };
    expect(await scene.api.ask(seen, read)).toMatchObject({
      node: { tokens: [{ name: "t" }] },
      token: { id: token.id },
    });
    expect(await approver.ask(seen, read)).toMatchObject({ node: { name: "gpu", tokens: [] }, token: null });

    const runners = runnersBy(scene.server, secret);
    expect((await runners.ask()).status).toBe(204);
    const revoke = (tokenId: string, api = scene.api) => command("revokeRunnerToken", { tokenId }, "revokedId", api);
    expect(await revoke(token.id, approver)).toMatchObject({ code: "FORBIDDEN" });
    const waiting = runners.ask({ waitMs: LIMITS.claimWaitMs });
    expect(await revoke(token.id)).toMatchObject({ revokedId: token.id });
    expect((await waiting).status).toBe(401);
    expect((await runners.ask()).status).toBe(401);
    expect((await self()).status).toBe(401);
    expect(await revoke(token.id)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("has tokens that let runners in until the instant at which they end", async () => {
    const { id: poolId } = await pool();
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
    const { secret } = await command("createRunnerToken", { poolId, name: "for a minute", expiresAt }, "secret");
    const runners = runnersBy(scene.server, secret);
    const self = () => fetch(`${scene.server.url}/runner/v1/self`, { headers: { authorization: `Bearer ${secret}` } });
    scene.server.advance(59_999);
    expect([(await self()).status, (await runners.ask()).status]).toEqual([200, 204]);
    scene.server.advance(1);
    expect([(await self()).status, (await runners.ask()).status]).toEqual([401, 401]);
    const now = await command("createRunnerToken", { poolId, name: "for no time", expiresAt }, "secret");
    expect(now).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["expiresAt"] }] });
  });

  it("is deleted when no workspace names it and none of its runners is at work; its tokens end with it", async () => {
    const own = await pool();
    const workspaceId = await scene.createWorkspace({ runnerPoolId: own.id });
    const runId = await scene.createRun(workspaceId);
    const remove = (api = scene.api) => command("deleteRunnerPool", { poolId: own.id }, "deletedId", api);
    expect(await remove(await scene.login("APPROVER"))).toMatchObject({ code: "FORBIDDEN" });
    expect(await remove()).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["poolId"] }] });
    const job = await own.claim();
    await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: null });
    expect(await remove()).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId } });
    await job?.message({ type: "handedBack" });
    expect(await remove()).toMatchObject({ deletedId: own.id });
    expect((await own.ask()).status).toBe(401);
    expect(await remove()).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a workspace chooses its runners", () => {
  it("by a right of admins; what is wrong is named", async () => {
    const own = await pool();
    const approver = await scene.login("APPROVER");
    const path = { source: { directory: { path: `${scene.server.sourceRoot}/source` } } };
    for (const choice of [{ runnerPoolId: own.id }, { runnerLabels: [] }]) {
      expect((await scene.send("createWorkspace", { name: "mine", ...path, ...choice }, approver)).code).toBe(
        "FORBIDDEN",
      );
    }
    const workspaceId = await scene.createWorkspace();
    const set = (input: object) => scene.send("updateWorkspace", { workspaceId, ...input });
    expect((await scene.send("updateWorkspace", { workspaceId, runnerPoolId: null }, approver)).code).toBe("FORBIDDEN");
    const issue = (...at: string[]) => ({ code: "INVALID_INPUT", issues: [{ path: at }] });
    expect(await set({ runnerPoolId: "pool_1" })).toMatchObject(issue("runnerPoolId"));
    expect(await set({ runnerPoolId: "pool_0000000000000000000000000a" })).toMatchObject(issue("runnerPoolId"));
    expect(await set({ runnerLabels: ["ok", "No"] })).toMatchObject(issue("runnerLabels", "1"));
    expect(await set({ runnerLabels: Array.from({ length: 21 }, (_, i) => `l${i}`) })).toMatchObject(
      issue("runnerLabels"),
    );
    await scene.quick("createOrganization", { slug: "elsewhere", name: "E" });
    const theirs = await scene.createWorkspace({ organization: "elsewhere" });
    expect(await scene.send("updateWorkspace", { workspaceId: theirs, runnerPoolId: own.id })).toMatchObject(
      issue("runnerPoolId"),
    );
    await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: own.id, runnerLabels: ["b", "a", "b"] });
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { runnerPool { id } runnerLabels } }`;
    const { workspace } = await scene.api.ask(query, { id: workspaceId });
    expect(workspace).toEqual({ runnerPool: { id: own.id }, runnerLabels: ["a", "b"] });
  });

  it("and those that wait change over with it", async () => {
    const own = await pool();
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.createRun(workspaceId);
    await own.claim({ draining: true });
    await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: own.id, runnerLabels: ["gpu"] });
    expect(await shared().claim()).toBeNull();
    expect(await own.claim()).toBeNull();
    expect((await own.claim({ labels: ["eu", "gpu"] }))?.job.run.id).toBe(runId);
    const runner = {
      state: "BUSY",
      labels: ["eu", "gpu"],
      slots: 1,
      engine: { name: "terraform" },
      pool: { id: own.id },
    };
    expect(await runnerOf(own)).toMatchObject({ ...runner, jobs: [{ leg: "PLAN", run: { id: runId } }] });
  });

  it("or none: shared ones take it, and those of pools that are not reserved", async () => {
    const [open, reserved] = [await pool(), await pool(true)];
    await runIn({});
    await runIn({});
    expect(await reserved.claim()).toBeNull();
    expect(await open.claim()).not.toBeNull();
    expect(await shared().claim()).not.toBeNull();
  });
});

describe("places of the organization", () => {
  it("are found by the runners of a reserved pool behind those of other runs", async () => {
    const own = await pool(true);
    await own.ask();
    await runIn({});
    const runId = await runOf(own);
    expect((await own.claim())?.job.run.id).toBe(runId);
  });

  it("move to the run of a reserved pool from one that asks for no pool, and whose runners are at work", async () => {
    const own = await pool(true);
    const labels = [`only${count}`];
    await own.ask({ labels });
    await shared().ask({ name: "busy", labels });
    await runIn({ runnerLabels: labels });
    expect(await shared().claim({ name: "busy", labels })).not.toBeNull();
    await setRoom(1);
    const waits = await runIn({ runnerLabels: labels });
    const runId = await runOf(own);
    expect(await offered()).toEqual([waits]);
    expect((await own.claim({ labels }))?.job.run.id).toBe(runId);
  });

  it("go to those whose runners are there; what is missing is named", async () => {
    const [dead, alive] = [await pool(), await pool()];
    await setRoom(1);
    await alive.claim();
    const first = await runOf(dead, ["gpu"]);
    const other = await runOf(alive);
    const missing = async (runId: string, message: string) =>
      expect((await scene.run(runId, "blockers")).blockers).toMatchObject([
        { kind: "NO_RUNNER", message: expect.stringContaining(message) },
      ]);
    expect(await offered()).toEqual([other]);
    await missing(first, "with the label gpu is available. Start one.");
    await dead.ask({ labels: ["gpu"], draining: true });
    await missing(first, "is available (1 draining");
    // Its process is there again: it waits for the place.
    expect(await dead.claim({ labels: ["gpu"] })).toBeNull();
    expect((await scene.run(first, "blockers")).blockers).toMatchObject([{ kind: "ORGANIZATION_LIMIT" }]);
    scene.server.advance(LIMITS.runnerOfflineMs + 1);
    await round();
    for (const runId of [first, other]) await missing(runId, "is available (1 offline since");
    expect(await offered()).toEqual([]);
    expect((await alive.claim())?.job.run.id).toBe(other);
    expect(await listOrganizationsToOffer(scene.server.deps.database)).toEqual([]);
  });

  it("are taken back from those whose runners went, by the round", async () => {
    const [dead, alive] = [await pool(), await pool()];
    await setRoom(1);
    await dead.claim();
    const first = await runOf(dead);
    scene.server.advance(LIMITS.runnerOfflineMs);
    await alive.ask({ draining: true });
    await alive.ask();
    const other = await runOf(alive);
    expect(await offered()).toEqual([first]);
    scene.server.advance(1);
    await round();
    expect(await offered()).toEqual([other]);
    expect((await scene.run(first, "blockers")).blockers[0].kind).toBe("NO_RUNNER");
    // It comes back to a run that waits for a place, as others do.
    expect(await dead.claim()).toBeNull();
    expect((await scene.run(first, "blockers")).blockers[0].kind).toBe("ORGANIZATION_LIMIT");
  });

  it("move where who has one waits for runners that are at work, and stay where one of them is free", async () => {
    const [busy, idle] = [await pool(), await pool()];
    await setRoom(2);
    await busy.claim();
    await idle.claim();
    await runOf(busy);
    const second = await runOf(busy);
    const other = await runOf(idle);
    // Its runner is free and about to ask.
    expect(await idle.claim()).toBeNull();
    expect(await busy.claim()).not.toBeNull();
    expect((await idle.claim())?.job.run.id).toBe(other);
    expect((await scene.run(second, "blockers")).blockers[0].kind).toBe("ORGANIZATION_LIMIT");
    // One that is not heard from although it has a free slot is not waited for either.
    expect(await busy.claim({ name: "two" })).toBeNull();
  });

  it("never become more, however many of two pools ask for the last one at once", async () => {
    const pools = [await pool(), await pool()] as const;
    for (const each of pools) await each.claim();
    await setRoom(1);
    for (let turn = 0; turn < 6; turn++) {
      for (const each of pools) await runOf(each);
      const claims = pools.flatMap((each) => [each.claim({ name: "a" }), each.claim({ name: "b" })]);
      const jobs = (await Promise.all(claims)).filter((job) => job !== null);
      expect(jobs.length).toBeLessThanOrEqual(1);
      expect(await offered()).toHaveLength(1 - jobs.length);
      for (const job of jobs) await job.message({ type: "failed", failure: report("INIT_FAILED") });
    }
  });
});

describe("a runner that is gone", () => {
  it("is OFFLINE as soon as its last lease has run out, until it is heard from again", async () => {
    const own = await pool();
    await setRoom(2);
    const [first, second] = [await runOf(own), await runOf(own)];
    const [one, two] = [await own.claim(), await own.claim()];
    expect(new Set([one?.job.run.id, two?.job.run.id])).toEqual(new Set([first, second]));
    const state = async () => (await runnerOf(own)).state;
    scene.server.advance(20_000);
    await one?.heartbeat();
    scene.server.advance(11_000);
    await loseExpiredLeases(scene.server.deps);
    expect(await state()).toBe("BUSY");
    scene.server.advance(20_000);
    await loseExpiredLeases(scene.server.deps);
    expect(await state()).toBe("OFFLINE");
    scene.server.advance(1);
    const again = await own.claim();
    expect(again).not.toBeNull();
    expect(await state()).toBe("BUSY");
    await again?.message({ type: "failed", failure: report("INIT_FAILED") });
    expect(await state()).toBe("IDLE");
  });
});

describe("an admin", () => {
  it("drains a runner and lets it work again", async () => {
    const own = await pool();
    await own.claim();
    const { id } = await runnerOf(own);
    expect(await onRunner("drainRunner", id)).toMatchObject({ runner: { state: "DRAINING" } });
    const runId = await runOf(own);
    expect(await own.claim()).toBeNull();
    expect((await scene.run(runId, "blockers")).blockers[0]).toMatchObject({
      message: expect.stringContaining("1 draining since"),
    });
    expect(await onRunner("resumeRunner", id)).toMatchObject({ runner: { state: "IDLE", drainRequestedAt: null } });
    expect((await own.claim())?.job.run.id).toBe(runId);
    const reader = await scene.login("READER");
    for (const name of ["drainRunner", "resumeRunner", "cycleRunner", "revokeRunner"]) {
      expect(await command(name, { runnerId: id }, RUNNER, reader)).toMatchObject({ code: "FORBIDDEN" });
      expect(await onRunner(name, "rnr_1")).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("has a runner begin anew: its process ends, another one gets the work", async () => {
    const own = await pool();
    await own.claim();
    const { id } = await runnerOf(own);
    const asked = own.ask({ instance: "1", waitMs: LIMITS.claimWaitMs });
    await expect.poll(async () => (await scene.rows("select 1 from runner where instance = '1'")).length).toBe(1);
    expect(await onRunner("cycleRunner", id)).toMatchObject({ runner: { state: "DRAINING" } });
    expect(await asked).toEqual({ status: 200, body: { job: null, directive: "CYCLE" } });
    const runId = await runOf(own);
    expect((await own.ask({ instance: "1" })).body.directive).toBe("CYCLE");
    expect((await own.claim({ instance: "2" }))?.job.run.id).toBe(runId);
  });

  it("revokes a runner: its plan goes to another one, under its name nobody is let in", async () => {
    const own = await pool();
    const runId = await runOf(own);
    const job = await own.claim();
    const { id } = await runnerOf(own);
    expect(await onRunner("revokeRunner", id)).toMatchObject({ runner: { state: "OFFLINE" } });
    expect((await job?.request("POST", "heartbeat", { waitMs: 0 }))?.status).toBe(410);
    expect(await own.ask()).toMatchObject({ status: 401, body: { message: expect.stringContaining("revoked") } });
    expect((await scene.run(runId, "status")).status).toBe("READY");
    expect((await own.claim({ name: "two" }))?.job.run.id).toBe(runId);
    expect(await onRunner("resumeRunner", id)).toMatchObject({ runner: { revokedAt: null } });
    expect((await own.ask()).status).toBe(204);
  });

  it("revokes one that applies by force alone: nobody knows how far it got", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING");
    const [row] = await scene.rows("select runner_id from job where id = $1", job.job.id);
    const id = row?.runner_id;
    expect(await onRunner("revokeRunner", id)).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId } });
    expect((await scene.run(runId, "status")).status).toBe("APPLYING");
    expect(await onRunner("revokeRunner", id, { force: true })).toMatchObject({ runner: { state: "OFFLINE" } });
    const failure = { code: "RUNNER_LOST", stateUncertain: true, message: expect.stringContaining("revoked") };
    expect(await scene.run(runId, "status", "failure")).toMatchObject({ status: "FAILED", failure });
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "APPLY_INTERRUPTED" });
    await createLeaseRound(scene.server.deps)();
    expect(await onRunner("resumeRunner", id)).toMatchObject({ runner: { revokedAt: null } });
  });
});

describe("a claim that is under way", () => {
  /** Holds one where it has found its run and not taken it, until `then` is done; gives its status. */
  async function claimDuring(own: Pool, runId: string, then: () => Promise<unknown>): Promise<number> {
    const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    const asked = await scene.server.deps.database.transaction(async (tx) => {
      await tx.sql.selectFrom("run").select("id").where("id", "=", runId).forUpdate().execute();
      const answer = own.ask();
      while ((await scene.rows(waits)).length === 0) await new Promise(setImmediate);
      await then();
      return { answer };
    });
    return (await asked.answer).status;
  }

  it("gets nothing for a runner that is revoked, or whose pool is deleted or reserved, before it has its run", async () => {
    const own = await pool();
    const runId = await runIn({});
    expect((await own.ask({ draining: true })).status).toBe(204);
    const { id } = await runnerOf(own);
    expect(await claimDuring(own, runId, () => onRunner("revokeRunner", id))).toBe(204);
    await onRunner("resumeRunner", id);
    const reserve = (reserved: boolean) => command("updateRunnerPool", { poolId: own.id, reserved }, "__typename");
    expect(await claimDuring(own, runId, () => reserve(true))).toBe(204);
    await reserve(false);
    const remove = async () =>
      expect(await command("deleteRunnerPool", { poolId: own.id }, "deletedId")).toMatchObject({ deletedId: own.id });
    expect(await claimDuring(own, runId, remove)).toBe(204);
    expect((await shared().claim())?.job.run.id).toBe(runId);
  });
});

it("a runner that speaks another version of the protocol is told which one is spoken", async () => {
  const answer = await fetch(`${scene.server.url}/runner/v2/claim`, { method: "POST", body: "{}" });
  expect([answer.status, await answer.json()]).toMatchObject([404, { message: expect.stringContaining("version 1") }]);
});

it("a claim is its runner's alone", async () => {
  const own = await pool();
  const runId = await runOf(own);
  const claimId = "the claim of the first one";
  expect((await own.claim({ claimId }))?.job.run.id).toBe(runId);
  expect((await own.claim({ claimId }))?.job.run.id).toBe(runId);
  expect((await own.ask({ claimId, name: "another" })).status).toBe(403);
  expect((await shared().ask({ claimId })).status).toBe(403);
});
