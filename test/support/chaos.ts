/**
 * Runners, servers and connections that are cut, while real engines make real changes. The configuration counts by
 * itself how often it was applied, and a wrapper around the engine keeps its own copy of what that wrote.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "pg";
import { parseEngineEvent } from "../../src/runner/engine/engine-event.ts";
import { renderEvent } from "../../src/runner/engine/event-text.ts";
import { type Api, createApi, type Data } from "./api.ts";
import { createTestDatabase } from "./database.ts";
import { createRandom, type Random } from "./random.ts";
import { findViolations } from "./run-invariants.ts";
import { countTo, readRun } from "./run-steps.ts";
import { type RunnerProcess, startRunnerProcess } from "./runner-process.ts";
import { freePort, makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "./server-process.ts";

const MASTER_KEY = "5e".repeat(32);
const ADMIN_TOKEN = "t".repeat(32);
/** Short, so that what was killed is soon known to be. */
const LEASE_MS = 5_000;
const TICK_MS = 200;
/** Nothing ended for so long: something hangs. */
const STUCK_MS = 120_000;
const DRAIN_MS = 60_000;
const KINDS = ["first", "second"] as const;

export interface ChaosOptions {
  seed: number;
  servers: number;
  runners: number;
  /** Jobs that each runner works on at a time. */
  slots: number;
  runs: number;
  workspaces: number;
  /** How often each is cut, evenly until the runs are over. */
  cuts: { runners: number; servers: number; connections: number };
}

export interface ChaosReport {
  /** What is not as it must be. */
  violations: string[];
  /** Runs by status, outcome and the code of the failure. */
  ends: Record<string, number>;
  lostLeases: number;
  recoveredStates: number;
  comparedLines: number;
  seconds: number;
}

interface Chaos {
  readonly options: ChaosOptions;
  readonly random: Random;
  readonly folder: string;
  readonly apis: readonly Api[];
  readonly workspaceIds: string[];
  readonly runners: readonly Killable[];
  readonly servers: readonly Killable[];
  readonly query: (text: string, values?: unknown[]) => Promise<Data[]>;
}

/** A process that comes back when it is killed. */
interface Killable {
  kill(): Promise<void>;
  output(): string;
}

/** Goes on until every run has ended, and looks at what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const { chaos, runners } = await open(options, stack);
  await drive(chaos);
  const undelivered = await stopRunners(chaos, runners);
  const { query } = chaos;
  const ends: Record<string, number> = {};
  const counted = await query(`select concat_ws(' ', status, outcome, failure ->> 'code') as end, count(*)::int
    from run group by 1 order by 1`);
  for (const { end, count } of counted) ends[end] = count;
  const [{ lost }] = await query("select count(*)::int as lost from job where ended_at > expires_at");
  const [{ recovered }] = await query("select count(*)::int as recovered from recovered_state");
  const logs = await compareLogs(chaos);
  const violations = [
    ...(await findViolations((text) => query(text), UNEXPLAINED)),
    ...undelivered,
    ...(await compareApplies(chaos)),
    ...logs.violations,
  ];
  const seconds = (Date.now() - startedAt) / 1000;
  return { violations, ends, lostLeases: lost, recoveredStates: recovered, comparedLines: logs.lineCount, seconds };
}

/** Beyond what holds for all runs. */
const UNEXPLAINED: Record<string, string> = {
  "a run without an end": "select id, status from run where finished_at is null",
  "an end that nobody explains": `select id, status, failure from run where status <> 'FINISHED'
    and (failure ->> 'code' is distinct from 'RUNNER_LOST')`,
  "an apply without its state": `select id from run r where outcome = 'APPLIED'
    and not exists (select from state_version v where v.run_id = r.id)`,
  "serials that do not rise": `select id from (select id, serial,
      lag(serial) over (partition by workspace_id order by created_at, id) as before from state_version) v
    where serial <= before`,
};

async function open(
  options: ChaosOptions,
  stack: AsyncDisposableStack,
): Promise<{ chaos: Chaos; runners: ChaosRunner[] }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-chaos-")));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  for (const name of ["counts", "copies"]) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o777);
  }
  const engine = await makeEngine(folder);
  const database = stack.use(await createTestDatabase());
  const pool = new Pool({ ...database.connection, max: 2 });
  // Its own connections are cut as well.
  pool.on("error", () => undefined);
  stack.defer(() => pool.end());
  const query: Chaos["query"] = (text, values = []) => insist(async () => (await pool.query(text, values)).rows);
  const servers: ChaosServer[] = [];
  // One after the other: each would take the installation for its own.
  for (const _ of countTo(options.servers)) servers.push(await startServer(database.url, folder, stack));
  const apis = servers.map(({ url }) => createApi(url, ADMIN_TOKEN));
  const random = createRandom(options.seed);
  await query("update organization set limits = $1, concurrency_limit = 100", [{ leaseMs: LEASE_MS }]);
  const token = await makePool(apis, query);
  const runners = countTo(options.runners).map((number) => {
    const server = servers[number % servers.length]?.url ?? "";
    return startRunner({ number, server, token, folder, engine, slots: options.slots }, stack);
  });
  const workspaceIds = await makeWorkspaces(options, folder, apis);
  return { runners, chaos: { options, random, folder, apis, workspaceIds, runners, servers, query } };
}

