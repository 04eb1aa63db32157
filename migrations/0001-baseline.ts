import { readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";

/** Files of `baseline`, in order: a table comes after those that it refers to. */
const PARTS = [
  "installation",
  "organization",
  "people",
  "rights",
  "projects",
  "tokens",
  "sign-in",
  "runner-pool",
  "repository",
  "workspace",
  "probe",
  "inputs",
  "blob",
  "run",
  "changeset",
  "dependency",
  "promotion",
  "schedule",
  "drift",
  "run-machine",
  "plan",
  "policy",
  "check",
  "verification",
  "dispatch",
  "log",
  "state",
  "health",
  "upstream",
  "feed",
  "webhook",
  "bulk",
  "trigger",
];

/** Creates the schema of release 0.1.0 with its first rows. Instants have milliseconds; the prefix of an id is its kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) {
    const text = await readFile(new URL(`baseline/${part}.sql`, import.meta.url), "utf8");
    await sql.raw(text).execute(db);
  }
  await firstRows(db);
}

/** The system's actor, the first administrator with its grant, and the first organization; src/model/people/actor.ts names their ids. */
async function firstRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into actor (id, kind, name, created_at) values
      ('sys_00000000000000000000000000', 'SYSTEM', 'Holdpoint', now()),
      ('usr_00000000000000000000000000', 'USER', 'admin', now());
    insert into organization (id, slug, name, created_at) values
      ('org_00000000000000000000000000', 'default', 'Default', now());
    insert into access_grant (id, principal_id, role_id, granted_by, created_at, reason) values
      ('grant_00000000000000000000000000', 'usr_00000000000000000000000000', 'role_00000000000000000000000008',
       'sys_00000000000000000000000000', now(), 'The first administrator');
  `.execute(db);
}
