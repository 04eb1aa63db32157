/** What an installation of before has, after the migration that splits permissions and records approvers. */
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as baseline from "../../migrations/0001-baseline.ts";
import * as access from "../../migrations/0002-access.ts";
import * as signIn from "../../migrations/0003-sign-in.ts";
import * as approvals from "../../migrations/0004-approvals.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

const ORGANIZATION = "org_00000000000000000000000000";
const READS = ["WORKSPACE_READ", "RUN_READ"];

let database: TestDatabase;
let db: Kysely<unknown>;
beforeAll(async () => {
  database = await createEmptyDatabase();
  db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ ...database.connection, max: 2 }) }) });
  for (const before of [baseline, access, signIn]) await before.up(db);
  const role = (id: string, permissions: string[]) =>
    sql`insert into role (id, organization_id, name, permissions, created_at)
        values (${id}, ${ORGANIZATION}, ${id}, ${permissions}::text[], now())`.execute(db);
  await role("creates", [...READS, "RUN_CREATE"]);
  await role("approves", [...READS, "RUN_APPROVE"]);
  await role("reads", READS);
  for (const [id, kind] of [
    ["provided", "USER"],
    ["invited", "USER"],
    ["bare", "USER"],
    ["machine", "MACHINE"],
  ]) {
    await sql`insert into actor (id, kind, name, created_at) values (${id}, ${kind}, ${id}, now())`.execute(db);
  }
  await sql`insert into identity (issuer, subject, actor_id, created_at, last_login_at)
    values ('i', 's', 'provided', now(), now())`.execute(db);
  for (const actor of ["provided", "invited"]) {
    await sql`insert into passkey (id, actor_id, credential_id, public_key, counter, name, created_at)
      values (${`key ${actor}`}, ${actor}, ${Buffer.from(actor)}, '', 0, 'k', now())`.execute(db);
  }
  const token = (id: string, permissions: string[] | null) =>
    sql`insert into token (id, name, actor_id, secret_hash, created_at, permissions)
        values (${id}, ${id}, 'bare', ${Buffer.from(id)}, now(), ${permissions}::text[])`.execute(db);
  await token("whole", null);
  await token("narrow", ["RUN_APPROVE", "RUN_READ", "WORKSPACE_READ"]);
  // The runs and plans of the approvals are of no account here.
  await db.connection().execute(async (one) => {
    await sql`set session_replication_role = replica`.execute(one);
    for (const actor of ["provided", "invited", "bare", "machine"]) {
      await sql`insert into approval (id, run_id, gate, decision, actor_id, plan_version, plan_digest, at)
        values (${actor}, 'run', 'PLAN', 'APPROVED', ${actor}, 1, 'd', now())`.execute(one);
    }
    await sql`set session_replication_role = origin`.execute(one);
  });
  await db.transaction().execute((tx) => approvals.up(tx));
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const rowsOf = async (text: string): Promise<unknown[]> => (await sql.raw<object>(text).execute(db)).rows;

test("names of permissions keep their meaning, beside the former ones", async () => {
  const created = ["RUN_CREATE", "RUN_DEPLOY", "RUN_DESTROY", "RUN_PLAN", "RUN_READ", "RUN_TASK", "WORKSPACE_READ"];
  const approved = ["APPLY_APPROVE", "PLAN_APPROVE", "RUN_APPROVE", "RUN_READ", "WORKSPACE_READ"];
  expect(await rowsOf("select id, permissions from role where organization_id is not null order by id")).toEqual([
    { id: "approves", permissions: approved },
    { id: "creates", permissions: created },
    { id: "reads", permissions: READS },
  ]);
  expect(await rowsOf("select id, permissions from token order by id")).toEqual([
    { id: "narrow", permissions: approved },
    { id: "whole", permissions: null },
  ]);
  await sql`update token set permissions = null where id = 'narrow'`.execute(db);
});

test("people are known by a provider before a passkey, and approvals by what their approver is", async () => {
  const known = "select id, identified_by from actor where id not like 'sys_%' and id not like 'usr_%' order by id";
  expect(await rowsOf(known)).toEqual([
    { id: "bare", identified_by: null },
    { id: "invited", identified_by: "PASSKEY" },
    { id: "machine", identified_by: null },
    { id: "provided", identified_by: "PROVIDER" },
  ]);
  expect(await rowsOf("select id, approver_kind, team_ids, present from approval order by id")).toEqual(
    [
      ["bare", "UNIDENTIFIED"],
      ["invited", "PERSON"],
      ["machine", "MACHINE"],
      ["provided", "PERSON"],
    ].map(([id, approver_kind]) => ({ id, approver_kind, team_ids: [], present: false })),
  );
});

test("a passkey after an account at the provider changes nothing, an account after a passkey does", async () => {
  const insertPasskey = (actor: string) =>
    sql`insert into passkey (id, actor_id, credential_id, public_key, counter, name, created_at)
      values (${`more ${actor}`}, ${actor}, ${Buffer.from(`more ${actor}`)}, '', 0, 'k', now())`.execute(db);
  await insertPasskey("provided");
  await insertPasskey("bare");
  await sql`insert into identity (issuer, subject, actor_id, created_at, last_login_at)
    values ('i', 'other', 'invited', now(), now())`.execute(db);
  expect(await rowsOf("select id, identified_by from actor where identified_by is not null order by id")).toEqual([
    { id: "bare", identified_by: "PASSKEY" },
    { id: "invited", identified_by: "PROVIDER" },
    { id: "provided", identified_by: "PROVIDER" },
  ]);
});