/** Keeps what the engine writes as JSON, by the job that it works for; its end stands in a file of its own. */
async function makeEngine(folder: string): Promise<string> {
  const path = join(folder, "engine");
  const lines = [
    "#!/bin/sh",
    'case "$1 $*" in plan*-json*|apply*-json*) ;; *) exec terraform "$@" ;; esac',
    'copy=$(mktemp "COPIES/$(basename "$(dirname "$PWD")").$1.XXXXXX") && chmod 644 "$copy"',
    // The engine alone is interrupted; this waits for it.
    "trap : INT",
    '{ terraform "$@"; echo $? > "$copy.code"; } | tee -i "$copy"',
    'exit "$(cat "$copy.code")"',
  ];
  await writeFile(path, `${lines.join("\n").replaceAll("COPIES", join(folder, "copies"))}\n`);
  await chmod(path, 0o755);
  return path;
}

interface ChaosServer extends Killable {
  readonly url: string;
}

async function startServer(databaseUrl: string, folder: string, stack: AsyncDisposableStack): Promise<ChaosServer> {
  const [port, dataDir] = [await freePort(), await makeDataDir()];
  stack.defer(() => removeDataDir(dataDir));
  const env = {
    DATABASE_URL: databaseUrl,
    HOLDPOINT_MASTER_KEY: MASTER_KEY,
    HOLDPOINT_ADMIN_TOKEN: ADMIN_TOKEN,
    HOLDPOINT_SOURCE_ROOTS: folder,
    HOLDPOINT_RUNNER_SLOTS: "0",
    HOLDPOINT_LOG_LEVEL: "error",
  };
  // A connection that is cut while it starts ends it: as whoever supervises it would, this starts it again.
  const start = (): Promise<ServerProcess> => insist(() => startServerProcess({ port, dataDir, env }));
  let server = await start();
  stack.defer(() => server.killGroup());
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => server.output(),
    async kill() {
      await server.killGroup();
      server = await start();
    },
  };
}

interface ChaosRunner extends Killable {
  readonly process: () => RunnerProcess;
  /** Where its jobs are. */
  readonly jobs: string;
}

function startRunner(
  given: { number: number; server: string; token: string; folder: string; engine: string; slots: number },
  stack: AsyncDisposableStack,
): ChaosRunner {
  const workDir = join(given.folder, `runner-${given.number}`);
  const names = ["--server", given.server, "--pool", "chaos", "--name", `chaos-${given.number}`];
  const args = [...names, "--slots", `${given.slots}`, "--engine", given.engine, "--work-dir", workDir];
  const start = (): RunnerProcess => startRunnerProcess(args, { HOLDPOINT_RUNNER_TOKEN: given.token });
  let runner = start();
  stack.defer(() => runner[Symbol.asyncDispose]());
  return {
    process: () => runner,
    jobs: join(workDir, "jobs"),
    output: () => runner.output(),
    async kill() {
      await runner[Symbol.asyncDispose]();
      runner = start();
    },
  };
}

/** Gives the secret of a token for runners of a pool. */
async function makePool(apis: readonly Api[], query: Chaos["query"]): Promise<string> {
  const [{ id }] = await query("select id from organization limit 1");
  const made = await send(
    apis,
    `mutation ($id: ID!) { createRunnerPool(input: { organizationId: $id, name: "chaos" }) {
      ... on CreateRunnerPoolSuccess { runnerPool { id } } } }`,
    { id },
  );
  const given = await send(
    apis,
    `mutation ($id: ID!) { createRunnerToken(input: { poolId: $id, name: "chaos" }) {
      ... on CreateRunnerTokenSuccess { secret } } }`,
    { id: made.createRunnerPool.runnerPool.id },
  );
  return given.createRunnerToken.secret;
}

