/** The SQL that counts the members of changesets says the same as the model, and as the rows do. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SeenChangeset } from "../../src/model/changeset/changeset.ts";
import { CHANGESET_STATES, stateOf } from "../../src/model/changeset/changeset-state.ts";
import { type MemberStanding, type StandingMember, standingOf } from "../../src/model/changeset/member-standing.ts";
import { RUN_LEGS, RUN_OUTCOMES, type RunLeg, type RunOutcome } from "../../src/model/lifecycle/run-kind.ts";
import { isTerminal, RUN_STATUSES, type RunStatus } from "../../src/model/lifecycle/run-status.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { type CallerScope, EVERYTHING } from "../../src/model/people/permission.ts";
import { noteApplied } from "../../src/persistence/changeset/changeset-store.ts";
import { findChangesets, listChangesets, listWaves } from "../../src/persistence/changeset/seen-changeset-store.ts";
import { naiveState, naiveStanding } from "../support/changeset-oracle.ts";
import { createRandom } from "../support/random.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";
import { walk } from "../support/walk.ts";

const CHANGESETS = 400;
const WORKSPACES = 12;
const AT = "2026-11-26T10:00:00.000Z";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

/** Every member that there could be. */
function everyMember(): StandingMember[] {
  const runs = RUN_STATUSES.flatMap((status) =>
    RUN_LEGS.flatMap((leg) =>
      [null, ...RUN_OUTCOMES].flatMap((outcome) =>
        [false, true].map((overtaken) => ({ status, leg, outcome, overtaken })),
      ),
    ),
  );
  const without = ([null, "DISCARDED", "OTHER"] as const).map((problem) => ({ run: null, problem }));
  return [...runs.map((run) => ({ run, problem: null })), ...without];
}

test("the standing of each member is that of the model", async () => {
  const members = everyMember();
  const texts = (of: (member: StandingMember) => string | null) => members.map(of);
  const { rows } = await sql<{ standing: MemberStanding }>`
    select changeset_standing(problem, discarded, status, leg, outcome, overtaken) as standing
    from unnest(${texts(({ problem }) => problem)}::text[], ${members.map(({ problem }) => problem === "DISCARDED")}::boolean[],
      ${texts(({ run }) => run?.status ?? null)}::text[], ${texts(({ run }) => run?.leg ?? null)}::text[],
      ${texts(({ run }) => run?.outcome ?? null)}::text[], ${members.map(({ run }) => run?.overtaken ?? null)}::boolean[])
      with ordinality as m (problem, discarded, status, leg, outcome, overtaken, place) order by place
  `.execute(stores.database.sql);
  expect(rows.map(({ standing }) => standing)).toEqual(members.map(standingOf));
});

interface MemberRow {
  changeset_id: string;
  workspace_id: string;
  deleted: boolean;
  wave: number;
  problem: string | null;
  discarded: boolean;
  status: RunStatus | null;
  leg: RunLeg | null;
  outcome: RunOutcome | null;
  superseded_by: string | null;
}

