import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MigrationError, migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/eventually.ts";

let folder: string;
let database: TestDatabase;
let db: Kysely<unknown>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
  database = await createEmptyDatabase();
  db = connect(database);
});

afterEach(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function connect({ connection }: TestDatabase): Kysely<unknown> {
  return new Kysely({
    dialect: new PostgresDialect({ pool: new Pool({ ...connection, max: 2, options: "-c statement_timeout=9000" }) }),
  });
}

async function add(name: string, body: string): Promise<void> {
  const kysely = import.meta.resolve("kysely");
  await writeFile(
    join(folder, name),
    `import { sql, type Kysely } from ${JSON.stringify(kysely)};\n` +
      `export async function up(db: Kysely<unknown>): Promise<void> { ${body} }\n`,
  );
}

/** Whoever is in the way goes out of it while there are tries left, on a slow machine too. */
const limits = { lockMs: 50, pauseMs: 0, tries: 1000 };
const migrate = (onRetry: (error: Error) => void = () => undefined, given = limits): Promise<string[]> =>
  migrateToLatest(db, { folder: pathToFileURL(`${folder}/`), limits: given, onRetry });

async function count(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? -1;
}

test("no migrations at all are no error", async () => {
  expect(await migrate()).toEqual([]);
});

test("applies what is new, in the order of the names, and nothing twice", async () => {
  await add("0002-fill.ts", "await sql`INSERT INTO t VALUES (1)`.execute(db);");
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await writeFile(join(folder, "README.md"), "not a migration");
  expect(await migrate()).toEqual(["0001-table", "0002-fill"]);
  await add("0003-more.ts", "await sql`INSERT INTO t VALUES (2)`.execute(db);");
  expect(await migrate()).toEqual(["0003-more"]);
  expect(await migrate()).toEqual([]);
  expect(await count("t")).toBe(2);
});

test("a migration that fails is named, and leaves nothing of its neighbours", async () => {
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await add("0002-broken.ts", "await sql`INSERT INTO missing VALUES (1)`.execute(db);");
  await expect(migrate()).rejects.toThrow(
    new MigrationError('Migration 0002-broken failed: relation "missing" does not exist'),
  );
  await expect(count("t")).rejects.toThrow('relation "t" does not exist');
});

test("a database of a newer version says so, and is left as it is", async () => {
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await add("0002-newer.ts", "await sql`INSERT INTO t VALUES (1)`.execute(db);");
  await migrate();
  await rm(join(folder, "0002-newer.ts"));
  const refused = "belongs to a newer version of Holdpoint: this one does not know its migrations 0002-newer. Start";
  await expect(migrate()).rejects.toThrow(refused);
  await add("0003-other.ts", "await sql`INSERT INTO t VALUES (2)`.execute(db);");
  await expect(migrate()).rejects.toThrow(refused);
  expect(await count("t")).toBe(1);
});

test("a file without up() is refused", async () => {
  await writeFile(join(folder, "0001-nothing.ts"), "export {};\n");
  await expect(migrate()).rejects.toThrow('exports no function "up"');
});

test("servers that start together apply each migration once", async () => {
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await add("0002-fill.ts", "await sql`INSERT INTO t SELECT 1 FROM pg_sleep(0.1)`.execute(db);");
  const applied = await Promise.all([migrate(), migrate()]);
  expect(applied.flat().toSorted()).toEqual(["0001-table", "0002-fill"]);
  expect(await count("t")).toBe(1);
});

test("a migration gives way to a dump for a while, and is tried again", async () => {
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await migrate();
  await add("0002-other.ts", "await sql`CREATE TABLE o (n int)`.execute(db);");
  await add("0003-column.ts", "await sql`ALTER TABLE t ADD COLUMN m int`.execute(db);");
  const dump = new Client({ ...database.connection });
  await dump.connect();
  try {
    await dump.query("begin; lock table t in access share mode");
    const seen: string[] = [];
    const refused = migrate(({ message }) => seen.push(message), { ...limits, tries: 3 });
    await expect(refused).rejects.toThrow(/0003-column failed: .* lock.*a dump/);
    expect(seen).toHaveLength(2);
    // Each try reports, and the dump is ended as soon as the migrations are there.
    const ended = migrate(() => void dump.query("commit").catch(() => undefined));
    expect(await ended).toEqual(["0002-other", "0003-column"]);
  } finally {
    await dump.end();
  }
});

test("a migration has workspaces before it has runs, as whoever changes a run", async () => {
  await add("0001-tables.ts", "await sql`CREATE TABLE workspace (n int); CREATE TABLE run (n int)`.execute(db);");
  await migrate();
  const add2 = "ALTER TABLE run ADD COLUMN m int; ALTER TABLE workspace ADD COLUMN m int";
  await add("0002-columns.ts", `await sql\`${add2}\`.execute(db);`);
  await sql`INSERT INTO workspace VALUES (1)`.execute(db);
  const server = new Client({ ...database.connection });
  await server.connect();
  try {
    await server.query("begin; select from workspace for update");
    const ended = migrate(undefined, { lockMs: 60_000, pauseMs: 0, tries: 1 });
    const waiting = `select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and not granted`;
    await waitUntil(async () => (await server.query(waiting)).rows.length > 0);
    await server.query("select from run for update");
    await server.query("commit");
    expect(await ended).toEqual(["0002-columns"]);
  } finally {
    await server.end();
  }
});

test("a deadlock is tried again, what is wrong is not; a long migration is not ended", async () => {
  await sql`CREATE SEQUENCE tries`.execute(db);
  const fails = (code: string): string => `RAISE EXCEPTION 'no' USING ERRCODE = '${code}'`;
  const both = `IF nextval('tries') = 1 THEN ${fails("40P01")}; ELSE ${fails("23505")}; END IF`;
  await add("0001-fails.ts", `await sql\`DO $$ BEGIN ${both}; END $$\`.execute(db);`);
  await expect(migrate()).rejects.toThrow("Migration 0001-fails failed: no");
  const { rows } = await sql<{ tries: number }>`SELECT last_value::int AS tries FROM tries`.execute(db);
  expect(rows).toEqual([{ tries: 2 }]);

  await rm(join(folder, "0001-fails.ts"));
  await sql`CREATE TABLE t (allowed text)`.execute(db);
  await add("0001-looks.ts", "await sql`INSERT INTO t VALUES (current_setting('statement_timeout'))`.execute(db);");
  await migrate();
  expect((await sql`SHOW statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: "9s" }]);
  expect((await sql`SELECT allowed FROM t`.execute(db)).rows).toEqual([{ allowed: "0" }]);
});

test("an older release refuses a database of a newer one", async () => {
  await add("0001-table.ts", "await sql`CREATE TABLE t (n int)`.execute(db);");
  await migrate();
  await rm(join(folder, "0001-table.ts"));
  await expect(migrate()).rejects.toThrow(MigrationError);
});

test("the template that test files clone is up to date, in order UTF-8 and C", async () => {
  await using clone = await createTestDatabase();
  const cloneDb = connect(clone);
  try {
    expect(await migrateToLatest(cloneDb)).toEqual([]);
    const { rows } =
      await sql`SELECT upper('é') AS upper, 'Z' < 'a' AS ordered, getdatabaseencoding() AS encoding`.execute(cloneDb);
    expect(rows).toEqual([{ upper: "É", ordered: true, encoding: "UTF8" }]);
  } finally {
    await cloneDb.destroy();
  }
});