/** Of every second one people approve, the others are applied by the runner that planned them. */
async function makeWorkspaces(options: ChaosOptions, folder: string, apis: readonly Api[]): Promise<string[]> {
  const ids: string[] = [];
  for (const number of countTo(options.workspaces)) {
    const path = join(folder, `source-${number}`);
    await mkdir(path);
    const counts = join(folder, "counts", `${number}`);
    await writeFile(join(path, "main.tf"), configuration(counts));
    // Engines of different slots have different users.
    for (const kind of KINDS) await writeFile(`${counts}-${kind}`, "");
    for (const kind of KINDS) await chmod(`${counts}-${kind}`, 0o666);
    const input = {
      name: `chaos-${number}`,
      source: { directory: { path } },
      ...(number % 2 === 0 ? {} : { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" }),
    };
    const { createWorkspace: made } = await send(
      apis,
      `mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) {
        ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`,
      { input },
    );
    if (made.workspace === undefined) throw new Error(made.message);
    ids.push(made.workspace.id);
  }
  return ids;
}

/** Every plan replaces both resources; each counts under the name of the job's folder, and writes as it goes. */
function configuration(counts: string): string {
  const command = (kind: string): string =>
    [
      `echo "${kind} $(basename "$(dirname "$PWD")")" >> ${counts}-${kind}`,
      "i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo line $i; sleep 0.02; done",
    ].join("; ");
  return KINDS.map(
    (kind) => `resource "terraform_data" "${kind}" {
  triggers_replace = plantimestamp()
  ${kind === "second" ? "depends_on = [terraform_data.first]" : ""}
  provisioner "local-exec" { command = ${JSON.stringify(command(kind))} }
}`,
  ).join("\n");
}

/** What people do and what breaks, tick by tick, until every run has ended. */
async function drive(chaos: Chaos): Promise<void> {
  const { options, query, apis, workspaceIds } = chaos;
  let [created, ended, progressAt] = [0, 0, Date.now()];
  const cuts = planCuts(chaos);
  while (ended < options.runs) {
    for (; created < options.runs && created - ended < options.workspaces * 2; created += 1) {
      const workspaceId = workspaceIds[created % workspaceIds.length];
      const input = { workspaceId, idempotencyKey: `run ${created}` };
      await send(apis, "mutation ($input: CreateRunInput!) { createRun(input: $input) { __typename } }", { input });
    }
    await decide(chaos);
    const [row] = await query("select count(*)::int as ended from run where finished_at is not null");
    if (row.ended > ended) [ended, progressAt] = [row.ended, Date.now()];
    if (Date.now() - progressAt > STUCK_MS) throw new Error(`Stuck: ${JSON.stringify(await stuck(chaos))}`);
    if (cuts[0] !== undefined && (await workedOn(chaos)) >= cuts[0].after) await cuts.shift()?.cut();
    await pause(TICK_MS);
  }
}

/** How many jobs have begun: cuts are spread over them, so that they meet work. */
async function workedOn({ query }: Chaos): Promise<number> {
  const [{ jobs }] = await query("select count(*)::int as jobs from job");
  return jobs;
}

function planCuts(chaos: Chaos): { after: number; cut: () => Promise<void> }[] {
  const { options, random, runners, servers } = chaos;
  const all = [
    ...countTo(options.cuts.runners).map(() => () => random.pick(runners)?.kill()),
    ...countTo(options.cuts.servers).map(() => () => random.pick(servers)?.kill()),
    ...countTo(options.cuts.connections).map(() => () => cutConnections(chaos)),
  ];
  const shuffled = all.map((cut) => ({ cut, key: random.next() })).toSorted((a, b) => a.key - b.key);
  return shuffled.map(({ cut }, index) => ({
    after: (options.runs * 2 * (index + 1)) / (shuffled.length + 1),
    cut: async () => cut(),
  }));
}

async function cutConnections({ query, random }: Chaos): Promise<void> {
  const rows = await query(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by pid",
  );
  for (const { pid } of rows.filter(() => random.chance(0.4))) await query("select pg_terminate_backend($1)", [pid]);
}

async function decide({ query, apis }: Chaos): Promise<void> {
  const waiting = await query(`select id, status, plan_version from run
    where status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')`);
  for (const { id, status, plan_version: planVersion } of waiting) {
    const gate = status === "AWAITING_PLAN_APPROVAL" ? "PLAN" : "APPLY";
    const input = { runId: id, planVersion, gate };
    await send(apis, "mutation ($input: ApproveRunInput!) { approveRun(input: $input) { __typename } }", { input });
  }
  const locked = await query("select id from workspace where lock_reason = 'APPLY_INTERRUPTED'");
  for (const { id } of locked) {
    const input = { workspaceId: id, force: true };
    await send(apis, "mutation ($input: UnlockWorkspaceInput!) { unlockWorkspace(input: $input) { __typename } }", {
      input,
    });
  }
}

/** Ends them in order; says which have kept something. */
async function stopRunners({ query }: Chaos, runners: ChaosRunner[]): Promise<string[]> {
  const found: string[] = [];
  for (const runner of runners) {
    await within(DRAIN_MS, async () => (await readdir(runner.jobs)).length === 0);
    const { child, exited } = runner.process();
    child.kill("SIGTERM");
    const code = await exited;
    if (code !== 0) found.push(`a runner ended with ${code}: ${runner.output().slice(-1000)}`);
    const left = await readdir(runner.jobs);
    const about = runner
      .output()
      .split("\n")
      .filter((line) => left.some((job) => line.includes(job)));
    if (left.length > 0) found.push(`a runner kept ${left.join()}: ${about.join("\n")}`);
  }
  await query("select 1");
  return found;
}

/** Each apply that has counted has counted once, and its state is somewhere. */
async function compareApplies({ query, folder }: Chaos): Promise<string[]> {
  const jobs = new Map((await query("select id, run_id from job")).map(({ id, run_id }) => [id, run_id]));
  const states = await query("select job_id from state_version union select job_id from recovered_state");
  const stored = new Set(states.map(({ job_id }) => job_id));
  const applied = new Set((await query("select id from run where outcome = 'APPLIED'")).map(({ id }) => id));
  const found: string[] = [];
  for (const kind of KINDS) {
    const counts = new Map<string, number>();
    for (const name of (await readdir(join(folder, "counts"))).filter((one) => one.endsWith(kind))) {
      const lines = (await readFile(join(folder, "counts", name), "utf8")).split("\n");
      for (const line of lines.filter((one) => one !== "")) {
        const job = line.split(" ")[1] ?? "";
        const run = jobs.get(job) ?? job;
        counts.set(run, (counts.get(run) ?? 0) + 1);
        if (!stored.has(job)) found.push(`${kind} was made by ${job} of ${run}, and no state knows it`);
      }
    }
    for (const [run, count] of counts) if (count > 1) found.push(`${kind} was applied ${count} times by ${run}`);
    for (const run of applied) if (counts.get(run) !== 1) found.push(`${kind} was not applied by ${run}`);
  }
  return found;
}

/** Logs have no gaps, and hold what the engine wrote in every job that came to its end. */
async function compareLogs({ query, folder, apis }: Chaos): Promise<{ violations: string[]; lineCount: number }> {
  const violations: string[] = [];
  let lineCount = 0;
  const ended = await query("select id, run_id from job where ended_at <= expires_at");
  const copies = await readdir(join(folder, "copies"));
  for (const { id: run } of await query("select id from run")) {
    const { lines } = await insist(() => readRun(apis[0] ?? createApi("", ""), run));
    if (!lines.every(({ number }, index) => number === index + 1)) violations.push(`the log of ${run} has a gap`);
    const text = lines.map((line) => line.text);
    for (const { id: job } of ended.filter((one) => one.run_id === run)) {
      for (const name of copies.filter((one) => one.startsWith(`${job}.`) && !one.endsWith(".code"))) {
        const expected = rendered(await readFile(join(folder, "copies", name), "utf8"), name.includes(".apply."));
        lineCount += expected.length;
        if (!holds(text, expected)) violations.push(`the log of ${run} is not what ${name} has`);
      }
    }
  }
  return { violations, lineCount };
}

function rendered(copy: string, isApply: boolean): string[] {
  return copy
    .split("\n")
    .flatMap((line) => {
      const event = parseEngineEvent(line);
      const text = event === undefined ? line : renderEvent(event, isApply ? "apply" : "plan");
      return text === "" ? [] : text.split("\n");
    })
    .map((line) => line.trimEnd());
}

/** Whether one list has the other in it, in its order and with nothing between. */
function holds(lines: string[], block: string[]): boolean {
  const known = lines.map((line) => line.trimEnd());
  return known.some((_, start) => block.every((line, index) => known[start + index] === line));
}

/** Sends to one server after another until one answers. */
async function send(apis: readonly Api[], query: string, variables: Record<string, unknown>): Promise<Data> {
  let turn = 0;
  return insist(async () => {
    const answer = await apis[turn++ % apis.length]?.send(query, variables);
    if (answer?.status === 400) throw new Refused(JSON.stringify(answer.errors));
    if (!answer?.data) throw new Error(JSON.stringify(answer?.errors));
    return answer.data;
  });
}

/** The test itself is wrong. */
class Refused extends Error {}

/** Again and again while it fails: something was cut. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + STUCK_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Refused || Date.now() > until) throw error;
      await pause(TICK_MS);
    }
  }
}

async function within(ms: number, look: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until && !(await look()); ) await pause(TICK_MS);
}

/** Who does not come on, for whoever must find out why. */
async function stuck({ query, runners }: Chaos): Promise<Data> {
  const runs = await query(`select r.id, r.status, r.leg, r.holds_workspace, d.offered, d.reachable, w.lock_reason,
      (select count(*)::int from job where run_id = r.id and ended_at is null) as jobs
    from run r join workspace w on w.id = r.workspace_id left join dispatch d on d.run_id = r.id
    where r.finished_at is null limit 10`);
  return { runs, runners: runners.map((runner) => runner.output().slice(-1500)) };
}
