/** Runners as probers of health: by the pool of their token, over HTTP. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { leaseShards } from "../../../src/domain/health/lease-shards.ts";
import { revokeRunner } from "../../../src/domain/runner-pool/revoke-runner.ts";
import { bucketStartMs } from "../../../src/model/health/target-hash.ts";
import { holdRunner } from "../../../src/persistence/health/prober-store.ts";
import { touchRunner } from "../../../src/persistence/runner/runner-store.ts";
import { must } from "../../support/people-steps.ts";
import { overlapping } from "../../support/overlapping.ts";
import { packSamples } from "../../../src/model/health/bucket.ts";
import type { HealthReport, LeaseAnswer, LeasedTarget } from "../../../src/model/health/prober-desk.ts";
import { NEW_TARGET, type TargetState, withTargetSample } from "../../../src/model/health/target-state.ts";
import { RUNNER_SELF } from "../../support/fake-runner.ts";
import { addPool, type Pool } from "../../support/fleet.ts";
import { appliedWorkspace, GREEN, type HealthSteps, healthSteps, RED } from "../../support/health-steps.ts";
import { send } from "../../support/send.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let steps: HealthSteps;
let pool: Pool;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  steps = healthSteps(scene);
  pool = await addPool(scene.server, `inside${++count}`);
});
afterEach(async () => {
  await steps[Symbol.asyncDispose]();
  await scene.rows("delete from probe");
  await steps.follow();
  await scene.rows("delete from prober");
  await scene.rows("delete from probe_shard");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const state = (...samples: (typeof RED)[]): TargetState => samples.reduce(withTargetSample, NEW_TARGET);
const UP = state(GREEN, GREEN, GREEN);
const DOWN = state(RED, RED, RED);

/** Sends a request of the protocol, and returns its status and the answer. */
async function post(path: string, token: string, body: object): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `${scene.server.url}/runner/v1/probes/${path}`;
  const { status, text } = await send(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status, body: text };
}

const claimOf = (proberId: string, more: object = {}): object => {
  return { runner: RUNNER_SELF, engine: null, proberId, perSecond: 50, shards: [], ...more };
};

async function lease(token: string, proberId: string, more: object = {}): Promise<LeaseAnswer> {
  const { status, body } = await post("lease", token, claimOf(proberId, more));
  expect([status, body]).toEqual([200, expect.any(String)]);
  const answer: LeaseAnswer = JSON.parse(body);
  return answer;
}

const targetsOf = ({ shards }: LeaseAnswer): LeasedTarget[] => shards.flatMap(({ targets }) => targets ?? []);

function reportOf(proberId: string, answer: LeaseAnswer, next: TargetState, atMs = 0): HealthReport {
  const at = new Date(scene.server.deps.clock().getTime() + atMs).toISOString();
  const changes = targetsOf(answer).map(({ id }) => ({ targetId: id, at, state: next, latencyMs: 3 }));
  const samples = Buffer.from(packSamples([{ second: 0, failure: null, latencyMs: 3, held: false }])).toString(
    "base64",
  );
  const buckets = targetsOf(answer).map(({ id, bucketOffsetMs }) => {
    return { targetId: id, from: new Date(bucketStartMs(Date.parse(at), bucketOffsetMs)).toISOString(), samples };
  });
  return { proberId, shards: answer.shards.map(({ shard, fence }) => ({ shard, fence })), changes, buckets };
}

async function watched(probes: number, runnerPoolId: string | null): Promise<string> {
  const given = Array.from({ length: probes }, (_none, index) => {
    const headers = [{ name: "authorization", value: "Bearer needle" }];
    return {
      name: `p${index}`,
      kind: "HTTP",
      use: "HEALTH",
      from: "RUNNERS",
      target: `http://10.0.0.${index + 1}/x`,
      headers,
    };
  });
  const workspaceId = await appliedWorkspace(scene, given);
  if (runnerPoolId !== null) await scene.quick("updateWorkspace", { workspaceId, runnerPoolId });
  await steps.follow();
  return workspaceId;
}

