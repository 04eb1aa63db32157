/** `npm run restore`: a backup into an empty installation. */
import { randomBytes } from "node:crypto";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type BackupArguments,
  LOST_WITHOUT_KEY,
  openWithoutHints,
  runBackupCommand,
  startPostgres,
} from "./backup-command.ts";
import { type Config, loadConfig } from "./config.ts";
import { openDataFolder, putSecrets } from "./data-folder.ts";
import { BackupError, type BackupHeader, readBackup } from "../persistence/backup/format.ts";
import { loadDatabase } from "../persistence/backup/load.ts";
import { listMigrations } from "../persistence/backup/tables.ts";
import { createCipher } from "../persistence/installation/cipher.ts";
import type { Database } from "../persistence/database/database.ts";
import { checkServerVersion } from "../persistence/installation/installation-store.ts";
import { migrateUpTo, migrationNames } from "../persistence/database/migrate.ts";
import { ownIdentity } from "../os/process-identity.ts";

/** Runs the command; gives the exit code. */
export function restore(argv: string[]): Promise<number> {
  return runBackupCommand("restore", argv, run);
}

async function run({ file, withoutKey }: BackupArguments): Promise<string> {
  const config = loadConfig();
  const path = resolve(file);
  // The whole file is read before anything is created, so that a truncated one leaves nothing behind.
  const header = await verify(path);
  const key = keyFor(config, header, withoutKey);
  await restoreInto(config, path, header, key);
  const place = config.databaseUrl === undefined ? config.dataDir : "the database of DATABASE_URL";
  const lines = [
    `Restored the backup of ${header.createdAt} into ${place}.`,
    "Start it with npm start. Stop the original server before: both would change the same infrastructure.",
    ...(key === null ? [LOST_WITHOUT_KEY] : []),
  ];
  return lines.join("\n");
}

async function verify(path: string): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  for await (const part of readBackup(path)) {
    if (part.type === "header") header ??= part.header;
    else if (header === null) break;
  }
  if (header === null) throw new BackupError("The file is no backup: its header is missing. Nothing was restored.");
  const known = await migrationNames();
  const unknown = header.migrations.find((name, index) => known[index] !== name);
  if (unknown === undefined) return header;
  throw new BackupError(`The backup was made by another version of Holdpoint (${unknown}); restore it with that one.`);
}

/** Gives the master key as 64 hexadecimal digits; null if sealed values are given up. */
function keyFor({ masterKey }: Config, { secrets }: BackupHeader, withoutKey: boolean): string | null {
  if (withoutKey) return null;
  const own = masterKey === undefined ? null : Buffer.from(masterKey).toString("hex");
  const key = own ?? secrets?.masterKey ?? null;
  if (key !== null) return key;
  throw new BackupError(
    `The master key is not in the backup. Set HOLDPOINT_MASTER_KEY, or restore the history alone with --without-key. ${LOST_WITHOUT_KEY}`,
  );
}

/** Restores while the folder is claimed, so that no server starts on it. A failure removes what was created. */
async function restoreInto(config: Config, path: string, header: BackupHeader, key: string | null): Promise<void> {
  const { dataDir, databaseUrl } = config;
  let done = false;
  await using stack = new AsyncDisposableStack();
  if (!(await exists(dataDir))) stack.defer(() => (done ? undefined : rmdir(dataDir).catch(() => undefined)));
  stack.use(await openDataFolder({ dir: dataDir, uid: process.getuid?.(), identity: ownIdentity(), randomBytes }));
  const before = new Set(await readdir(dataDir));
  stack.defer(() => (done ? undefined : removeNew(dataDir, before)));
  await putSecrets(dataDir, {
    masterKey: config.masterKey === undefined ? key : null,
    adminToken: config.adminToken === undefined && key !== null ? (header.secrets?.adminToken ?? null) : null,
  });
  const connection =
    databaseUrl === undefined ? stack.use(await startPostgres(config)).connection : { connectionString: databaseUrl };
  const database = stack.use(openWithoutHints(connection));
  await checkServerVersion(database);
  await migrateAsFar(database, header.migrations);
  await loadDatabase(database, () => readBackup(path), key === null ? null : createCipher(Buffer.from(key, "hex")));
  done = true;
}

/** Migrates as far as the database of the backup was. The load runs the other migrations, on the restored rows. */
async function migrateAsFar(database: Database, wanted: readonly string[]): Promise<void> {
  const seen = await listMigrations(database);
  const last = wanted.at(-1);
  // The load refuses a database with more migrations.
  if (last !== undefined && seen.length < wanted.length) await migrateUpTo(database.sql, last);
}

async function removeNew(dir: string, before: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(dir)).filter((name) => !before.has(name));
  await Promise.all(names.map((name) => rm(join(dir, name), { recursive: true, force: true })));
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
