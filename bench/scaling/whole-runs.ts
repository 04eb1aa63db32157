/**
 * The rows that a run leaves in the database and its cost, by real requests: created, claimed, planned, approved twice,
 * applied, with a log. Over one server; and over two behind a balancer that sends every request to the other one, which
 * shows at once that nothing has to be sticky.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi } from "../../test/support/api.ts";
import { claim, type FakeJob, fakePlan } from "../../test/support/fake-runner.ts";
import { approve, createRun, createWorkspace } from "../../test/support/run-steps.ts";
import {
  type Cost,
  costOf,
  type Measured,
  type Place,
  RUNNER_TOKEN,
  type Server,
  short,
  table,
  TOKEN,
  type World,
} from "./world.ts";

/** `warmUp`: before what is measured; a new process compiles. */
const FULL = { runs: 150, warmUp: 60 };
const QUICK = { runs: 12, warmUp: 4 };
const AT_ONCE = 4;
const LOG_POSTS = 10;
const LINES_PER_POST = 50;

/** Gives another address with every call. */
type Balancer = () => string;

export async function wholeRuns(world: World): Promise<Measured> {
  const { runs, warmUp } = world.quick ? QUICK : FULL;
  const rows: (string | number)[][] = [];
  const found: Record<string, string | number> = { "runs.count": runs, "runs.atOnce": AT_ONCE, "runs.warmUp": warmUp };
  for (const count of [1, 2]) {
    await using place = await world.database(`whole_${count}`);
    await using stack = new AsyncDisposableStack();
    const servers: Server[] = [];
    for (let number = 0; number < count; number += 1) servers.push(stack.use(await world.server(place)));
    let turn = 0;
    const next: Balancer = () => servers[turn++ % servers.length]?.process.url ?? "";
    const workspaces = await makeWorkspaces(world, next);
    await drive(next, workspaces, warmUp);
    const sizes = await tableSizes(place);
    const wal = await place.number("pg_current_wal_lsn() - '0/0'");
    const cost = await costOf(world, servers, () => drive(next, workspaces, runs));
    const walBytes = (await place.number("pg_current_wal_lsn() - '0/0'")) - wal;
    rows.push(
      line(count, runs, cost, walBytes, await place.number("select count(*) from run where status <> 'FINISHED'")),
    );
    if (count > 1) continue;
    const left = grown(sizes, await tableSizes(place), runs);
    found["runs.left"] = table(
      ["table", "rows a run", "bytes a run"],
      left.map(({ name, rows: each, bytes }) => [name, short(each), short(bytes)]),
    );
    found["runs.kib"] = left.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
    found["runs.serverMs"] = (cost.server * 1000) / runs;
    found["runs.postgresMs"] = (cost.postgres * 1000) / runs;
    found["runs.statements"] = cost.statements / runs;
    found["runs.walKib"] = walBytes / 1024 / runs;
  }
  const columns = ["servers", "server ms", "Postgres ms", "statements", "WAL KiB", "runs that did not finish"];
  return { ...found, "runs.costs": table(columns, rows) };
}

function line(servers: number, runs: number, cost: Cost, walBytes: number, unfinished: number): (string | number)[] {
  const each = (value: number): string => short(value / runs);
  return [
    servers,
    each(cost.server * 1000),
    each(cost.postgres * 1000),
    each(cost.statements),
    each(walBytes / 1024),
    unfinished,
  ];
}

async function makeWorkspaces(world: World, next: Balancer): Promise<string[]> {
  const path = join(world.folder, `source-${Math.random()}`);
  await mkdir(path);
  await writeFile(join(path, "main.tf"), 'resource "terraform_data" "a" {}\n');
  const ids: string[] = [];
  for (let number = 0; number < AT_ONCE; number += 1) {
    ids.push(await createWorkspace(createApi(next(), TOKEN), `workspace-${number}`, path));
  }
  return ids;
}

async function drive(next: Balancer, workspaces: readonly string[], runs: number): Promise<void> {
  const todo = { left: runs };
  const serials = new Map<string, number>();
  await Promise.all(
    workspaces.map(async (workspaceId) => {
      while (todo.left-- > 0) await oneRun(next, workspaceId, serials);
    }),
  );
}

async function oneRun(next: Balancer, workspaceId: string, serials: Map<string, number>): Promise<void> {
  const api = (): Api => createApi(next(), TOKEN);
  const runId = await createRun(api(), workspaceId);
  const plan = await take(next, runId);
  await hop(plan, next).message({ type: "prepared" });
  await hop(plan, next).message({ type: "initialized" });
  for (let post = 0; post < LOG_POSTS; post += 1) await writeLog(hop(plan, next), post);
  await hop(plan, next).request("PUT", "archive", Buffer.alloc(4096, "archive"));
  await hop(plan, next).message({ type: "planned", plan: fakePlan({ stateSerial: plan.job.stateSerial }) });
  await approve(api(), runId, "PLAN", 1);
  await approve(api(), runId, "APPLY", 1);
  const apply = await take(next, runId);
  const serial = (serials.get(workspaceId) ?? plan.job.stateSerial) + 1;
  const answer = await hop(apply, next).apply(serial, `lineage-${workspaceId}`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  serials.set(workspaceId, serial);
}

/** Moves a job to another server. */
function hop(job: FakeJob, next: Balancer): FakeJob {
  job.url = next();
  return job;
}

/** Jobs that a driver has claimed for another one. */
const waiting = new Map<string, (job: FakeJob) => void>();
const taken = new Map<string, FakeJob>();

async function take(next: Balancer, runId: string): Promise<FakeJob> {
  const mine = new Promise<FakeJob>((resolve) => waiting.set(runId, resolve));
  let found: FakeJob | null = taken.get(runId) ?? null;
  while (found === null) {
    const job = await claim(next(), RUNNER_TOKEN);
    if (job !== null && job.job.run.id !== runId) {
      taken.set(job.job.run.id, job);
      waiting.get(job.job.run.id)?.(job);
    } else found = job;
    found ??= await Promise.race([mine, new Promise<null>((resolve) => setTimeout(resolve, 5, null))]);
  }
  waiting.delete(runId);
  taken.delete(runId);
  return found;
}

async function writeLog(job: FakeJob, post: number): Promise<void> {
  const lines = Array.from(
    { length: LINES_PER_POST },
    (_, index) =>
      `aws_instance.node[${(post * LINES_PER_POST + index) % 97}]: Still creating... [${post * 10}s elapsed]`,
  );
  await job.log("PLAN", ...lines);
}

interface TableSize {
  name: string;
  bytes: number;
  rows: number;
}

async function tableSizes(place: Place): Promise<TableSize[]> {
  await place.client.query("analyze");
  const { rows } = await place.client.query<{ name: string; bytes: string; rows: number }>(`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0) as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`);
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
}

function grown(before: readonly TableSize[], after: readonly TableSize[], runs: number): TableSize[] {
  const old = new Map(before.map((size) => [size.name, size]));
  return after
    .map(({ name, rows, bytes }) => ({
      name,
      rows: (rows - (old.get(name)?.rows ?? 0)) / runs,
      bytes: (bytes - (old.get(name)?.bytes ?? 0)) / runs,
    }))
    .filter(({ rows }) => rows > 0.05);
}
