/** Many runs through two servers and some runners, all of them processes that are killed now and then. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { runnerToken } from "../../src/domain/token/credentials.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { type Api, createApi, type Data } from "./api.ts";
import { createTestDatabase } from "./database.ts";
import { createRandom, type Random } from "./random.ts";
import { findViolations, LIMIT_EXCEEDED } from "./run-invariants.ts";
import { freePort, makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "./server-process.ts";

const RUNNER = fileURLToPath(new URL("fake-runner-process.ts", import.meta.url));
const MASTER_KEY = "5e".repeat(32);
const ADMIN_TOKEN = "t".repeat(32);
/** Short, so that what was killed is soon known to be. */
const LEASE_MS = 3_000;
const TICK_MS = 100;
const LOCK_MS = 1_000;
/** Nothing ended for so long: something hangs. */
const STUCK_MS = 60_000;
const CREATED_AT_ONCE = 10;
const DECIDED_AT_ONCE = 20;

export interface LoadOptions {
  seed: number;
  runs: number;
  organizations: number;
  /** Of each organization. */
  limit: number;
  workspaces: number;
  runners: number;
  /** Jobs that each runner works on at a time. */
  slots: number;
  /** Runners come back, with the next number; servers where it says so. */
  kills: { runners: number; servers: number; serversReturn: boolean };
}

export interface LoadReport {
  /** What is not as it must be. */
  violations: string[];
  /** Runs by status. */
  ends: Record<string, number>;
  /** Leases that ended by themselves. */
  lostCount: number;
  /** What servers reported as unexpected, by its message. */
  errors: Record<string, number>;
  seconds: number;
}

interface Load {
  readonly options: LoadOptions;
  readonly random: Random;
  /** The folder of the source. */
  readonly path: string;
  readonly workspaceIds: string[];
  readonly query: (text: string, values?: unknown[]) => Promise<Data[]>;
  /** Sends mutations in one request, to one server after another until one answers. */
  readonly send: (fields: string[]) => Promise<Data>;
  readonly killRunner: () => void;
  readonly killServer: () => Promise<void>;
  /** Everything that servers wrote. */
  readonly outputs: () => string[];
}

