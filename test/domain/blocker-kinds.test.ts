// Runs are listed by the kinds of their blockers: SQL and the model agree about conditions of all kinds, at random.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BLOCKER_KINDS } from "../../src/model/admission/blocker-kind.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Data } from "../support/api.ts";
import { addPool } from "../support/fleet.ts";
import { claim } from "../support/fake-runner.ts";
import { createRandom } from "../support/random.ts";
import { openScene, type Scene } from "./scene.ts";

const WORKSPACES = 12;
const RUNS = 7;
const ROUNDS = 5;
const LIST = `query ($filter: RunFilter, $first: Int!) { runs(first: $first, filter: $filter) {
  totalCount edges { node { id blockers { kind } } } } }`;

let scene: Scene;
/** It runs one check for drift at once. */
let poolId: string;
const workspaceIds: string[] = [];
const runIds: { id: string; workspaceId: string }[] = [];
const list = async (filter: object, by = scene.api): Promise<Data> => (await by.ask(LIST, { filter, first: 100 })).runs;
const ids = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.id);
const instantIn = (ms: number): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();
const windowFrom = (hours: number, name: string, durationMs = 3_600_000) => {
  const hour = new Date(scene.server.deps.clock().getTime() + hours * 3_600_000).getUTCHours();
  return { name, cron: `0 ${hour} * * *`, durationMs, timeZone: "UTC" };
};

beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  poolId = (await addPool(scene.server, "limited", false, 1)).id;
  for (let index = 0; index < WORKSPACES; index++) {
    const workspaceId = await scene.createWorkspace();
    workspaceIds.push(workspaceId);
    for (let run = 0; run < RUNS; run++) {
      runIds.push({ id: await scene.createRun(workspaceId), workspaceId });
    }
  }
}, 120_000);
afterAll(() => scene[Symbol.asyncDispose]());

/** Writes past the machine: triggers and foreign keys do not look at combinations that only few histories lead to. */
async function write(...statements: string[]): Promise<void> {
  await scene.server.deps.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    for (const statement of statements) await sql.raw(statement).execute(tx.sql);
  });
}

const json = (value: unknown): string => `'${JSON.stringify(value)}'::jsonb`;
const CAUSE = { type: "PROMOTION", changesetId: "chg_1", pipelineId: "pip_1", stage: "prod", commit: "abc" };
const KINDS = ["DEPLOY", "DEPLOY", "PLAN", "DESTROY", "UNLOCK"];
const CLAIMABLE = ["READY", "REPLAN_REQUESTED", "CONFIRMED"];
const STATUSES = ["QUEUED", "QUEUED", "CONFIRMED", "AWAITING_PLAN_APPROVAL", ...CLAIMABLE];

/** Gives the workspaces and their runs conditions at random. */
async function shake(seed: number): Promise<void> {
  const random = createRandom(seed);
  const past = instantIn(-60_000);
  const soon = instantIn(60_000);
  const windows = [
    [],
    [],
    [windowFrom(0, "open")],
    [windowFrom(0, "open"), windowFrom(5, "shut")],
    [windowFrom(3, "shut")],
  ];
  const check = { point: "PRE_PLAN", names: ["tests"], since: past, until: soon };
  const time = (): string | null => random.pick([null, null, past, soon]) ?? null;
  const workspaces = workspaceIds.map((id) => {
    const lock = random.pick([null, null, "MANUAL", "APPLY_INTERRUPTED"]) ?? null;
    return {
      id,
      paused: random.chance(0.2),
      lock,
      until: lock === "MANUAL" ? time() : null,
      windows: random.pick(windows),
    };
  });
  const holders = new Set<string>();
  const runs = runIds.map(({ id, workspaceId }) => {
    const kind = random.pick(KINDS);
    const status = random.pick(STATUSES) ?? "";
    const holds = kind !== "PLAN" && status !== "QUEUED" && !holders.has(workspaceId) && random.chance(0.15);
    if (holds) holders.add(workspaceId);
    const cause = random.chance(0.2) ? CAUSE : null;
    const times = { scheduled: time(), apply: time() };
    return {
      id,
      kind,
      status,
      holds,
      cause,
      ...times,
      priority: random.below(3),
      upstream: random.chance(0.15),
      check: random.chance(0.15) ? check : null,
    };
  });
  const rows = runs
    .filter(({ status }) => CLAIMABLE.includes(status) && random.chance(0.8))
    .map(({ id }) => {
      const since = instantIn(-(random.chance(0.5) ? 1000 : LIMITS.schedulerMs + 1));
      const isLimited = random.chance(0.3);
      const place = { class: isLimited ? 3 : 1, pool: isLimited ? poolId : null };
      return { id, since, ...place, offered: random.chance(0.5), reachable: random.chance(0.7) };
    });
  const runnerSeenAt = instantIn(-(random.chance(0.5) ? 1000 : LIMITS.runnerOfflineMs + 1));
  await write(
    `update organization set freeze_windows = ${json(seed % 3 === 0 ? [windowFrom(4, "shut")] : [])}`,
    `update workspace w set paused = given.paused, lock_reason = lock, lock_expires_at = until, freeze_windows = windows,
      locked_at = case when lock is not null then '${past}'::timestamptz end
      from jsonb_to_recordset(${json(workspaces)}) as given (id text, paused boolean, lock text, until timestamptz, windows jsonb)
      where w.id = given.id`,
    "update run set holds_workspace = false",
    `update run set kind = given.kind, status = given.status, holds_workspace = holds, priority = given.priority,
      scheduled_at = scheduled, apply_at = apply, awaits_upstream = upstream, cause = given.cause, awaited_check = given.check
      from jsonb_to_recordset(${json(runs)}) as given (id text, kind text, status text, holds boolean, priority int,
        scheduled timestamptz, apply timestamptz, upstream boolean, cause jsonb, "check" jsonb)
      where run.id = given.id`,
    "delete from dispatch",
    `insert into dispatch (run_id, organization_id, workspace_id, class, priority, since, offered, reachable, pool_id)
      select run.id, organization_id, workspace_id, given.class, priority, since, offered, reachable, pool
      from jsonb_to_recordset(${json(rows)}) as given (id text, since timestamptz, class smallint, pool text,
        offered boolean, reachable boolean)
      join run on run.id = given.id`,
    `update runner set last_seen_at = '${runnerSeenAt}'`,
  );
}

