// Workspaces are listed by their deployment status: SQL and the model agree about histories of all kinds, at random.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILED_STATUSES, LIVE_STATUSES, RUN_STATUSES } from "../../src/model/lifecycle/run-status.ts";
import { RUNTIME_HEALTHS } from "../../src/model/health/runtime-health.ts";
import { DEPLOYMENT_STATUSES } from "../../src/model/workspace/workspace.ts";
import type { Data } from "../support/api.ts";
import { hasDeploymentStatus } from "../../src/persistence/workspace/deployment-sql.ts";
import { createRandom } from "../support/random.ts";
import { openScene, type Scene } from "./scene.ts";

const WORKSPACES = 20;
const RUNS = 3;
const ROUNDS = 5;
const LIST = `query ($filter: WorkspaceFilter, $first: Int!, $after: String) { organization(slug: "default") {
  workspaces(first: $first, after: $after, filter: $filter) {
    totalCount edges { node { id deploymentStatus } } pageInfo { hasNextPage endCursor } } } }`;

let scene: Scene;
const workspaceIds: string[] = [];
const runIds: string[] = [];
const list = async (filter: object, page: object = { first: 100 }, by = scene.api): Promise<Data> =>
  (await by.ask(LIST, { filter, ...page })).organization.workspaces;
const ids = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.id);

beforeAll(async () => {
  scene = await openScene();
  for (let index = 0; index < WORKSPACES; index++) {
    const workspaceId = await scene.createWorkspace();
    workspaceIds.push(workspaceId);
    for (let run = 0; run < RUNS; run++) runIds.push(await scene.createRun(workspaceId));
  }
}, 120_000);
afterAll(() => scene[Symbol.asyncDispose]());

const json = (value: unknown): string => `'${JSON.stringify(value)}'::jsonb`;

/** Gives the workspaces histories at random, past the machine. */
async function shake(seed: number): Promise<void> {
  const random = createRandom(seed);
  const now = scene.server.deps.clock().toISOString();
  const some = (probability: number): string | null => (random.chance(probability) ? now : null);
  const workspaces = workspaceIds.map((id) => ({
    id,
    paused: random.chance(0.15),
    health: random.pick([...RUNTIME_HEALTHS, null]),
  }));
  const runs = runIds.map((id) => {
    const others = random.chance(0.2) ? LIVE_STATUSES : RUN_STATUSES;
    const status = random.chance(0.6) ? "FINISHED" : (random.pick(others) ?? "QUEUED");
    const ended = LIVE_STATUSES.includes(status) ? null : now;
    const outcome = status === "FINISHED" ? random.pick(["APPLIED", "DESTROYED", "PLANNED", null]) : null;
    const kind = random.pick(["DEPLOY", "DESTROY", "APPLY", "PLAN", "UNLOCK"]);
    return { id, status, kind, outcome, ended, applying: some(0.6), applied: some(0.4) };
  });
  await scene.server.deps.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql
      .raw(
        `update workspace set paused = given.paused
          from jsonb_to_recordset(${json(workspaces)}) as given (id text, paused boolean) where workspace.id = given.id`,
      )
      .execute(tx.sql);
    await sql`delete from workspace_health`.execute(tx.sql);
    await sql
      .raw(
        `insert into workspace_health (workspace_id, health) select id, health
          from jsonb_to_recordset(${json(workspaces)}) as given (id text, health text) where health is not null`,
      )
      .execute(tx.sql);
    await sql
      .raw(
        `update run set kind = given.kind, status = given.status, outcome = given.outcome, finished_at = ended,
          applying_at = applying, applied_at = applied, holds_workspace = false
          from jsonb_to_recordset(${json(runs)}) as given (id text, kind text, status text, outcome text,
            ended timestamptz, applying timestamptz, applied timestamptz) where run.id = given.id`,
      )
      .execute(tx.sql);
  });
}

test("workspaces are found by exactly the status that they show, whatever their runs did", async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= ROUNDS; seed++) {
    await shake(seed);
    const all = await list({});
    expect(all.edges).toHaveLength(WORKSPACES);
    for (const status of DEPLOYMENT_STATUSES) {
      const wanted = all.edges.filter(({ node }: Data) => node.deploymentStatus === status);
      const found = await list({ deploymentStatuses: [status] });
      expect(ids(found), `${status}, seed ${seed}`).toEqual(ids({ edges: wanted }));
      expect(found.totalCount).toBe(wanted.length);
      seen.set(status, (seen.get(status) ?? 0) + wanted.length);
    }
  }
  for (const status of DEPLOYMENT_STATUSES) expect(seen.get(status), status).toBeGreaterThan(1);
}, 120_000);

test("statuses are joined with other conditions and paged; no status finds nothing", async () => {
  await shake(1);
  const statuses = ["RUNNING", "FAILED", "DEPLOYING"];
  const whole = ids(await list({ deploymentStatuses: statuses }));
  expect(whole.length).toBeGreaterThan(3);
  const pages: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Data = await list({ deploymentStatuses: statuses }, { first: 2, after });
    pages.push(...ids(page));
    after = page.pageInfo.endCursor;
    more = page.pageInfo.hasNextPage;
  }
  expect(pages).toEqual(whole);
  expect((await list({ deploymentStatuses: ["PAUSED"], paused: false })).totalCount).toBe(0);
  expect((await list({ deploymentStatuses: [] })).totalCount).toBe(0);
});

test("a status is read by the indexes of runs, not from all runs of a workspace", async () => {
  const { rows } = await sql<Record<string, string>>`
    select indexdef from pg_indexes where indexname in ('run_deployed', 'run_applied') order by indexname
  `.execute(scene.server.deps.database.sql);
  const definitions = rows.map(({ indexdef = "" }) => indexdef);
  expect(definitions).toHaveLength(2);
  for (const status of FAILED_STATUSES) expect(definitions[1]).toContain(`'${status}'`);
  await scene.server.deps.database.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx.sql);
    const { rows: plan } = await sql<
      Record<string, string>
    >`explain select from workspace where ${hasDeploymentStatus(["RUNNING"])}`.execute(tx.sql);
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    for (const index of ["run_deployed", "run_live"]) expect(text).toContain(index);
  });
});