/** Goes on until every run has ended; fails where nothing ends any more. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const load = await open(options, stack);
  await createAll(load);
  await drive(load);
  const ends: Record<string, number> = {};
  for (const { status, count } of await load.query("select status, count(*)::int from run group by 1 order by 1")) {
    ends[status] = count;
  }
  const [{ lost }] = await load.query("select count(*)::int as lost from job where ended_at > expires_at");
  const errors = countErrors(load.outputs());
  const violations = await findViolations((text) => load.query(text), {
    "more runners than the limit": LIMIT_EXCEEDED,
    "a run without an end": "select id, status from run where finished_at is null",
    "a workspace that is held": "select id from run where holds_workspace",
    "something left to claim": "select run_id from dispatch",
  });
  return { violations, ends, errors, lostCount: lost, seconds: (Date.now() - startedAt) / 1000 };
}

async function open(options: LoadOptions, stack: AsyncDisposableStack): Promise<Load> {
  const random = createRandom(options.seed);
  const database = stack.use(await createTestDatabase());
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-load-")));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "source"));
  await writeFile(join(root, "source", "main.tf"), 'resource "terraform_data" "a" {}\n');
  const pool = new Pool({ ...database.connection, max: 2 });
  stack.defer(() => pool.end());
  const servers = await startServers(database.url, root, stack);
  const urls = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  const runners = startRunners(options, urls, stack);
  const apis = urls.map((url) => createApi(url, ADMIN_TOKEN));
  return {
    options,
    random,
    path: join(root, "source"),
    workspaceIds: [],
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    send: (fields) => insist(apis, random, `mutation { ${fields.join("\n")} }`),
    killRunner: () => runners.kill(random.below(options.runners)),
    outputs: () => servers.flatMap((server) => server.outputs()),
    killServer: async () => servers[random.below(servers.length)]?.kill(options.kills.serversReturn),
  };
}

async function insist(apis: readonly Api[], random: Random, query: string): Promise<Data> {
  for (;;) {
    const api = random.pick(apis);
    const answer = await api?.send(query).catch(() => null);
    if (answer?.data) return answer.data;
    if (answer?.status === 400) throw new Error(JSON.stringify(answer.errors));
    await pause(TICK_MS);
  }
}

interface KillableServer {
  port: number;
  kill(returns: boolean): Promise<void>;
  outputs(): string[];
}

async function startServers(databaseUrl: string, root: string, stack: AsyncDisposableStack): Promise<KillableServer[]> {
  const startOne = async (): Promise<KillableServer> => {
    const [port, dataDir] = [await freePort(), await makeDataDir()];
    stack.defer(() => removeDataDir(dataDir));
    const env = {
      DATABASE_URL: databaseUrl,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: ADMIN_TOKEN,
      HOLDPOINT_SOURCE_ROOTS: root,
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_LOG_LEVEL: "error",
    };
    let server: ServerProcess = await startServerProcess({ port, dataDir, env });
    stack.defer(() => server.killGroup());
    const earlier: string[] = [];
    return {
      port,
      outputs: () => [...earlier, server.output()],
      async kill(returns) {
        await server.killGroup();
        if (returns) earlier.push(server.output());
        if (returns) server = await startServerProcess({ port, dataDir, env });
      },
    };
  };
  // The first one alone: both would take the installation for theirs.
  return [await startOne(), await startOne()];
}

function startRunners(
  { runners, slots, seed }: LoadOptions,
  urls: string[],
  stack: AsyncDisposableStack,
): { kill(index: number): void } {
  const token = runnerToken(createCipher(Buffer.from(MASTER_KEY, "hex")));
  let startedCount = 0;
  const start = (): ChildProcess => {
    const args = [RUNNER, token, String(seed + ++startedCount), String(slots), ...urls];
    return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  };
  const children = Array.from({ length: runners }, start);
  stack.defer(async () => {
    for (const child of children) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.kill("SIGKILL")) await ended;
    }
  });
  return {
    kill(index) {
      children[index]?.kill("SIGKILL");
      children[index] = start();
    },
  };
}

async function createAll({ options, path, query, random, send, workspaceIds }: Load): Promise<void> {
  const slugs = Array.from({ length: options.organizations }, (_, index) => `load-${index}`);
  await send(
    slugs.map((slug, index) => {
      const input = `{ slug: "${slug}", name: "${slug}", concurrencyLimit: ${options.limit} }`;
      return `m${index}: createOrganization(input: ${input}) { __typename }`;
    }),
  );
  await query(`update organization set limits = $1`, [{ leaseMs: LEASE_MS }]);
  for (let made = 0; made < options.workspaces; made += CREATED_AT_ONCE) {
    const count = Math.min(CREATED_AT_ONCE, options.workspaces - made);
    const answer = await send(
      Array.from({ length: count }, (_, index) => {
        const mode = random.pick([
          "planApproval: ALWAYS, autoApply: NEVER",
          "planApproval: WHEN_REQUIRED, autoApply: ALWAYS",
        ]);
        const source = `source: { directory: { path: "${path}" } }, organization: "${slugs[(made + index) % slugs.length]}"`;
        return `m${index}: createWorkspace(input: { name: "w${made + index}", ${source}, ${mode} }) {
          ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } }`;
      }),
    );
    for (const { workspace, message } of Object.values<Data>(answer)) {
      if (workspace === undefined) throw new Error(message);
      workspaceIds.push(workspace.id);
    }
  }
}

/** What people do, tick by tick, until every run has ended. */
async function drive(load: Load): Promise<void> {
  const { options, query, random, send } = load;
  let [created, ended, progressAt] = [0, 0, Date.now()];
  const kills = killTimes(load);
  while (ended < options.runs) {
    const open_ = created - ended;
    const count = Math.min(CREATED_AT_ONCE, options.runs - created, 3 * options.workspaces - open_);
    if (count > 0) await send(Array.from({ length: count }, (_, index) => createField(load, created + index)));
    created += Math.max(0, count);
    await decide(load);
    if (random.chance(0.3)) await meddle(load, created < options.runs);
    const [row] = await query("select count(*)::int as ended from run where finished_at is not null");
    if (row.ended > ended) [ended, progressAt] = [row.ended, Date.now()];
    if (Date.now() - progressAt > STUCK_MS) throw new Error(`Stuck: ${JSON.stringify(await stuck(load))}`);
    while (kills[0] !== undefined && ended >= kills[0].afterEnds) await kills.shift()?.kill();
    await pause(TICK_MS);
  }
}

