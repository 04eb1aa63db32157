/** Lists of callers who may see some runs are those of all runs without the others. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallerScope } from "../../src/model/people/permission.ts";
import type { RunSummary } from "../../src/model/run/run.ts";
import { countRuns, listRuns, type RunSelection } from "../../src/persistence/run/run-list-store.ts";
import { inParts } from "../../src/persistence/run/scoped-run-page.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";
import { createRandom } from "../support/random.ts";

const ORGANIZATIONS = ["org_a", "org_b", "org_c"];
const PROJECTS = 5;
const WORKSPACES = 3;
const RUNS = 2000;

let stores: Stores;
let all: RunSummary[];

/** Three organizations with five projects each, three workspaces in each, and runs; the last project of each has old ones. */
async function fill(): Promise<void> {
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at, deleted_at)
      select 'ws_' || o || p || w, o, 'prj_' || o || p, o || p || w, '{}', 'ALWAYS', 'NEVER', now(),
        case when p = 2 and w = 1 then now() end
      from unnest(${ORGANIZATIONS}::text[]) o, generate_series(1, ${PROJECTS}::int) p, generate_series(1, ${WORKSPACES}::int) w
    `.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at)
      select 'run_' || lpad((n + case when right(w.project_id, 1) = '5' then 0 else 100000 end)::text, 26, '0'),
        w.organization_id, w.project_id, w.id, n, 'PLAN',
        case when n % 7 = 0 then 'FAILED' else 'CANCELED' end, 'PLAN', null, 'MANUAL', 'sys', '', '{}', '{}', 1, 1,
        now(), now(), now()
      from generate_series(1, ${RUNS}::int) n
      join lateral (select * from workspace order by id offset n * 31 % 45 limit 1) w on true
    `.execute(tx.sql);
  });
}

const page = (after: string | null = null, limit = 20) =>
  ({ limit, direction: "forward", after, before: null }) as const;

function isIn(scope: CallerScope, run: RunSummary): boolean {
  if (scope.type !== "some") return scope.type === "everything";
  const { organizationIds, hiddenProjectIds, projectIds, workspaceIds } = scope;
  const ofOrganization = organizationIds === "ALL" || organizationIds.includes(run.organizationId);
  return (
    (ofOrganization && !hiddenProjectIds.includes(run.projectId)) ||
    projectIds.includes(run.projectId) ||
    workspaceIds.includes(run.workspaceId)
  );
}

beforeAll(async () => {
  stores = await openStores();
  await fill();
  all = [];
  for (let after: string | null = null, more = true; more; ) {
    const found = await listRuns(stores.database, { type: "everything" }, {}, page(after, 100));
    all.push(...found.items);
    after = found.items.at(-1)?.id ?? null;
    more = found.hasNextPage;
  }
});

afterAll(() => stores[Symbol.asyncDispose]());

test("the runs of deleted workspaces are in no list", () => {
  expect(all.length).toBeGreaterThan(RUNS / 2);
  expect(all.some(({ workspaceId }) => workspaceId.endsWith("21"))).toBe(false);
});

test("random scopes: pages, from the newest or from a cursor on, with filters, and counts", async () => {
  const random = createRandom(20261124);
  const some = (ids: readonly string[], share: number) => ids.filter(() => random.next() < share);
  const projects = [...new Set(all.map(({ projectId }) => projectId))].toSorted();
  const workspaces = [...new Set(all.map(({ workspaceId }) => workspaceId))].toSorted();
  for (let round = 0; round < 60; round += 1) {
    const scope: CallerScope = {
      type: "some",
      organizationIds: round % 6 === 0 ? "ALL" : some(ORGANIZATIONS, 0.3),
      hiddenProjectIds: some(projects, 0.3),
      projectIds: some(projects, 0.2),
      workspaceIds: some(workspaces, 0.05),
    };
    const organizationId = ORGANIZATIONS[round % 3] ?? "";
    const filters: RunSelection[] = [{}, { organizationId }, { statuses: ["FAILED"] }];
    for (const filter of filters) {
      const wanted = all.filter(
        (run) =>
          isIn(scope, run) &&
          (filter.organizationId === undefined || run.organizationId === filter.organizationId) &&
          (filter.statuses === undefined || filter.statuses.includes(run.status)),
      );
      const first = await listRuns(stores.database, scope, filter, page());
      expect(first.items.map(({ id }) => id)).toEqual(wanted.slice(0, 20).map(({ id }) => id));
      expect(first.hasNextPage).toBe(wanted.length > 20);
      const after = wanted[Math.floor(random.next() * wanted.length)]?.id;
      if (after === undefined) continue;
      const next = await listRuns(stores.database, scope, filter, page(after, 33), { detail: "SUMMARY" });
      const behind = wanted.filter(({ id }) => id < after).slice(0, 33);
      expect(next.items.map(({ id }) => id)).toEqual(behind.map(({ id }) => id));
      expect(await countRuns(stores.database, scope, filter, 10_000)).toBe(wanted.length);
    }
  }
});

test("a scope of many places, or of the whole installation but for some, is walked", () => {
  const scope = { type: "some", organizationIds: [], hiddenProjectIds: [], projectIds: [], workspaceIds: [] } as const;
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `id_${index}`);
  expect(inParts({ ...scope, organizationIds: ids(4), projectIds: ids(496), workspaceIds: ids(200) })).not.toBeNull();
  expect(inParts({ ...scope, organizationIds: ids(4), projectIds: ids(497) })).toBeNull();
  expect(inParts({ ...scope, workspaceIds: ids(201) })).toBeNull();
  expect(inParts({ ...scope, organizationIds: "ALL" })).toBeNull();
  expect(inParts({ type: "everything" })).toBeNull();
  expect(inParts({ type: "nothing" })).toBeNull();
});
