/** Servers and runners that are killed while they verify applies, go back, and watch health: real processes, a real engine. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import { type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitFor, waitUntil } from "../support/eventually.ts";
import * as steps from "../support/run-steps.ts";
import { type RunnerProcess, startRunnerProcess } from "../support/runner-process.ts";
import { freePort, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const LIMIT_MS = 300_000;
const PATIENCE = { timeout: 100_000, interval: 50 };
/** Servers and probers that are killed in turn. */
const KILLS = inject("soaks") ? 30 : 4;
const SERVERS = [0, 1] as const;
const RUNNERS = [0, 1, 2] as const;

let folder: string;
let database: TestDatabase;
let rows: Pool;
let service: Server;
let isHealthy = true;
/** How often the service was asked for each path. */
const asked = new Map<string, number>();
const ports: number[] = [];
const servers: ServerProcess[] = [];
const runners: RunnerProcess[] = [];
let poolId = "";
let token = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-verified-"));
  await chmod(folder, 0o711);
  await mkdir(join(folder, "written"));
  // The commands of probes have users of their own.
  await chmod(join(folder, "written"), 0o777);
  await mkdir(join(folder, "sources"));
  database = await createTestDatabase();
  rows = new Pool({ ...database.connection, max: 4 });
  service = createServer((request, response) => {
    const { url = "" } = request;
    asked.set(url, (asked.get(url) ?? 0) + 1);
    const isRed = url.startsWith("/v2") || !isHealthy;
    response.writeHead(isRed ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  for (const _server of SERVERS) ports.push(await freePort());
  await Promise.all(SERVERS.map(startServer));
  ({ poolId, token } = await createPool());
  await Promise.all(RUNNERS.map(startRunner));
}, LIMIT_MS);

afterAll(async () => {
  for (const one of [...runners, ...servers]) await one[Symbol.asyncDispose]();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await rows.end();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function startServer(index: (typeof SERVERS)[number]): Promise<void> {
  servers[index] = await startServerProcess({
    dataDir: join(folder, `server-${index}`),
    port: ports[index] ?? 0,
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
      HOLDPOINT_SOURCE_ROOTS: join(folder, "sources"),
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_PROBE_ALLOW: "127.0.0.1",
    },
  });
}

/** The last runner belongs to the second server. */
async function startRunner(index: (typeof RUNNERS)[number]): Promise<void> {
  const args = {
    "--server": `http://127.0.0.1:${ports[index === 2 ? 1 : 0]}`,
    "--pool": "probers",
    "--name": `runner-${index}`,
    "--work-dir": join(folder, `runner-${index}`),
    "--probes": "100",
    "--probe-allow": `127.0.0.1:${servicePort()}`,
  };
  const runner = startRunnerProcess(Object.entries(args).flat(), { HOLDPOINT_RUNNER_TOKEN: token });
  runners[index] = runner;
  await runner.says("The runner is ready");
}

const servicePort = (): number => (service.address() as AddressInfo).port;
/** The server that is not killed next. */
const api = () => (servers[0] ?? fail()).api;
const fail = (): never => {
  throw new Error("There is no server.");
};

async function send(command: string, input: object, fields: string): Promise<Data> {
  const type = `${command.charAt(0).toUpperCase()}${command.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${command}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const answer = (await api().ask(query, { input }))[command];
  if (answer.code !== undefined) throw new Error(`${command}: ${answer.message}`);
  return answer;
}

async function createPool(): Promise<{ poolId: string; token: string }> {
  const { organization } = await api().ask('{ organization(slug: "default") { id } }');
  const pool = await send(
    "createRunnerPool",
    { organizationId: organization.id, name: "probers" },
    "runnerPool { id }",
  );
  const made = await send("createRunnerToken", { poolId: pool.runnerPool.id, name: "t" }, "secret");
  return { poolId: pool.runnerPool.id, token: made.secret };
}

interface Verified {
  text: string;
  probes: object[];
  verificationSettings?: object;
  mode: string;
}

const sourceOf = (name: string): string => join(folder, "sources", name);
const write = (name: string, text: string): Promise<void> => writeFile(join(sourceOf(name), "main.tf"), text);

async function createWorkspace(name: string, given: Verified): Promise<string> {
  await mkdir(sourceOf(name));
  await write(name, given.text);
  const id = await steps.createWorkspaceOf(api(), {
    name,
    source: { directory: { path: sourceOf(name) } },
    planApproval: "WHEN_REQUIRED",
    autoApply: "ALWAYS",
  });
  const verificationSettings = { initialDelaySeconds: 0, intervalSeconds: 1, ...given.verificationSettings };
  const settings = { probes: given.probes, verificationSettings, rollbackSettings: { mode: given.mode } };
  await send("updateWorkspace", { workspaceId: id, runnerPoolId: poolId, ...settings }, "workspace { id }");
  return id;
}

async function readVerified(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status outcome requiredAction trigger rollbackRisks failure { code }
    rollsBackTo { id } origin { id } verification { status endsBy baselinePassed probes { name attempts lastFailure } }
    workspace { outputs { name value } } } }`;
  return (await api().ask(query, { id: runId })).run;
}

const rollbacksOf = async (workspaceId: string): Promise<Data[]> =>
  (await rows.query(`select id from run where workspace_id = $1 and "trigger" = 'ROLLBACK'`, [workspaceId])).rows;

/** As if the time of the leases of those that were killed had passed. */
async function passLeases(): Promise<void> {
  await rows.query("update verification set lease_until = now() where lease_until > now()");
  await rows.query("update verification set samples_lease_until = now() where samples_lease_until > now()");
}

/** Kills the runner that runs the command of a probe at the moment, and starts it again. */
async function killProber(): Promise<void> {
  const file = join(folder, "written", "prober");
  await rm(file, { force: true });
  const pid = await waitFor(async () => Number(await readFile(file, "utf8")), PATIENCE);
  const index = RUNNERS.find((one) => runners[one]?.pid === pid);
  if (index === undefined) throw new Error(`${pid} is no runner.`);
  process.kill(pid, "SIGKILL");
  await runners[index]?.exited;
  await passLeases();
  await startRunner(index);
}

async function killServer(index: (typeof SERVERS)[number]): Promise<void> {
  await servers[index]?.kill();
  await passLeases();
  await startServer(index);
}

it(`${KILLS} times kill -9 of servers and probers while VERIFYING`, { timeout: LIMIT_MS * (KILLS / 4) }, async () => {
  const written = join(folder, "written");
  const workspaceId = await createWorkspace("killed", {
    text: `output "url" { value = "http://127.0.0.1:${servicePort()}/v1" }\nresource "terraform_data" "a" { input = 1 }`,
    mode: "AUTO_SAFE",
    verificationSettings: { windowSeconds: 3600, successesInARow: 2 },
    probes: [
      { name: "inside", kind: "HTTP", use: "VERIFY", from: "RUNNERS", target: "{{outputs.url}}" },
      { name: "outside", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "{{outputs.url}}" },
      {
        name: "command",
        kind: "COMMAND",
        use: "VERIFY",
        weight: "INFORMATIONAL",
        // Its parent is the runner. It stays for long enough to be killed meanwhile.
        target: `echo $PPID > ${written}/$$ && mv ${written}/$$ ${written}/prober && sleep 1`,
      },
    ],
  });
  const good = await steps.createRun(api(), workspaceId);
  await waitForStatus(api(), good, "FINISHED");

  isHealthy = false;
  await write(
    "killed",
    `resource "terraform_data" "a" { input = 2 }\noutput "url" { value = "http://127.0.0.1:${servicePort()}/v1" }`,
  );
  const runId = await steps.createRun(api(), workspaceId);
  await waitForStatus(api(), runId, "VERIFYING");
  const before = (await readVerified(runId))["verification"];
  for (let kill = 0; kill < KILLS; kill++) await (kill % 2 === 0 ? killProber() : killServer(kill % 4 === 1 ? 0 : 1));
  const during = await readVerified(runId);
  expect(during).toMatchObject({ status: "VERIFYING", verification: { status: "RUNNING", endsBy: before.endsBy } });
  isHealthy = true;
  await waitForStatus(api(), runId, "FINISHED");

  expect(await readVerified(runId)).toMatchObject({
    outcome: "APPLIED",
    verification: { status: "PASSED", endsBy: before.endsBy },
  });
  const { statuses } = await steps.readRun(api(), runId);
  expect(statuses.filter((one) => one === "VERIFYING" || one === "FINISHED")).toEqual(["VERIFYING", "FINISHED"]);
  expect(await rollbacksOf(workspaceId)).toEqual([]);
});

/** A release that works as v1, and does not as v2. */
const release = (version: string, isReplaced: boolean): string => `
  resource "terraform_data" "app" {
    input = "${version}"
    ${isReplaced ? `triggers_replace = ["${version}"]` : ""}
  }
  output "url" { value = "http://127.0.0.1:${servicePort()}/${version}" }`;

it("kill -9 of both servers while they go back", { timeout: LIMIT_MS }, async () => {
  const cases = [
    { name: "safe", mode: "AUTO_SAFE", isReplaced: false },
    { name: "unsafe", mode: "AUTO_SAFE", isReplaced: true },
    { name: "proposed", mode: "PROPOSE", isReplaced: false },
  ];
  const given = await Promise.all(
    cases.map(async (one) => {
      const workspaceId = await createWorkspace(one.name, {
        text: release("v1", one.isReplaced),
        mode: one.mode,
        verificationSettings: { windowSeconds: 60, successesInARow: 2, failFastAfter: 2 },
        probes: [{ name: "app", kind: "HTTP", use: "VERIFY", from: "RUNNERS", target: "{{outputs.url}}" }],
      });
      const good = await steps.createRun(api(), workspaceId);
      await waitForStatus(api(), good, "FINISHED");
      await write(one.name, release("v2", one.isReplaced));
      return { ...one, workspaceId, good };
    }),
  );

  // Holds the creation of runs that go back, in the middle of its transaction.
  const holder = new Client({ ...database.connection });
  await holder.connect();
  await holder.query(`create function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$`);
  await holder.query(`create trigger held before insert on run for each row when (new."trigger" = 'ROLLBACK')
    execute function hold()`);
  await holder.query("select pg_advisory_lock(42)");
  const failed = await Promise.all(
    given.map(async ({ workspaceId }) => {
      const runId = await steps.createRun(api(), workspaceId);
      await waitForStatus(api(), runId, "FAILED");
      return runId;
    }),
  );
  const waiting = "select 1 from pg_locks where locktype = 'advisory' and objid = 42 and not granted";
  await waitUntil(async () => (await holder.query(waiting)).rows.length > 0, PATIENCE);
  await Promise.all(servers.map((server) => server.kill()));
  await holder.query("select pg_advisory_unlock(42)");
  await holder.query("drop trigger held on run");
  await holder.end();
  for (const { workspaceId } of given) expect(await rollbacksOf(workspaceId)).toEqual([]);
  await passLeases();
  await Promise.all(SERVERS.map(startServer));

  const ends = await Promise.all(
    given.map(async ({ workspaceId, name }) => {
      const [back] = await waitFor(async () => {
        const found = await rollbacksOf(workspaceId);
        expect(found).toHaveLength(1);
        return found;
      }, PATIENCE);
      await waitForStatus(api(), back?.["id"], name === "safe" ? "FINISHED" : "AWAITING_APPLY_APPROVAL");
      return readVerified(back?.["id"]);
    }),
  );
  for (const [index, end] of ends.entries()) {
    expect(end).toMatchObject({
      trigger: "ROLLBACK",
      rollsBackTo: { id: given[index]?.good },
      origin: { id: failed[index] },
    });
  }
  const [safe, unsafe, proposed] = ends;
  const url = (version: string) => [{ name: "url", value: `http://127.0.0.1:${servicePort()}/${version}` }];
  expect(safe).toMatchObject({
    outcome: "APPLIED",
    verification: { status: "PASSED" },
    workspace: { outputs: url("v1") },
  });
  expect(unsafe).toMatchObject({ rollbackRisks: ["DESTROYS"], workspace: { outputs: url("v2") } });
  expect(proposed).toMatchObject({ rollbackRisks: [], workspace: { outputs: url("v2") } });
  for (const { workspaceId } of given) expect(await rollbacksOf(workspaceId)).toHaveLength(1);
});

/** The shards that a runner probes, with the fences of their leases. */
async function shardsOf(index: number): Promise<{ pool: string; shard: number; fence: number }[]> {
  const found = await rows.query(
    `select s.pool, s.shard, s.fence from probe_shard s join prober p on p.id = s.prober_id
     join runner r on r.id = p.runner_id where r.name = $1`,
    [`runner-${index}`],
  );
  return found.rows;
}

/** Waits until each path was asked for twice more. */
async function untilAsked(paths: readonly string[]): Promise<void> {
  const before = new Map(asked);
  await waitUntil(() => paths.every((path) => (asked.get(path) ?? 0) >= (before.get(path) ?? 0) + 2), PATIENCE);
}

it("kill -9 of each runner while they watch health", { timeout: LIMIT_MS * 2 }, async () => {
  isHealthy = true;
  const names = Array.from({ length: 6 }, (_none, index) => `watched-${index}`);
  const ids = await Promise.all(
    names.map(async (name) => {
      const target = "{{outputs.url}}";
      const workspaceId = await createWorkspace(name, {
        text: `output "url" { value = "http://127.0.0.1:${servicePort()}/${name}" }`,
        mode: "OFF",
        probes: [{ name: "web", kind: "HTTP", use: "HEALTH", from: "RUNNERS", target, intervalSeconds: 10 }],
      });
      await waitForStatus(api(), await steps.createRun(api(), workspaceId), "FINISHED");
      return workspaceId;
    }),
  );
  const healths = async (): Promise<unknown[]> =>
    (await rows.query("select health from workspace_health where workspace_id = any($1)", [ids])).rows;
  /** A prober that is gone makes nothing known, which is no outage. */
  const outages = async (): Promise<unknown[]> => {
    const found = await rows.query(
      "select health from workspace_event where workspace_id = any($1) and health->>'to' not in ('HEALTHY', 'UNKNOWN')",
      [ids],
    );
    return found.rows;
  };
  const healthy = names.map(() => ({ health: "HEALTHY" }));
  const untilHealthy = () => waitFor(async () => expect(await healths()).toEqual(healthy), PATIENCE);
  await untilHealthy();
  const paths = names.map((name) => `/${name}`);
  for (const index of RUNNERS) {
    await waitUntil(async () => (await shardsOf(index)).length > 0, PATIENCE);
    const held = await shardsOf(index);
    const killed = await rows.query(
      "select p.id from prober p join runner r on r.id = p.runner_id where r.name = $1 and p.lease_until > now()",
      [`runner-${index}`],
    );
    runners[index]?.child.kill("SIGKILL");
    await runners[index]?.exited;
    // The first lease runs out by itself; the time of the others passes at once.
    if (index !== RUNNERS[0]) {
      const gone = killed.rows.map(({ id }: { id: string }) => id);
      await rows.query("update prober set lease_until = now() - interval '1 second' where id = any($1)", [gone]);
    }
    await waitFor(async () => {
      for (const { pool, shard, fence } of held) {
        const now = await rows.query("select fence from probe_shard where pool = $1 and shard = $2", [pool, shard]);
        expect(now.rows[0]?.fence).toBeGreaterThan(fence);
      }
    }, PATIENCE);
    await untilAsked(paths);
    await untilHealthy();
    await startRunner(index);
  }
  expect(await outages()).toEqual([]);
});
