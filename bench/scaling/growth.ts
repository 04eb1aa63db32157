/** Runs equal operations on databases of different sizes: which costs grow with the number of runs and workspaces. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi } from "../../test/support/api.ts";
import { runId, type Shape, workspaceId } from "../dataset/ids.ts";
import { costOf, type Measured, type Place, type Server, short, table, TOKEN, type World } from "./world.ts";

const FULL: readonly Shape[] = [
  { runCount: 100_000, workspaceCount: 1000, organizationCount: 10, logLineCount: 500 },
  { runCount: 200_000, workspaceCount: 100_000, organizationCount: 10, logLineCount: 500 },
  { runCount: 1_000_000, workspaceCount: 10_000, organizationCount: 10, logLineCount: 1_000_000 },
];
const QUICK: readonly Shape[] = FULL.slice(0, 1).map((shape) => ({ ...shape, runCount: 20_000, workspaceCount: 200 }));
/** Rows of a table of ids alone: how deep its index gets. */
const ENTRIES = { full: [100_000, 1_000_000, 10_000_000], quick: [100_000, 1_000_000] };
const CALLS = 300;
const IDLE_SECONDS = { full: 20, quick: 3 };

const PAGE = `query ($id: ID!) { workspace(by: { id: $id }) { name runs(first: 20) { edges { cursor node {
  id number status createdAt phases { kind status } } } } } }`;
const RUN = "query ($id: ID!) { run(id: $id) { id number status kind createdAt phases { kind status startedAt } } }";

export async function growth(world: World): Promise<Measured> {
  const idleSeconds = IDLE_SECONDS[world.quick ? "quick" : "full"];
  const operations: (string | number)[][] = [];
  const sizes: (string | number)[][] = [];
  const depths = await indexDepths(world);
  let logMib = 0;
  for (const shape of world.quick ? QUICK : FULL) {
    await using place = await world.database(`growth_${shape.runCount}`, shape);
    sizes.splice(0, sizes.length, ...(await tables(place, shape)));
    const logBytes = await place.number("pg_total_relation_size('log_batch')");
    logMib = (logBytes / 1024 / 1024 / shape.logLineCount) * 1_000_000;
    await using server = await world.server(place);
    const api = createApi(server.process.url, TOKEN);
    await sleep(5000);
    const idle = await costOf(world, [server], () => sleep(idleSeconds * 1000));
    operations.push([
      `${shape.runCount.toLocaleString("en")} / ${shape.workspaceCount.toLocaleString("en")}`,
      ...(await operation(world, place, server, (call) => page(api, shape, call))),
      ...(await operation(world, place, server, (call) => one(api, shape, call))),
      short((idle.server * 1000) / idleSeconds),
      short((idle.postgres * 1000) / idleSeconds),
    ]);
  }
  const each = ["server us", "Postgres us", "buffers"];
  const columns = ["runs / workspaces", ...each.map((name) => `page: ${name}`), ...each.map((name) => `run: ${name}`)];
  return {
    "growth.operations": table([...columns, "idle: server ms/s", "idle: Postgres ms/s"], operations),
    ...depths,
    "growth.sizes": table(["runs", "table", "MiB", "of it indexes", "bytes a row"], sizes),
    "growth.logMib": logMib,
  };
}

/** Pages that one look for an id touches, in an index that was filled in the order of ids. */
async function indexDepths(world: World): Promise<Measured> {
  await using place = await world.database("depths");
  const rows: (string | number)[][] = [];
  for (const entries of ENTRIES[world.quick ? "quick" : "full"]) {
    await place.client.query("drop table if exists deep");
    await place.client.query("create table deep (id text primary key)");
    await place.client.query(
      `insert into deep select 'run_' || to_char(n, 'FM0000000000') || substr(md5(n::text), 1, 16)
        from generate_series(1, ${entries}) n`,
    );
    await place.client.query("vacuum analyze deep");
    const id = await place.client.query<{ id: string }>(
      `select id from deep order by id offset ${entries / 2} limit 1`,
    );
    const plan = await place.client.query<{ "QUERY PLAN": string }>(
      `explain (analyze, buffers, costs off, timing off) select id from deep where id = '${id.rows[0]?.id}'`,
    );
    const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
    const pages = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(text);
    const mib = (await place.number("select pg_relation_size('deep_pkey')")) / 1024 / 1024;
    rows.push([entries.toLocaleString("en"), short(mib), Number(pages?.[1]) + Number(pages?.[2] ?? 0)]);
  }
  return {
    "growth.depths": table(["ids", "index MiB", "pages a look touches"], rows),
    "growth.leastIds": rows[0]?.[0] ?? "",
    "growth.mostIds": rows.at(-1)?.[0] ?? "",
    "growth.leastPages": rows[0]?.[2] ?? "",
    "growth.mostPages": rows.at(-1)?.[2] ?? "",
  };
}

/** CPU and touched pages of Postgres for one call, after as many to warm up. */
async function operation(
  world: World,
  place: Place,
  server: Server,
  work: (call: number) => Promise<void>,
): Promise<string[]> {
  for (let call = 0; call < CALLS; call += 1) await work(call);
  await sleep(1500);
  const before = await buffers(place);
  const cost = await costOf(world, [server], async () => {
    for (let call = CALLS; call < 2 * CALLS; call += 1) await work(call);
  });
  // Sessions report their counts when they have been idle for a second.
  await sleep(1500);
  const touched = (await buffers(place)) - before;
  return [(cost.server / CALLS) * 1e6, (cost.postgres / CALLS) * 1e6, touched / CALLS].map(short);
}

function buffers(place: Place): Promise<number> {
  return place.number(`select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))
    from pg_statio_user_tables where relname in ('run', 'phase', 'workspace')`);
}

async function page(api: Api, shape: Shape, call: number): Promise<void> {
  const data = await api.ask(PAGE, { id: workspaceId((call * 7919) % shape.workspaceCount) });
  if (data.workspace.runs.edges.length === 0) throw new Error("The page is empty.");
}

async function one(api: Api, shape: Shape, call: number): Promise<void> {
  const data = await api.ask(RUN, { id: runId(shape, (call * 7919) % shape.runCount) });
  if (data.run.phases.length !== 3) throw new Error("The run has lost its phases.");
}

async function tables(place: Place, shape: Shape): Promise<(string | number)[][]> {
  const { rows } = await place.client.query<{ name: string; bytes: string; indexes: string; rows: number }>(`
    select relname as name, pg_total_relation_size(oid) as bytes, pg_indexes_size(oid) as indexes, reltuples as rows
    from pg_class where relname in ('run', 'phase', 'run_event', 'log_head', 'log_batch', 'workspace') order by 2 desc`);
  return rows.map(({ name, bytes, indexes, rows: count }) => [
    shape.runCount.toLocaleString("en"),
    name,
    short(Number(bytes) / 1024 / 1024),
    short(Number(indexes) / 1024 / 1024),
    short(Number(bytes) / count),
  ]);
}
