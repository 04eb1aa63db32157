import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { type Migration, type MigrationProvider, type MigrationResultSet, Migrator } from "kysely/migration";
import { LIMITS } from "../../model/kit/limits.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);

/** `0001-name.ts`; kysely runs them in the order of their names. */
const FILE_NAME = /^(\d{4}-[a-z0-9-]+)\.ts$/;

/** The database could not be brought up to date; it is as it was before, all migrations run in one transaction. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** lock_not_available, deadlock_detected */
const IN_THE_WAY = new Set(["55P03", "40P01"]);

export interface MigrationOptions {
  folder?: URL;
  limits?: { readonly lockMs: number; readonly pauseMs: number; readonly tries: number };
  /** Nothing is tried again from then on. */
  signal?: AbortSignal | undefined;
  /** Another session held a lock; the migration is tried again. */
  onRetry?: (error: MigrationError) => void;
}

/**
 * Applies the migrations that the database has not seen, in one transaction and under kysely's own lock, so that
 * servers that start at the same time wait for each other. There is no way back: a mistake is mended by a new one.
 *
 * A dump or a report has its tables until it ends, and servers of the release before are still up. A session that waits to
 * change a table blocks all others, so a migration waits for a moment only, releases its locks, and is tried again.
 *
 * @returns the names of those that were applied now
 * @throws MigrationError naming the migration, with its error as cause, or that the database belongs to a newer version
 */
export async function migrateToLatest<Database>(
  db: Kysely<Database>,
  { folder = FOLDER, limits = LIMITS.migration, signal, onRetry }: MigrationOptions = {},
): Promise<string[]> {
  const [seen, files] = [await seenMigrations(db), await listFiles(folder)];
  refuseNewer(seen, files);
  // Almost every start finds it so, and then loads no migration and takes no lock (measured: 40 ms of CPU less).
  if (seen.length === files.size) return [];
  for (let tried = 1; ; tried++) {
    try {
      return await migrateOnce(db, limits.lockMs, async (connection) => {
        return applied(await new Migrator({ db: connection, provider: provider(folder) }).migrateToLatest());
      });
    } catch (error) {
      if (!(error instanceof MigrationError) || !isInTheWay(error.cause)) throw error;
      const mayGoOn = (): boolean => tried < limits.tries && signal?.aborted !== true;
      if (mayGoOn()) {
        onRetry?.(error);
        await sleep(limits.pauseMs, undefined, { signal }).catch(() => undefined);
      }
      if (!mayGoOn()) throw new MigrationError(`${error.message}. ${END_IT}`, { cause: error });
    }
  }
}

const END_IT =
  "Another session (for instance a dump) uses a table that has to be changed. Start again when it has ended.";

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && IN_THE_WAY.has(error.code);
}

/** Runs the migrations without a statement timeout: a change of a large table may take long. */
function migrateOnce<Database, T>(
  db: Kysely<Database>,
  lockMs: number,
  work: (connection: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`set lock_timeout = ${sql.lit(lockMs)}`.execute(connection);
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

/** The migrations that the database has seen. */
async function seenMigrations<Database>(db: Kysely<Database>): Promise<string[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there
  `.execute(db);
  if (found[0]?.there !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws MigrationError where a newer version has changed the database */
function refuseNewer(seen: readonly string[], files: ReadonlyMap<string, URL>): void {
  const unknown = seen.filter((name) => !files.has(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database belongs to a newer version of Holdpoint: this one does not know its migrations ` +
      `${unknown.join(", ")}. Start that version, or restore a backup that this version has made into an empty ` +
      "database. Nothing was changed.",
  );
}

/**
 * Applies the migrations that the database has not seen, up to the one of this name and no further.
 *
 * @throws MigrationError also where there is none of this name
 */
export async function migrateUpTo<Database>(db: Kysely<Database>, name: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: provider(FOLDER) });
  return applied(await migrator.migrateTo(name));
}

/**
 * Applies the migrations that the database has not seen as a part of the caller's transaction; no other session may be
 * connected. kysely's own way would unlock in it where a migration failed, and hide that error behind its own.
 *
 * @throws MigrationError naming the migration, with its error as cause
 */
export async function migrateWithin<Database>(db: Kysely<Database>): Promise<void> {
  const { rows: seen } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  // Keys of rows that are as new as the transaction would be checked at its end, and no table is changed until then.
  await sql`set constraints all immediate`.execute(db);
  for (const [name, migration] of Object.entries(await provider(FOLDER).getMigrations())) {
    if (seen.some((row) => row.name === name)) continue;
    try {
      await migration.up(db);
    } catch (error) {
      throw failure(`Migration ${name} failed`, error);
    }
    const at = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(db);
  }
}

/** The names of all migrations that there are, in order. */
export async function migrationNames(): Promise<string[]> {
  return [...(await listFiles(FOLDER)).keys()];
}

function applied({ error, results = [] }: MigrationResultSet): string[] {
  if (error !== undefined) {
    const failed = results.find((result) => result.status === "Error");
    throw failure(
      failed === undefined ? "The database cannot be migrated" : `Migration ${failed.migrationName} failed`,
      error,
    );
  }
  return results.filter((result) => result.status === "Success").map((result) => result.migrationName);
}

function failure(what: string, error: unknown): MigrationError {
  return new MigrationError(`${what}: ${error instanceof Error ? error.message : "unknown error"}`, { cause: error });
}

/** kysely's own file provider imports by path through its own module, which a test runner does not see. */
function provider(folder: URL): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {};
      for (const [name, file] of await listFiles(folder)) {
        const migration = await load(file);
        migrations[name] = { up: (db: Kysely<unknown>) => takeTables(db).then(() => migration.up(db)) };
      }
      return migrations;
    },
  };
}

/**
 * Locks the tables in the order of all other code: the workspace before the run. A migration that had runs and waited for
 * workspaces would end in a deadlock, and so would the next try.
 */
async function takeTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      if to_regclass('run') is not null then lock table workspace, run in access exclusive mode; end if;
    end $$
  `.execute(db);
}

/** By the names of the migrations, in order. */
async function listFiles(folder: URL): Promise<Map<string, URL>> {
  const files = new Map<string, URL>();
  for (const file of (await readdir(folder)).toSorted()) {
    const name = FILE_NAME.exec(file)?.[1];
    if (name !== undefined) files.set(name, new URL(file, folder));
  }
  return files;
}

async function load(file: URL): Promise<Migration> {
  const module: unknown = await import(/* @vite-ignore */ file.href);
  if (isMigration(module)) return module;
  throw new MigrationError(`${file.pathname} exports no function "up"`);
}

function isMigration(module: unknown): module is Migration {
  return typeof module === "object" && module !== null && "up" in module && typeof module.up === "function";
}
