// Plain SQL, as somebody with a console would write it, against the net that the database itself is.
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN_ACTOR_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Run } from "../../src/model/run/run.ts";
import { legalChanges } from "../../src/model/lifecycle/legal-changes.ts";
import { isTerminal, RUN_STATUSES } from "../../src/model/lifecycle/run-status.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let client: Client;
let workspace: Workspace;
let run: Run;

beforeAll(async () => {
  stores = await openStores();
  client = new Client({ ...stores.connection });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await stores[Symbol.asyncDispose]();
});

beforeEach(async () => {
  workspace = await stores.addWorkspace();
  run = await stores.addRun(workspace);
});

const ILLEGAL = { code: "HP001" };
const NO_EVENT = { code: "23503" };

/** Runs statements in one transaction; says which of them was refused, or that the commit was. */
async function attempt(
  ...statements: [sql: string, ...values: unknown[]][]
): Promise<{ at: number | "commit" | null; error: unknown }> {
  await client.query("begin");
  for (const [index, [sql, ...values]] of statements.entries()) {
    try {
      await client.query(sql, values);
    } catch (error) {
      await client.query("rollback");
      return { at: index, error };
    }
  }
  try {
    await client.query("commit");
    return { at: null, error: null };
  } catch (error) {
    return { at: "commit", error };
  }
}

function event(version: number, status: string | null, runId = run.id): [string, ...unknown[]] {
  return [
    `insert into run_event (run_id, version, type, at, actor_id, to_status, data) values ($1, $2, $3, $4, $5, $6, '{}')`,
    runId,
    version,
    status === null ? "CHANGED" : "STATUS_CHANGED",
    AT,
    SYSTEM_ACTOR_ID,
    status,
  ];
}

function toStatus(status: string, version: number): [string, ...unknown[]] {
  return [
    `update run set status = $2, version = $3, status_version = $3, finished_at = $4 where id = $1`,
    run.id,
    status,
    version,
    RUN_STATUSES.some((known) => known === status && isTerminal(known)) ? AT : null,
  ];
}

async function statusNow(): Promise<unknown> {
  const { rows } = await client.query("select status, version from run where id = $1", [run.id]);
  return rows[0];
}

test("the rows of the migration are the changes that the table allows", async () => {
  const { rows } = await client.query<Record<string, string>>("select * from run_status_change");
  const stored = rows.map((r) =>
    [r["kind"], r["from_status"], r["from_leg"], r["to_status"], r["to_leg"], r["outcome"]].join(" "),
  );
  const legal = legalChanges().map(({ kind, from, to }) =>
    [kind, from?.status ?? "", from?.leg ?? "", to.status, to.leg, to.outcome ?? ""].join(" "),
  );
  expect(stored.toSorted()).toEqual(legal.toSorted());
});

test("a legal change with its event is taken", async () => {
  expect(await attempt(toStatus("READY", 2), event(2, "READY"))).toEqual({ at: null, error: null });
  expect(await statusNow()).toEqual({ status: "READY", version: 2 });
});

test.each(
  RUN_STATUSES.filter(
    (s) => !["QUEUED", "READY", "SKIPPED", "FAILED", "CANCELED", "TIMED_OUT", "REJECTED"].includes(s),
  ),
)("a run that is QUEUED cannot become %s, not even with an event", async (status) => {
  expect(await attempt(event(2, status), toStatus(status, 2))).toMatchObject({ at: 1, error: ILLEGAL });
  expect(await statusNow()).toEqual({ status: "QUEUED", version: 1 });
});

test("a status that does not exist is refused", async () => {
  expect(await attempt(event(2, "DONE"), toStatus("DONE", 2))).toMatchObject({ at: 1, error: ILLEGAL });
});

test("neither the leg nor the outcome changes by itself", async () => {
  for (const column of ["leg = 'APPLY'", "outcome = 'APPLIED'"]) {
    const change = `update run set ${column}, version = 2, status_version = 2 where id = $1`;
    expect(await attempt(event(2, "QUEUED"), [change, run.id])).toMatchObject({ at: 1, error: ILLEGAL });
  }
});

