import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import { measurement, readStatistics } from "../../src/persistence/workspace/statistics-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

const WINDOW = { from: "2026-03-01T00:00:00.000Z", to: "2026-04-01T00:00:00.000Z" };
const MINUTE_MS = 60_000;

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

interface Phase {
  kind: string;
  status: string;
  minutes: number;
}

interface Ended {
  kind?: string;
  status: string;
  outcome?: string;
  finishedAt?: string;
  /** From its creation to the end of its apply. */
  appliedMinutes?: number;
  phases?: Phase[];
}

/** Writes past the machine: what is counted here is history, which the machine has no way to make up. */
async function add(workspace: Workspace, run: Ended): Promise<void> {
  const { kind = "DEPLOY", status, outcome = null, finishedAt = "2026-03-10T00:00:00.000Z", phases = [] } = run;
  const id = stores.newId("run");
  const startedAt = "2026-03-09T00:00:00.000Z";
  const later = (minutes: number): string => new Date(Date.parse(startedAt) + minutes * MINUTE_MS).toISOString();
  const appliedAt = run.appliedMinutes === undefined ? null : later(run.appliedMinutes);
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, applied_at, finished_at)
      select ${id}, ${workspace.organizationId}, ${workspace.projectId}, ${workspace.id}, coalesce(max(number), 0) + 1, ${kind}, ${status},
        'PLAN', ${outcome}, 'MANUAL', 'sys', '', '{}', '{}', 1, 1, ${startedAt}, ${finishedAt}, ${appliedAt}, ${finishedAt}
      from run where workspace_id = ${workspace.id}
    `.execute(tx.sql);
    for (const [index, phase] of phases.entries()) {
      await sql`
        insert into phase (id, run_id, kind, attempt, status, started_at, finished_at)
        values (${stores.newId("phase")}, ${id}, ${phase.kind}, ${index}, ${phase.status}, ${startedAt}, ${later(phase.minutes)})
      `.execute(tx.sql);
    }
  });
}

const gate = (minutes: number, kind = "PLAN_APPROVAL", status = "PASSED"): Phase => ({ kind, status, minutes });
const minutes = (count: number, median: number, p95: number, total: number) => ({
  count,
  medianMs: median * MINUTE_MS,
  p95Ms: p95 * MINUTE_MS,
  totalMs: total * MINUTE_MS,
});

test("what was never measured is null", async () => {
  const workspace = await stores.addWorkspace();
  expect(await readStatistics(stores.database, [workspace.id], WINDOW)).toEqual([
    {
      runs: [],
      endedCount: 0,
      appliedCount: 0,
      failureRate: null,
      leadTime: null,
      waitAtGates: null,
      planDuration: null,
      applyDuration: null,
    },
  ]);
});

test("runs that ended within the window are counted and measured, each workspace by itself", async () => {
  const [mine, other] = [await stores.addWorkspace(), await stores.addWorkspace()];
  const plan = (length: number): Phase => ({ kind: "PLAN", status: "PASSED", minutes: length });
  const apply = (length: number, kind = "APPLY"): Phase => ({ kind, status: "PASSED", minutes: length });
  // Both gates count for one run; an attempt that was lost was no plan.
  const phases = [plan(2), { kind: "PLAN", status: "LOST", minutes: 900 }, gate(10), gate(20, "APPLY_APPROVAL")];
  await add(mine, { status: "FINISHED", outcome: "APPLIED", appliedMinutes: 60, phases: [...phases, apply(5)] });
  await add(mine, {
    kind: "DESTROY",
    status: "FINISHED",
    outcome: "DESTROYED",
    appliedMinutes: 20,
    phases: [plan(4), apply(7, "DESTROY")],
  });
  await add(mine, { status: "FINISHED", outcome: "NO_CHANGES", phases: [plan(6)] });
  await add(mine, { status: "FAILED", phases: [{ kind: "APPLY", status: "FAILED", minutes: 500 }] });
  await add(mine, { status: "REJECTED", phases: [gate(50, "PLAN_APPROVAL", "FAILED")] });
  // Speculative plans and tasks fail on their own account.
  await add(mine, { kind: "PLAN", status: "FAILED" });
  // The window has its beginning and not its end.
  await add(mine, { status: "TIMED_OUT", finishedAt: WINDOW.from });
  await add(mine, { status: "FAILED", finishedAt: WINDOW.to });
  await add(other, { status: "FAILED", finishedAt: "2026-02-28T23:59:59.999Z" });
  await add(other, { status: "FINISHED", outcome: "APPLIED", appliedMinutes: 1 });

  const [first, second] = await readStatistics(stores.database, [mine.id, other.id], WINDOW);
  expect(first).toEqual({
    runs: [
      { status: "FAILED", outcome: null, count: 2 },
      { status: "FINISHED", outcome: "APPLIED", count: 1 },
      { status: "FINISHED", outcome: "DESTROYED", count: 1 },
      { status: "FINISHED", outcome: "NO_CHANGES", count: 1 },
      { status: "REJECTED", outcome: null, count: 1 },
      { status: "TIMED_OUT", outcome: null, count: 1 },
    ],
    endedCount: 7,
    appliedCount: 2,
    failureRate: 2 / 6,
    leadTime: minutes(2, 40, 58, 80),
    waitAtGates: minutes(2, 40, 49, 80),
    planDuration: minutes(3, 4, 5.8, 12),
    applyDuration: minutes(2, 6, 6.9, 12),
  });
  expect(second).toMatchObject({ endedCount: 1, failureRate: 0, leadTime: minutes(1, 1, 1, 1), waitAtGates: null });
});

test("a run that was planned again waited at all its gates; each of its plans took its own time", async () => {
  const workspace = await stores.addWorkspace();
  const plan = (length: number, status = "PASSED"): Phase => ({ kind: "PLAN", status, minutes: length });
  const phases = [
    plan(2),
    gate(10, "PLAN_APPROVAL", "CANCELED"),
    plan(6),
    gate(5),
    gate(1, "APPLY_APPROVAL", "CANCELED"),
  ];
  await add(workspace, { status: "DISCARDED", phases: [...phases, plan(90, "FAILED")] });
  const [found] = await readStatistics(stores.database, [workspace.id], WINDOW);
  expect(found).toMatchObject({
    failureRate: 0,
    leadTime: null,
    waitAtGates: minutes(1, 16, 16, 16),
    planDuration: minutes(2, 4, 5.8, 8),
    applyDuration: null,
  });
});

test("neither all runs nor all phases are read for it", async () => {
  const workspace = await stores.addWorkspace();
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, applied_at, finished_at)
      select 'run_' || w || '_' || n, ${workspace.organizationId}, ${workspace.projectId}, case w when 1 then ${workspace.id} else 'ws_' || w end,
        n, 'DEPLOY', 'FINISHED', 'APPLY', 'APPLIED', 'MANUAL', 'sys', '', '{}', '{}', 1, 1, at, at, at, at
      from generate_series(1, 50) w, generate_series(1, 400) n, lateral (
        select timestamptz '2026-01-01' + n * interval '6 hours' as at) as times
    `.execute(tx.sql);
    await sql`
      insert into phase (id, run_id, kind, attempt, status, started_at, finished_at)
      select 'phase_' || run.id || k, run.id, k, 1, 'PASSED', run.created_at, run.finished_at
      from run, unnest(array['PREPARE', 'INIT', 'PLAN', 'PLAN_APPROVAL', 'APPLY']) k
      where run.id ~ '^run_[0-9]+_[0-9]+$'
    `.execute(tx.sql);
  });
  await sql`analyze run`.execute(stores.database.sql);
  await sql`analyze phase`.execute(stores.database.sql);
  const query = measurement(stores.database, [workspace.id], WINDOW).compile(stores.database.sql);
  const plan = await stores.database.sql.executeQuery<{ "QUERY PLAN": string }>(
    CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]),
  );
  const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).toContain("run_finished");
  expect(text).not.toMatch(/Seq Scan on (run|phase)/);
});