const statuses = async (workspaceId: string): Promise<string[]> =>
  (await scene.rows("select status from probe_target where workspace_id = $1 order by id", workspaceId)).map(
    ({ status }) => status,
  );

const runnerId = async (): Promise<string> =>
  (await scene.rows("select id from runner where pool_id = $1", pool.id))[0].id;

describe("a runner of the pool", () => {
  it("gets the targets with their secrets, and its reports make the health", async () => {
    const workspaceId = await watched(2, pool.id);
    const id = randomUUID();
    const answer = await lease(pool.secret, id);
    expect(targetsOf(answer).map(({ request }) => request)).toMatchObject([
      { kind: "HTTP", headers: [{ value: "Bearer needle" }] },
      { kind: "HTTP", headers: [{ value: "Bearer needle" }] },
    ]);
    const { status, body } = await post("report", pool.secret, reportOf(id, answer, UP));
    expect([status, JSON.parse(body)]).toMatchObject([200, { refused: [], refusedBuckets: 0 }]);
    expect(await statuses(workspaceId)).toEqual(["HEALTHY", "HEALTHY"]);
    scene.server.advance(1000);
    await post("report", pool.secret, reportOf(id, answer, DOWN));
    expect(await statuses(workspaceId)).toEqual(["UNREACHABLE", "UNREACHABLE"]);
  });

  it("is seen while a lease of its own is not committed yet", async () => {
    await watched(1, pool.id);
    await lease(pool.secret, randomUUID());
    const id = await runnerId();
    const { database, clock } = scene.server.deps;
    const at = clock().toISOString();
    await database.transaction(async (tx) => {
      expect(await holdRunner(tx, id)).toBe(true);
      await touchRunner(database, id, at);
    });
    expect(await scene.rows("select last_seen_at from runner where id = $1", id)).toEqual([{ last_seen_at: at }]);
  });

  it("that leaves, drains or is gone for 45 s gives its targets to another", async () => {
    await watched(3, pool.id);
    const [one, two] = [randomUUID(), randomUUID()];
    expect(targetsOf(await lease(pool.secret, one))).toHaveLength(3);
    expect((await post("leave", pool.secret, { proberId: one })).status).toBe(204);
    expect(targetsOf(await lease(pool.secret, two))).toHaveLength(3);
    const draining = { runner: { ...RUNNER_SELF, name: "two", draining: true } };
    expect(await lease(pool.secret, two, draining)).toMatchObject({ shards: [], held: [] });
    expect(targetsOf(await lease(pool.secret, one))).toHaveLength(3);
    scene.server.advance(46_000);
    expect(targetsOf(await lease(pool.secret, two))).toHaveLength(3);
  });

  it("that lost a target changes nothing by an older lease", async () => {
    const workspaceId = await watched(1, pool.id);
    const [one, two] = [randomUUID(), randomUUID()];
    const before = await lease(pool.secret, one);
    scene.server.advance(46_000);
    await lease(pool.secret, two);
    const { body } = await post("report", pool.secret, reportOf(one, before, DOWN));
    expect(JSON.parse(body)).toMatchObject({ refused: [{ refusal: "LOST" }], refusedBuckets: 1 });
    expect(await statuses(workspaceId)).toEqual(["UNKNOWN"]);
  });
});

