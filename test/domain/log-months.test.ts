import { afterAll, beforeAll, expect, test } from "vitest";
import { dropLogMonths, makeLogMonths } from "../../src/domain/retention/log-months.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import { listLogMonths } from "../../src/persistence/log/log-month-store.ts";
import type { Data } from "../support/api.ts";
import { openScene, type Scene, type Spot } from "./scene.ts";

const DAY = 24 * 60 * 60 * 1000;
const organizationId = DEFAULT_ORGANIZATION_ID;
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const now = (): number => scene.server.deps.clock().getTime();
const keep = (logDays: number | null) => scene.quick("updateOrganization", { organizationId, retention: { logDays } });

async function read(runId: string): Promise<Data> {
  const query = `query ($runId: ID!) { run(id: $runId) { logExpiredAt log(first: 10) { edges { node { text } } } } }`;
  const { run } = await scene.api.ask(query, { runId });
  return { at: run.logExpiredAt, lines: run.log.edges.map(({ node }: Data) => node.text) };
}

async function fail({ job }: Spot): Promise<void> {
  await job.message({ type: "failed", failure: { code: "PLAN_FAILED", summary: "s", message: "m", evidence: [] } });
}

async function sweep(): Promise<number> {
  let removed = 0;
  await retentionRound(scene.server.deps, (kind, count) => (removed += kind === "LOGS" ? count : 0));
  return removed;
}

const partOf = async (runId: string): Promise<string> =>
  (await scene.rows("select tableoid::regclass::text as part from log_batch where run_id = $1", runId))[0]?.["part"];

test("logs are cut by month under a run that writes, go on in the months to come, and go month by month", async () => {
  const first = await scene.reach("PLANNING");
  await first.job.log("PLAN", "one");
  expect(await listLogMonths(scene.server.deps.database)).toBeNull();

  // Beside a transaction that has the table: it gives way, and tries again; and beside another one like it.
  const made = await Promise.all([
    Promise.allSettled([makeLogMonths(scene.server.deps, 2), makeLogMonths(scene.server.deps, 2)]),
    scene.server.deps.database.transaction(async (tx) => {
      await tx.sql.selectFrom("log_batch").selectAll().execute();
    }),
  ]);
  const [done, refused] = made[0].toSorted((a, b) => a.status.localeCompare(b.status));
  expect(done).toEqual({ status: "fulfilled", value: expect.arrayContaining([expect.any(String)]) });
  expect(refused).toMatchObject({ reason: { message: expect.stringContaining("Another process") } });
  expect(await scene.rows("select 1 from pg_constraint where conname = 'log_batch_part'")).toEqual([]);
  expect(await makeLogMonths(scene.server.deps, 2)).toEqual([]);
  await first.job.log("PLAN", "two");
  expect((await read(first.runId)).lines).toEqual(["one", "two"]);
  await fail(first);
  const parts = (await listLogMonths(scene.server.deps.database)) ?? [];
  expect(parts.map(({ from }) => from)).toEqual([null, ...parts.slice(0, -1).map(({ to }) => to)]);
  const shapes = await scene.rows(`select distinct a.attstorage, count(distinct k.contype) as keys
    from pg_inherits i join pg_attribute a on a.attrelid = i.inhrelid and a.attname = 'body'
    join pg_constraint k on k.conrelid = i.inhrelid and k.contype in ('p', 'f')
    where i.inhparent = 'log_batch'::regclass group by i.inhrelid, a.attstorage`);
  expect(shapes).toEqual([{ attstorage: "e", keys: 2 }]);

  scene.server.advance(35 * DAY);
  const second = await scene.reach("PLANNING");
  await second.job.log("PLAN", "three");
  expect(await partOf(first.runId)).toBe(parts[0]?.name);
  expect(await partOf(second.runId)).not.toBe(parts[0]?.name);

  // Years later: nobody has made a month meanwhile, and the open part has runs of several.
  scene.server.advance(200 * DAY);
  const third = await scene.reach("PLANNING");
  await third.job.log("PLAN", "four");
  expect(await partOf(third.runId)).toBe("log_batch_rest");
  await makeLogMonths(scene.server.deps, 1);
  await third.job.log("PLAN", "five");
  expect((await read(third.runId)).lines).toEqual(["four", "five"]);
  expect(await partOf(third.runId)).not.toBe("log_batch_rest");
  await fail(third);

  // For ever, as long as nobody says otherwise.
  expect((await dropLogMonths(scene.server.deps, now())).map(({ keptBy }) => keptBy)).toContainEqual([
    { slug: "default", logs: 1 },
  ]);
  expect((await read(first.runId)).lines).toEqual(["one", "two"]);
  await keep(180);
  const ends = await dropLogMonths(scene.server.deps, now());
  expect(ends[0]).toMatchObject({ month: { name: parts[0]?.name }, dropped: true, keptBy: [] });
  // The second run is still live, however old it is.
  expect(ends[1]).toMatchObject({ dropped: false, keptBy: [{ slug: "default", logs: 1 }] });
  expect(await read(first.runId)).toEqual({ at: scene.server.deps.clock().toISOString(), lines: [] });
  expect((await read(second.runId)).lines).toEqual(["three"]);
  await second.job.log("PLAN", "still here");
  expect((await read(second.runId)).lines).toEqual(["three", "still here"]);
});

test("what is due waits for its month to go, and goes row by row where it does not", async () => {
  const { runId, ...spot } = await scene.reach("PLANNING");
  await spot.job.log("PLAN", "one");
  await fail({ runId, ...spot });
  await keep(1);
  scene.server.advance(2 * DAY);
  await sweep();
  expect((await read(runId)).lines).toEqual(["one"]);
  scene.server.advance(LIMITS.logMonthMs);
  expect(await sweep()).toBeGreaterThan(0);
  expect((await read(runId)).lines).toEqual([]);
});

test("a run that waits for its first line keeps its month", async () => {
  const { runId, ...spot } = await scene.reach("PREPARING");
  scene.server.advance(100 * DAY);
  await makeLogMonths(scene.server.deps, 1);
  await keep(1);
  await dropLogMonths(scene.server.deps, now());
  await spot.job.message({ type: "prepared" });
  await spot.job.log("INIT", "one");
  expect((await read(runId)).lines).toEqual(["one"]);
});

test("what a cut that was interrupted left refuses no line for long", async () => {
  const left = () => scene.rows("select 1 from pg_constraint where conname = 'log_batch_part'");
  await scene.rows("alter table log_batch_rest add constraint log_batch_part check (run_id < 'run_0') not valid");
  expect(await left()).toHaveLength(1);
  await sweep();
  expect(await left()).toEqual([]);
});

test("a backup knows one table, whatever parts it has", async () => {
  const names: string[] = [];
  const facts = { createdAt: "2026-11-21T00:00:00Z", secrets: null };
  for await (const part of dumpDatabase(scene.server.deps.database, facts)) {
    if (part.type === "table") names.push(part.table.name);
  }
  expect(names.filter((name) => name.startsWith("log_batch"))).toEqual(["log_batch"]);
});