test("a status change without a version of its own is refused at once", async () => {
  expect(await attempt(["update run set status = 'READY' where id = $1", run.id])).toMatchObject({
    at: 0,
    error: ILLEGAL,
  });
  const ahead = "update run set status = 'READY', status_version = 2 where id = $1";
  expect(await attempt([ahead, run.id])).toMatchObject({ at: 0, error: ILLEGAL });
});

test("a status change without its event fails at the commit", async () => {
  expect(await attempt(toStatus("READY", 2))).toMatchObject({ at: "commit", error: NO_EVENT });
  expect(await statusNow()).toEqual({ status: "QUEUED", version: 1 });
});

test("a status change with an event of another status, or of none, fails at the commit", async () => {
  expect(await attempt(toStatus("READY", 2), event(2, "CANCELED"))).toMatchObject({ at: "commit", error: NO_EVENT });
  expect(await attempt(toStatus("READY", 2), event(2, null))).toMatchObject({ at: "commit", error: NO_EVENT });
  expect(await attempt(toStatus("READY", 2), event(3, "READY"))).toMatchObject({ at: "commit", error: NO_EVENT });
  expect(await statusNow()).toEqual({ status: "QUEUED", version: 1 });
});

test("another run's event does not count", async () => {
  const other = await stores.addRun(workspace);
  expect(await attempt(toStatus("READY", 2), event(2, "READY", other.id))).toMatchObject({
    at: "commit",
    error: NO_EVENT,
  });
});

test("a new version without an event fails at the commit", async () => {
  const change = "update run set version = 2, message = 'x' where id = $1";
  expect(await attempt([change, run.id])).toMatchObject({ at: "commit", error: NO_EVENT });
  expect(await attempt([change, run.id], event(2, null))).toEqual({ at: null, error: null });
});

test("the events that a run points to cannot be taken away or changed", async () => {
  const remove = "delete from run_event where run_id = $1 and version = $2";
  expect(await attempt([remove, run.id, 1])).toMatchObject({ at: 0, error: ILLEGAL });
  const rewritten = "update run_event set to_status = 'SKIPPED' where run_id = $1";
  expect(await attempt([rewritten, run.id])).toMatchObject({ at: 0, error: ILLEGAL });
  await attempt(["update run set version = 2 where id = $1", run.id], event(2, null));
  expect(await attempt([remove, run.id, 2])).toMatchObject({ at: "commit", error: NO_EVENT });
});

test("what a status was cannot be changed after the run has gone on", async () => {
  await stores.move(run, "READY");
  const rewritten = "update run_event set to_status = 'SKIPPED' where run_id = $1 and version = 1";
  expect(await attempt([rewritten, run.id])).toMatchObject({ at: 0, error: ILLEGAL });
  expect(await attempt(["delete from run_event where run_id = $1", run.id])).toMatchObject({ at: 0, error: ILLEGAL });
});

test("the version of a status cannot be another", async () => {
  const other = "update run set version = 2, status_version = 2 where id = $1";
  expect(await attempt([other, run.id], event(2, null))).toMatchObject({ at: "commit", error: NO_EVENT });
});

test("there is no event of a run that does not exist", async () => {
  const unknown = stores.newId("run");
  expect(await attempt(event(1, "QUEUED", unknown))).toMatchObject({ at: "commit", error: NO_EVENT });
});

test("there is no event of an actor who does not exist", async () => {
  const unknown = stores.newId("user");
  const ofRun =
    "insert into run_event (run_id, version, type, at, actor_id, data) values ($1, 2, 'CHANGED', $2, $3, '{}')";
  const ofWorkspace = "insert into workspace_event (workspace_id, at, actor_id, fields) values ($1, $2, $3, '{}')";
  expect(await attempt([ofRun, run.id, AT, unknown])).toMatchObject({ at: 0, error: NO_EVENT });
  expect(await attempt([ofWorkspace, workspace.id, AT, unknown])).toMatchObject({ at: 0, error: NO_EVENT });
  const known = ADMIN_ACTOR_ID;
  expect(await attempt([ofRun, run.id, AT, known], [ofWorkspace, workspace.id, AT, known])).toMatchObject({ at: null });
  const other = "update run_event set actor_id = $2 where run_id = $1 and version = 2";
  expect(await attempt([other, run.id, unknown])).toMatchObject({ at: 0, error: NO_EVENT });
});