describe("a runner that is revoked", () => {
  it("reports nothing more from then on, and another has its targets at once", async () => {
    const workspaceId = await watched(2, pool.id);
    const [one, two] = [randomUUID(), randomUUID()];
    const before = await lease(pool.secret, one);
    await post("report", pool.secret, reportOf(one, before, UP));
    await must(scene.api, "revokeRunner", { runnerId: await runnerId() }, "runner { id }");
    scene.server.advance(1000);
    const { body } = await post("report", pool.secret, reportOf(one, before, DOWN));
    const lost = { refusal: "LOST" };
    expect(JSON.parse(body)).toMatchObject({ refused: [lost, lost], refusedBuckets: 2 });
    expect(await statuses(workspaceId)).toEqual(["HEALTHY", "HEALTHY"]);
    expect((await post("lease", pool.secret, claimOf(one))).status).toBe(401);
    const other = { runner: { ...RUNNER_SELF, name: "another" } };
    expect(targetsOf(await lease(pool.secret, two, other))).toHaveLength(2);
  });

  it("gets no targets by a lease that it asked for before", async () => {
    await watched(1, pool.id);
    const [id, proberId] = [randomUUID(), randomUUID()];
    await lease(pool.secret, id);
    const revoked = await runnerId();
    const { deps, domain } = scene.server;
    const admin = (await domain.authenticate(scene.api.token, () => null)) ?? expect.fail("There is no caller.");
    const revocation = (within: Deps) => revokeRunner(within, admin, { runnerId: revoked, force: false });
    const asked = { proberId, perSecond: 50, shards: [] };
    const outcome = await overlapping(deps, revocation, () => leaseShards(deps, pool.id, asked, revoked));
    expect(outcome).toMatchObject({ status: "rejected", reason: { name: "ProberRevoked" } });
    expect(await scene.rows("select id from prober where runner_id = $1", revoked)).toEqual([]);
  });
});

describe("no other runner", () => {
  it("gets or reports the targets of a pool", async () => {
    const workspaceId = await watched(1, pool.id);
    const id = randomUUID();
    const answer = await lease(pool.secret, id);
    const other = await addPool(scene.server, `other${++count}`);
    for (const token of [other.secret, scene.server.runnerToken]) {
      expect((await lease(token, randomUUID())).shards).toEqual([]);
      // By the id of the prober that has them.
      const { body } = await post("report", token, reportOf(id, answer, DOWN));
      expect(JSON.parse(body)).toMatchObject({ refused: [{ refusal: "GONE" }], refusedBuckets: 1 });
      await post("leave", token, { proberId: id });
      expect((await lease(pool.secret, id, { shards: answer.shards })).shards).toHaveLength(1);
    }
    expect(await statuses(workspaceId)).toEqual(["UNKNOWN"]);
    await watched(1, other.id);
    expect((await post("lease", other.secret, claimOf(id))).status).toBe(403);
  });

  it("than one without a pool gets those of workspaces that name none", async () => {
    await watched(1, null);
    expect((await lease(pool.secret, randomUUID())).shards).toEqual([]);
    expect(targetsOf(await lease(scene.server.runnerToken, randomUUID()))).toHaveLength(1);
  });
});

describe("a request that is malformed", () => {
  const id = "0123456789abcdef";
  const change = { targetId: 1, at: "2026-01-01T00:00:00Z", state: UP, latencyMs: 1 };
  const wrong: [string, object][] = [
    ["lease", claimOf("short")],
    ["lease", claimOf(id, { perSecond: 0 })],
    ["lease", claimOf(id, { shards: [{ shard: 256, fence: 1, version: 1 }] })],
    ["lease", claimOf(id, { shards: Array(257).fill({ shard: 1, fence: 1, version: 1 }) })],
    [
      "report",
      { proberId: id, shards: [], changes: [{ ...change, state: { ...UP, standing: "SIDEWAYS" } }], buckets: [] },
    ],
    [
      "report",
      { proberId: id, shards: [], changes: [{ ...change, state: { ...UP, reason: "x".repeat(501) } }], buckets: [] },
    ],
    ["report", { proberId: id, shards: [], changes: [], buckets: [{ targetId: 1, from: change.at, samples: "!" }] }],
    ["report", { proberId: id, shards: [], changes: Array(5001).fill(change), buckets: [] }],
    ["leave", {}],
  ];
  it.each(walk(wrong, 3))("%s %o gets 400", async (path, body) => {
    const answer = await post(path, pool.secret, body);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, "MALFORMED"]);
  });

  it.each(["lease", "report", "leave"])("%s without a token gets 401", async (path) => {
    expect((await post(path, "hpr_nothing", {})).status).toBe(401);
  });
});