/** Changesets with random members, as no history of commands could make them all. */
async function fill(): Promise<void> {
  const random = createRandom(20261126);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)] as T;
  // Whole changesets often have one end.
  const ends = RUN_STATUSES.filter(isTerminal);
  const rows = Array.from({ length: CHANGESETS }, (_, n) => {
    const some = random.next() < 0.5 ? [pick(ends)] : random.next() < 0.5 ? ends : RUN_STATUSES;
    return Array.from({ length: 1 + Math.floor(random.next() * 4) }, (_member, m) => {
      const status = pick(some);
      const outcome = status === "FINISHED" ? pick(RUN_OUTCOMES) : null;
      const kind = random.next() < 0.15 ? pick(["UNCREATED", "PROBLEM", "DISCARDED"]) : "RUN";
      const superseded = status === "CANCELED" && random.next() < 0.7 && n > 0 ? n - 1 : null;
      return { n, m: (m * 5 + n) % WORKSPACES, wave: m % 2, kind, status, leg: pick(RUN_LEGS), outcome, superseded };
    });
  }).flat();
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at, deleted_at)
      select 'ws_' || w, ${DEFAULT_ORGANIZATION_ID}, 'prj_' || w % 3, w, '{}', 'ALWAYS', 'NEVER', now(),
        case when w = 3 then now() end
      from generate_series(0, ${WORKSPACES - 1}::int) w`.execute(tx.sql);
    await sql`
      insert into project (id, organization_id, name, path, isolated, created_at)
      values ('prj_1', ${DEFAULT_ORGANIZATION_ID}, 'one', '{prj_1}', true, now())`.execute(tx.sql);
    await sql`
      insert into changeset (id, organization_id, source, title, kind, trigger, created_by, created_at, discarded_at)
      select 'cs_' || lpad(n::text, 6, '0'), ${DEFAULT_ORGANIZATION_ID}, 'MANUAL', 'one', 'DEPLOY', 'MANUAL', 'sys', now(),
        case when n % 9 = 0 then now() end
      from generate_series(0, ${CHANGESETS - 1}::int) n`.execute(tx.sql);
    await sql`
      create temporary table given on commit drop as
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as g(n int, m int, wave int, kind text, status text, leg text, outcome text, superseded int)`.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at, changeset_id, superseded_by)
      select 'run_' || n || '_' || m, ${DEFAULT_ORGANIZATION_ID}, 'prj_' || m % 3, 'ws_' || m, n + 1, 'DEPLOY', status, leg,
        outcome, 'MANUAL', 'sys', '', '{}', '{}', 1, 1, now(), now(),
        case when status = any(${ends}::text[]) then ${AT}::timestamptz end, 'cs_' || lpad(n::text, 6, '0'),
        case when superseded is not null then 'run_newer_' || superseded end
      from given where kind = 'RUN'`.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, changeset_id)
      select distinct on (superseded) 'run_newer_' || superseded, ${DEFAULT_ORGANIZATION_ID}, 'prj_0', 'ws_0',
        100000 + superseded, 'DEPLOY', 'QUEUED', 'PLAN', 'MANUAL', 'sys', ''::bytea, '{}'::text[], '{}'::text[], 1, 1, now(), now(),
        'cs_' || lpad(superseded::text, 6, '0')
      from given where superseded is not null`.execute(tx.sql);
    await sql`
      insert into changeset_member (changeset_id, workspace_id, wave, run_id, problem, discarded)
      select 'cs_' || lpad(n::text, 6, '0'), 'ws_' || m, wave, case when kind = 'RUN' then 'run_' || n || '_' || m end,
        case when kind in ('PROBLEM', 'DISCARDED') then 'no' end, kind = 'DISCARDED'
      from given`.execute(tx.sql);
  });
}

async function readMembers(): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.changeset_id, m.workspace_id, m.workspace_id = 'ws_3' as deleted, m.wave, m.problem, m.discarded, r.status, r.leg, r.outcome,
      (select n.changeset_id from run n where n.id = r.superseded_by) as superseded_by
    from changeset_member m left join run r on r.id = m.run_id`.execute(stores.database.sql);
  return rows;
}

