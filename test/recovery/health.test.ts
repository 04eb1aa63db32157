/** Servers that are killed while they probe: real processes, and real targets that are red, flap and hang. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PUBLIC_PROBES } from "../../src/model/health/prober-desk.ts";
import { placeOfTarget } from "../../src/model/health/target-hash.ts";
import { NEW_TARGET } from "../../src/model/health/target-state.ts";
import { touchShards } from "../../src/persistence/health/prober-store.ts";
import { insertTarget } from "../../src/persistence/health/target-store.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import { replaceProbes } from "../../src/persistence/probe/probe-store.ts";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { httpRequest, probeOf } from "../support/probe-targets.ts";
import { freePort, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
const COUNT = 24;
const RED = 0;
const HANGING = 1;
/** Long enough for an answer of this process while it shares a busy machine. */
const ANSWER_MS = 5000;
/** Health is unknown after three of them without a sample: long enough for a start and a takeover on such a machine. */
const INTERVAL_SECONDS = 20;

let folder: string;
let database: TestDatabase;
let rows: Pool;
let store: Database;
let service: Server;
const servers: ServerProcess[] = [];
/** How often each target was asked. */
const asked = Array.from({ length: COUNT }, () => 0);
const red = new Set<number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-health-"));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  rows = new Pool({ ...database.connection, max: 4 });
  const notifier = { send: () => undefined, [Symbol.asyncDispose]: async () => {} };
  store = openDatabase({ ...database.connection, max: 2 }, { notifier, onError: () => undefined });
  service = createServer((request, response) => answer(Number(request.url?.slice(1)), response));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  for (let index = 0; index < COUNT; index++) await addWorkspace(index);
  await rows.query("update workspace_health set stale = false");
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await rows.end();
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function answer(index: number, response: ServerResponse): void {
  asked[index] = (asked[index] ?? 0) + 1;
  if (red.has(index) && index === HANGING) return;
  response.writeHead(red.has(index) ? 503 : 200).end();
}

const workspaceIdOf = (index: number): string => `ws_${index.toString().padStart(26, "0")}`;