test("who has done something stays, under the same id", async () => {
  const stays = { at: 0, error: { code: "HP003" } };
  expect(await attempt(["delete from actor where id = $1", SYSTEM_ACTOR_ID])).toMatchObject(stays);
  expect(await attempt(["update actor set id = 'sys_other' where id = $1", SYSTEM_ACTOR_ID])).toMatchObject(stays);
  expect(await attempt(["update actor set name = name where id = $1", SYSTEM_ACTOR_ID])).toMatchObject({ at: null });
});

test("a run that has ended does not change in any way, but that lists do not have it any more", async () => {
  await stores.move(run, "CANCELED");
  for (const change of [
    "message = 'x'",
    "message = 'x', hidden = true",
    "finished_at = null, hidden = true",
    "status = 'READY', finished_at = null",
    "finished_at = null",
    "forced = true",
  ]) {
    const sql = `update run set ${change} where id = $1`;
    expect(await attempt([sql, run.id])).toMatchObject({ at: 0, error: ILLEGAL });
  }
  expect(await attempt(["update run set hidden = true where id = $1", run.id])).toEqual({ at: null, error: null });
});

test("an end has its time, and nothing else has", async () => {
  const ended = "update run set status = 'CANCELED', version = 2, status_version = 2 where id = $1";
  expect(await attempt(event(2, "CANCELED"), [ended, run.id])).toMatchObject({ at: 1, error: { code: "23514" } });
  const early = "update run set finished_at = now() where id = $1";
  expect(await attempt([early, run.id])).toMatchObject({ at: 0, error: { code: "23514" } });
});

test("a run keeps its kind, its workspace and its number", async () => {
  const other = await stores.addWorkspace();
  for (const change of ["kind = 'DESTROY'", "number = 99", `workspace_id = '${other.id}'`]) {
    const sql = `update run set ${change} where id = $1`;
    expect(await attempt([sql, run.id])).toMatchObject({ at: 0, error: ILLEGAL });
  }
});

test("a workspace has one holder, and a run that has ended holds nothing", async () => {
  const second = await stores.addRun(workspace);
  const hold = "update run set holds_workspace = true where id = $1";
  expect(await attempt([hold, run.id])).toEqual({ at: null, error: null });
  expect(await attempt([hold, second.id])).toMatchObject({ at: 0, error: { code: "23505", constraint: "run_holder" } });
  expect(await attempt(event(2, "CANCELED"), toStatus("CANCELED", 2))).toMatchObject({
    at: 1,
    error: { code: "23514", constraint: "run_hold_live" },
  });
  await stores.move(run, "CANCELED");
  expect(await attempt([hold, second.id])).toEqual({ at: null, error: null });
  const elsewhere = await stores.addRun(await stores.addWorkspace());
  expect(await attempt([hold, elsewhere.id])).toEqual({ at: null, error: null });
});

test.each(RUN_STATUSES)("a run is made QUEUED or SKIPPED: %s", async (status) => {
  const id = stores.newId("run");
  const insert = `insert into run (id, organization_id, workspace_id, number, kind, status, leg, outcome, trigger,
      created_by, variables_sealed, version, status_version, created_at, status_at, finished_at)
    select $1, organization_id, workspace_id, 1000, kind, $2, leg, null, trigger, created_by, variables_sealed, 1, 1,
      created_at, status_at, $3 from run where id = $4`;
  const result = await attempt([insert, id, status, isTerminal(status) ? AT : null, run.id], event(1, status, id));
  const allowed = status === "QUEUED" || status === "SKIPPED";
  expect(result).toMatchObject(allowed ? { at: null } : { at: 0, error: ILLEGAL });
});

test("a run is not made without its first event", async () => {
  const insert = `insert into run (id, organization_id, workspace_id, number, kind, status, leg, trigger, created_by,
      variables_sealed, version, status_version, created_at, status_at)
    select $1, organization_id, workspace_id, 1000, kind, status, leg, trigger, created_by, variables_sealed, 1, 1,
      created_at, status_at from run where id = $2`;
  expect(await attempt([insert, stores.newId("run"), run.id])).toMatchObject({ at: "commit", error: NO_EVENT });
});