test("runs are found by exactly the blockers that they show, whatever keeps them", async () => {
  await claim(scene.server.url, scene.server.runnerToken);
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= ROUNDS; seed++) {
    await shake(seed);
    const all = await list({});
    expect(all.edges).toHaveLength(WORKSPACES * RUNS);
    for (const kind of BLOCKER_KINDS) {
      const wanted = all.edges.filter(({ node }: Data) => node.blockers.some((one: Data) => one.kind === kind));
      const found = await list({ blockerKinds: [kind] });
      expect(ids(found), `${kind}, seed ${seed}`).toEqual(ids({ edges: wanted }));
      expect(found.totalCount).toBe(wanted.length);
      seen.set(kind, (seen.get(kind) ?? 0) + wanted.length);
    }
    const blocked = all.edges.filter(({ node }: Data) => node.blockers.length > 0);
    expect(ids(await list({ blockerKinds: BLOCKER_KINDS }))).toEqual(ids({ edges: blocked }));
  }
  for (const kind of BLOCKER_KINDS) expect(seen.get(kind), kind).toBeGreaterThan(ROUNDS / 3);
}, 180_000);

test("the filter follows the clock, joins others, and no kind finds nothing", async () => {
  await write(
    `update workspace set paused = false, freeze_windows = '[]', lock_reason = 'MANUAL', locked_at = '${instantIn(-1000)}',
      lock_expires_at = '${instantIn(60_000)}'`,
    "update run set kind = 'DEPLOY', status = 'QUEUED', holds_workspace = false, apply_at = null, awaited_check = null",
    "delete from dispatch",
  );
  const [first = ""] = workspaceIds;
  const filter = { blockerKinds: ["WORKSPACE_LOCKED"] };
  expect((await list(filter)).totalCount).toBe(WORKSPACES * RUNS);
  expect((await list({ ...filter, workspaceIds: [first] })).totalCount).toBe(RUNS);
  expect((await list({ ...filter, statuses: ["READY"] })).totalCount).toBe(0);
  expect((await list({ blockerKinds: [] })).totalCount).toBe(0);
  scene.server.advance(120_000);
  expect((await list(filter)).totalCount).toBe(0);
});

test("a caller finds no run that it may not read", async () => {
  await write("update workspace set paused = true");
  const { viewer } = await scene.api.ask("{ viewer { actor { id } } }");
  const [scopeId = ""] = workspaceIds;
  const { secret } = await scene.send("createToken", { name: "one", ownerId: viewer.actor.id, scopeIds: [scopeId] });
  const found = await list({ blockerKinds: ["WORKSPACE_PAUSED"] }, scene.api.as(secret));
  const own = new Set(runIds.filter(({ workspaceId }) => workspaceId === scopeId).map(({ id }) => id));
  expect(new Set(ids(found))).toEqual(own);
  expect(found.totalCount).toBe(RUNS);
});

test("an answer that depends on too many freeze windows is refused by name, and given for one workspace", async () => {
  const windows = (index: number) =>
    Array.from({ length: 10 }, (_, each) =>
      windowFrom(0, `w${index}-${each}`, 3_600_000 * 2 + index * 600_000 + each * 60_000),
    );
  await write(
    ...workspaceIds.map(
      (id, index) => `update workspace set freeze_windows = ${json(windows(index))} where id = '${id}'`,
    ),
    "update run set kind = 'DEPLOY', status = 'CONFIRMED', scheduled_at = null, apply_at = null, awaits_upstream = false",
  );
  const filter = { blockerKinds: ["FREEZE_WINDOW"] };
  const refused = await scene.api.send(LIST, { filter, first: 1 });
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_INPUT",
    issues: [{ path: ["filter", "blockerKinds"] }],
  });
  const found = await list({ ...filter, workspaceId: workspaceIds[0] });
  expect(found.totalCount).toBe(RUNS);
  expect((await list({ blockerKinds: ["WORKSPACE_PAUSED"] })).totalCount).toBe(WORKSPACES * RUNS);
});

test("a bulk action takes the runs that the filter lists", async () => {
  await write("update workspace set freeze_windows = '[]'");
  const input = { action: "RETRY", filter: { blockerKinds: ["WORKSPACE_PAUSED"], workspaceId: workspaceIds[1] } };
  const query = `mutation ($input: BulkRunActionInput!) { bulkRunAction(input: $input) {
    ... on BulkRunActionSuccess { operation { total } } ... on UserError { code message } } }`;
  const { bulkRunAction } = await scene.api.ask(query, { input });
  expect(bulkRunAction).toEqual({ operation: { total: RUNS } });
});