/** A workspace with one target, as if an apply had made it. */
async function addWorkspace(index: number): Promise<void> {
  const workspaceId = workspaceIdOf(index);
  const cipher = createCipher(Buffer.from(MASTER_KEY, "hex"));
  const at = new Date().toISOString();
  await rows.query(
    `insert into workspace (id, organization_id, name, source, plan_approval, auto_apply, created_at)
     values ($1, 'org_00000000000000000000000000', $2, '{"type": "directory", "path": "/"}', 'ALWAYS', 'NEVER', now())`,
    [workspaceId, `w${index}`],
  );
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/${index}`;
  const key = { workspaceId, probe: "web", number: 0 };
  const { shard } = placeOfTarget(key);
  await store.transaction(async (tx) => {
    const probe = probeOf({
      use: "HEALTH",
      from: "SERVER",
      target: address,
      intervalSeconds: INTERVAL_SECONDS,
      timeoutMs: ANSWER_MS,
    });
    await replaceProbes(tx, cipher, workspaceId, [probe]);
    const facts = { ...key, weight: "REQUIRED", pool: PUBLIC_PROBES, shard, address, unresolved: null } as const;
    const standing = { state: NEW_TARGET, status: "UNKNOWN", since: null, reason: "New.", absent: false } as const;
    const request = httpRequest(address, { timeoutMs: ANSWER_MS });
    const times = { intervalMs: INTERVAL_SECONDS * 1000, sampledAt: null, latencyMs: null };
    await insertTarget(tx, cipher, { ...facts, ...standing, ...times, request }, at);
    await touchShards(tx, [{ pool: PUBLIC_PROBES, shard }], at);
  });
}

async function startServer(): Promise<ServerProcess> {
  const server = await startServerProcess({
    dataDir: join(folder, `server-${servers.length}`),
    port: await freePort(),
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_PROBE_ALLOW: "127.0.0.1",
    },
  });
  servers.push(server);
  return server;
}

async function shardsByProber(): Promise<Map<string | null, number>> {
  const found = await rows.query<{ prober_id: string | null; count: number }>(
    "select prober_id, count(*)::int as count from probe_shard group by prober_id",
  );
  return new Map(found.rows.map((row) => [row.prober_id, row.count]));
}

async function probers(): Promise<string[]> {
  return (await rows.query<{ id: string }>("select id from prober order by id")).rows.map(({ id }) => id);
}

async function healths(): Promise<string[]> {
  const found = await rows.query<{ health: string }>("select health from workspace_health order by workspace_id");
  return found.rows.map(({ health }) => health);
}

async function changeCount(): Promise<number> {
  const found = await rows.query<{ count: number }>(
    "select count(*)::int as count from workspace_event where health is not null",
  );
  return found.rows[0]?.count ?? 0;
}

/** The leases of these probers end, as if the time for that had passed. */
async function endLeases(ids: readonly string[]): Promise<void> {
  await rows.query("update prober set lease_until = now() - interval '1 second' where id = any($1)", [ids]);
}

/** Waits until each target was asked so many times more. */
async function untilAsked(times: number, indexes = asked.map((_count, index) => index)): Promise<void> {
  const before = [...asked];
  await waitUntil(() => indexes.every((index) => (asked[index] ?? 0) >= (before[index] ?? 0) + times), PATIENCE);
}

it("two servers share the targets; one that is killed loses them to the other, and health stays", async () => {
  const first = await startServer();
  await waitUntil(async () => (await probers()).length === 1, PATIENCE);
  const [killed = ""] = await probers();
  await startServer();
  await waitUntil(async () => {
    const shares = await shardsByProber();
    return shares.size === 2 && !shares.has(null) && Math.min(...shares.values()) >= 8;
  }, PATIENCE);
  await waitUntil(async () => (await healths()).every((health) => health === "HEALTHY"), PATIENCE);
  const changes = await changeCount();
  const fences = await rows.query<{ shard: number; fence: number }>(
    "select shard, fence from probe_shard where prober_id = $1",
    [killed],
  );
  await first.kill();
  await endLeases([killed]);
  await waitUntil(async () => {
    const shares = await shardsByProber();
    return shares.size === 1 && !shares.has(null) && !shares.has(killed);
  }, PATIENCE);
  await untilAsked(2);
  for (const { shard, fence } of fences.rows) {
    const now = await rows.query<{ fence: number }>("select fence from probe_shard where shard = $1", [shard]);
    expect(now.rows[0]?.fence).toBeGreaterThan(fence);
  }
  expect(await healths()).toEqual(Array.from({ length: COUNT }, () => "HEALTHY"));
  expect(await changeCount()).toBe(changes);
});

it("what is red or hangs is found, stays so while no server is there, and is found to be green by the next one", async () => {
  red.add(RED).add(HANGING);
  const wanted = (index: number): string => (index === RED || index === HANGING ? "UNREACHABLE" : "HEALTHY");
  await waitUntil(async () => (await healths()).every((health, index) => health === wanted(index)), PATIENCE);
  const changes = await changeCount();
  const before = await rows.query("select id, state, status from probe_target order by id");
  const alive = await probers();
  await Promise.all(servers.map((server) => server.kill().catch(() => undefined)));
  await endLeases(alive);
  await startServer();
  // What was down is still down, what was up is still up: the counters are in the table.
  await untilAsked(3);
  const after = await rows.query("select id, state, status from probe_target order by id");
  expect(after.rows.map(({ status }) => status)).toEqual(before.rows.map(({ status }) => status));
  expect(await changeCount()).toBe(changes);
  red.clear();
  await waitUntil(async () => (await healths()).every((health) => health === "HEALTHY"), PATIENCE);
  expect(await changeCount()).toBe(changes + 2);
});