/** Spread over the runs, but for the last ones: that what was killed at the end is found again is no less a proof. */
function killTimes({ options, killRunner, killServer }: Load): { afterEnds: number; kill: () => unknown }[] {
  const { kills, runs } = options;
  const spread = (count: number, kill: () => unknown) =>
    Array.from({ length: count }, (_, index) => ({ afterEnds: (runs * (index + 1)) / (count + 1), kill }));
  const all = [...spread(kills.runners, killRunner), ...spread(kills.servers, killServer)];
  return all.toSorted((a, b) => a.afterEnds - b.afterEnds);
}

/** Repeated where its server was killed: the key keeps it one run. */
function createField({ random, workspaceIds }: Load, number: number): string {
  const kind = random.pick(["DEPLOY", "DEPLOY", "DESTROY", "PLAN"]);
  const input = `{ workspaceId: "${random.pick(workspaceIds)}", kind: ${kind}, idempotencyKey: "run ${number}" }`;
  return `m${number}: createRun(input: ${input}) { __typename }`;
}

async function decide({ query, random, send }: Load): Promise<void> {
  const waiting = await query(
    `select id, status, plan_version from run where status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')
      order by status_at limit $1`,
    [DECIDED_AT_ONCE],
  );
  if (waiting.length === 0) return;
  await send(
    waiting.map(({ id, status, plan_version: planVersion }, index) => {
      const plan = `runId: "${id}", planVersion: ${planVersion}`;
      const gate = status === "AWAITING_PLAN_APPROVAL" ? "PLAN" : "APPLY";
      const word = random.pick([
        ...Array<string>(10).fill("approve"),
        "replan",
        "discard",
        gate === "PLAN" ? "reject" : "approve",
      ]);
      return `m${index}: ${word}Run(input: { ${plan}${word === "approve" ? `, gate: ${gate}` : ""} }) { __typename }`;
    }),
  );
}

/** Cancels, locks, and what somebody must do where an apply was interrupted. */
async function meddle({ query, random, send, workspaceIds }: Load, disturbs: boolean): Promise<void> {
  const interrupted = await query("select id from workspace where lock_reason = 'APPLY_INTERRUPTED' limit 5");
  const fields = interrupted.map(
    ({ id }, index) => `u${index}: unlockWorkspace(input: { workspaceId: "${id}", force: true }) { __typename }`,
  );
  if (disturbs) {
    const [victim] = await query("select id from run where finished_at is null order by md5(id || $1) limit 1", [
      String(random.next()),
    ]);
    if (victim !== undefined) {
      const force = random.chance(0.3);
      fields.push(`c: cancelRun(input: { runId: "${victim.id}", force: ${force} }) { __typename }`);
    }
    const expiresAt = new Date(Date.now() + LOCK_MS).toISOString();
    const lock = `{ workspaceId: "${random.pick(workspaceIds)}", expiresAt: "${expiresAt}" }`;
    fields.push(`l: lockWorkspace(input: ${lock}) { __typename }`);
  }
  if (fields.length > 0) await send(fields);
}

/** Who does not come on, for whoever must find out why. */
function stuck({ query }: Load): Promise<Data[]> {
  return query(`select r.id, r.kind, r.status, r.leg, r.holds_workspace, d.offered, w.lock_reason, w.paused,
      (select count(*)::int from job where run_id = r.id and ended_at is null) as jobs
    from run r join workspace w on w.id = r.workspace_id left join dispatch d on d.run_id = r.id
    where r.finished_at is null limit 10`);
}

function countErrors(outputs: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, message = ""] of outputs.join("\n").matchAll(/"msg":"((?:[^"\\]|\\.)*)"/g)) {
    counts[message] = (counts[message] ?? 0) + 1;
  }
  return counts;
}
