import { readdir } from "node:fs/promises";
import type { Kysely } from "kysely";
import { type Migration, type MigrationProvider, type MigrationResultSet, Migrator } from "kysely/migration";

const FOLDER = new URL("../../migrations/", import.meta.url);

/** `0001-name.ts`; kysely runs them in the order of their names. */
const FILE_NAME = /^(\d{4}-[a-z0-9-]+)\.ts$/;

/** The database could not be brought up to date; it is as it was before, all migrations run in one transaction. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Applies the migrations that the database has not seen, in one transaction and under kysely's own lock, so that
 * servers that start at the same time wait for each other. There is no way back: a mistake is mended by a new one.
 *
 * @returns the names of those that were applied now
 * @throws MigrationError naming the migration, with its error as cause
 */
export async function migrateToLatest<Database>(db: Kysely<Database>, folder: URL = FOLDER): Promise<string[]> {
  const migrator = new Migrator({ db, provider: provider(folder) });
  return applied(await migrator.migrateToLatest());
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

/** The names of all migrations that there are, in order. */
export async function migrationNames(): Promise<string[]> {
  return Object.keys(await provider(FOLDER).getMigrations());
}

function applied({ error, results = [] }: MigrationResultSet): string[] {
  if (error !== undefined) {
    const failed = results.find((result) => result.status === "Error");
    const reason = error instanceof Error ? error.message : "unknown error";
    const what = failed === undefined ? "The database cannot be migrated" : `Migration ${failed.migrationName} failed`;
    throw new MigrationError(`${what}: ${reason}`, { cause: error });
  }
  return results.filter((result) => result.status === "Success").map((result) => result.migrationName);
}

/** kysely's own file provider imports by path through its own module, which a test runner does not see. */
function provider(folder: URL): MigrationProvider {
  return {
    async getMigrations() {
      const names = (await readdir(folder)).toSorted();
      const migrations: Record<string, Migration> = {};
      for (const file of names) {
        const name = FILE_NAME.exec(file)?.[1];
        if (name !== undefined) migrations[name] = await load(new URL(file, folder));
      }
      return migrations;
    },
  };
}

async function load(file: URL): Promise<Migration> {
  const module: unknown = await import(/* @vite-ignore */ file.href);
  if (isMigration(module)) return module;
  throw new MigrationError(`${file.pathname} exports no function "up"`);
}

function isMigration(module: unknown): module is Migration {
  return typeof module === "object" && module !== null && "up" in module && typeof module.up === "function";
}