describe("changesets with random members", () => {
  const scopes: CallerScope[] = [
    EVERYTHING,
    {
      type: "some",
      organizationIds: [DEFAULT_ORGANIZATION_ID],
      hiddenProjectIds: ["prj_1"],
      projectIds: [],
      workspaceIds: [],
    },
    {
      type: "some",
      organizationIds: [],
      hiddenProjectIds: [],
      projectIds: ["prj_2"],
      workspaceIds: ["ws_0", "ws_3", "ws_4"],
    },
  ];
  const isIn = (scope: CallerScope, workspaceId: string): boolean => {
    const number = Number(workspaceId.slice("ws_".length));
    if (scope === scopes[0]) return true;
    if (scope === scopes[1]) return number % 3 !== 1;
    return number % 3 === 2 || number === 0 || number === 4;
  };
  /** By changeset. */
  let members: Map<string, MemberRow[]>;
  beforeAll(async () => {
    await fill();
    members = Map.groupBy(await readMembers(), (row) => row.changeset_id);
  });

  const seenOf = (scope: CallerScope, id: string): MemberRow[] =>
    (members.get(id) ?? []).filter((row) => !row.deleted && isIn(scope, row.workspace_id));

  async function all(
    scope: CallerScope,
    states: Parameters<typeof listChangesets>[3] = null,
  ): Promise<SeenChangeset[]> {
    const found: SeenChangeset[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page = { limit: 37, direction: "forward", after, before: null } as const;
      const { items, hasNextPage } = await listChangesets(
        stores.database,
        scope,
        DEFAULT_ORGANIZATION_ID,
        states,
        page,
      );
      found.push(...items);
      after = items.at(-1)?.id ?? null;
      more = hasNextPage;
    }
    return found;
  }

  const kept = new Map<CallerScope, Promise<SeenChangeset[]>>();
  /** A list of all for the tests that change nothing: it is read once for each scope. */
  const unchanged = (scope: CallerScope): Promise<SeenChangeset[]> => {
    const list = kept.get(scope) ?? all(scope);
    kept.set(scope, list);
    return list;
  };

  test.each(walk([0, 1, 2], 1))("have the figures and the state of the rows, seen from scope %i", async (index) => {
    const scope = scopes[index] ?? EVERYTHING;
    const listed = await unchanged(scope);
    const hidden = [...members.keys()].filter((id) => seenOf(scope, id).length === 0);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(listed.length + hidden.length).toBe(CHANGESETS);
    for (const { id, figures, discardedAt, appliedAt } of listed) {
      const own = seenOf(scope, id);
      const count = (...standings: MemberStanding[]) =>
        own.filter((row) => standings.includes(naiveStanding(row))).length;
      expect(figures, id).toMatchObject({
        workspaces: own.length,
        uncreated: count("UNCREATED"),
        ended: count("APPLIED", "PLANNED", "NO_CHANGES", "SKIPPED", "UNWANTED", "FAILED"),
        failed: count("FAILED"),
        unwanted: count("UNWANTED"),
        applied: count("APPLIED"),
        planned: count("PLANNED"),
        noChanges: count("NO_CHANGES"),
        skipped: count("SKIPPED"),
        waiting: count("WAITING"),
        approved: count("APPROVED"),
        supersededById:
          own
            .flatMap((row) => row.superseded_by ?? [])
            .toSorted()
            .at(-1) ?? null,
      });
      expect(stateOf({ discardedAt, figures }), id).toBe(naiveState(own, discardedAt));
      expect(appliedAt).toBeNull();
    }
    expect(new Set(listed.map(stateOf)), "all states are among them").toEqual(new Set(CHANGESET_STATES));
    const one = await findChangesets(
      stores.database,
      scope,
      listed.map(({ id }) => id),
    );
    expect(one).toEqual(listed);
    const waves = await listWaves(
      stores.database,
      scope,
      listed.map(({ id }) => id),
    );
    expect(waves.map((some) => some.reduce((sum, { ended }) => sum + ended, 0))).toEqual(
      listed.map(({ figures }) => figures.ended),
    );
    expect(waves.map((some) => some.reduce((sum, { failed }) => sum + failed, 0))).toEqual(
      listed.map(({ figures }) => figures.failed),
    );
  });

  test.each(walk(CHANGESET_STATES, 2))("are listed by the state %s as a list of all shows it", async (state) => {
    for (const scope of scopes) {
      const wanted = (await unchanged(scope)).filter((one) => stateOf(one) === state).map(({ id }) => id);
      expect((await all(scope, [state])).map(({ id }) => id)).toEqual(wanted);
    }
  });

  test("of several states, or of none, are those together, or none", async () => {
    const wanted = (await unchanged(EVERYTHING)).filter((one) => ["APPLIED", "FAILED"].includes(stateOf(one)));
    expect(await all(EVERYTHING, ["FAILED", "APPLIED"])).toEqual(wanted);
    expect(await all(EVERYTHING, [])).toEqual([]);
  });

  test("are noted as applied where their state is APPLIED, and announced where it is so without isolated projects", async () => {
    const before = await all(EVERYTHING);
    const outside = (await all(scopes[1] ?? EVERYTHING))
      .filter((one) => stateOf(one) === "APPLIED")
      .map(({ id }) => id);
    const announced: string[] = [];
    for (const { id } of before) {
      const settled = await stores.database.transaction((tx) => noteApplied(tx, id, AT));
      if (settled.announces) announced.push(id);
      const again = await stores.database.transaction((tx) => noteApplied(tx, id, AT));
      expect(again).toEqual({ change: null, announces: false });
    }
    expect(announced).toEqual(outside);
    const after = await all(EVERYTHING);
    expect(after.map(({ appliedAt }) => appliedAt)).toEqual(
      before.map((one) => (stateOf(one) === "APPLIED" ? AT : null)),
    );
  });
});
