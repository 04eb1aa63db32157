/** `npm run backup`: the database, the master key and the administrator's token into one file. */
import { randomBytes } from "node:crypto";
import { link, lstat, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  type BackupArguments,
  LOST_WITHOUT_KEY,
  openInstallation,
  openWithoutHints,
  runBackupCommand,
} from "./backup-command.ts";
import { type Config, loadConfig } from "./config.ts";
import { type FolderSecrets, findSecrets } from "./data-folder.ts";
import { syncFolder } from "../os/durable-file.ts";
import { dumpDatabase } from "../persistence/backup/dump.ts";
import { BackupError, type BackupPart, writeBackup } from "../persistence/backup/format.ts";
import { listMigrations } from "../persistence/backup/tables.ts";
import { countBlobsElsewhere } from "../persistence/blob/blob-store.ts";
import { createCipher } from "../persistence/installation/cipher.ts";
import type { Database } from "../persistence/database/database.ts";
import { masterKeyFits } from "../persistence/installation/installation-store.ts";

/** Runs the command; gives the exit code. */
export function backup(argv: string[]): Promise<number> {
  return runBackupCommand("backup", argv, run);
}

async function run({ file, withoutKey }: BackupArguments): Promise<string> {
  const config = loadConfig();
  const path = resolve(file);
  if (await exists(path))
    throw new BackupError(`${path} exists already, and a backup replaces no file. Name another one.`);
  await using stack = new AsyncDisposableStack();
  const database = stack.use(openWithoutHints(await openInstallation(config, stack)));
  const found = await secretsOf(config);
  await requireInstallation(database, found, withoutKey);
  const masterKey = found.masterKey;
  const secrets = withoutKey || masterKey === null ? null : { masterKey, adminToken: found.adminToken };
  const counted = { rows: 0 };
  await writeWhole(path, count(dumpDatabase(database, { createdAt: new Date().toISOString(), secrets }), counted));
  const { size } = await lstat(path);
  const elsewhere = await countBlobsElsewhere(database);
  const what = `Wrote ${counted.rows} rows of the database (${size} bytes) to ${path}.`;
  const kept = "It contains the master key and the administrator's token: protect it as you protect those.";
  const bucket =
    elsewhere.count === 0
      ? ""
      : `\n${elsewhere.count} artifacts (${elsewhere.bytes} bytes) lie in S3 and are not in it: keep the bucket as well.`;
  return `${what}${bucket}\n${withoutKey ? `The master key is not in it: keep the key elsewhere. ${LOST_WITHOUT_KEY}` : kept}`;
}

async function secretsOf({ dataDir, masterKey, adminToken }: Config): Promise<FolderSecrets> {
  const found = await findSecrets(dataDir);
  return {
    masterKey: masterKey === undefined ? found.masterKey : Buffer.from(masterKey).toString("hex"),
    adminToken: adminToken ?? found.adminToken,
  };
}

/** Refuses a key that does not fit: that would show only at the restore. */
async function requireInstallation(database: Database, secrets: FolderSecrets, withoutKey: boolean): Promise<void> {
  if ((await listMigrations(database)).length === 0) {
    throw new BackupError("The database is empty: there is nothing to back up.");
  }
  if (withoutKey) return;
  const key = secrets.masterKey;
  const fits = key === null ? false : await masterKeyFits(database, createCipher(Buffer.from(key, "hex")));
  if (fits === true) return;
  if (fits === null) throw new BackupError("No server was ever started on this database: there is nothing to back up.");
  throw new BackupError(
    `${key === null ? "The master key was not found" : "The master key does not fit this database"}: set ` +
      "HOLDPOINT_MASTER_KEY or HOLDPOINT_DATA_DIR as the server has it, or leave the key out with --without-key.",
  );
}

/** Writes the file under a temporary name, and renames it when it is complete. */
async function writeWhole(path: string, parts: AsyncIterable<BackupPart>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.partial`;
  try {
    await writeBackup(temporary, parts);
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

async function* count(parts: AsyncIterable<BackupPart>, counted: { rows: number }): AsyncGenerator<BackupPart> {
  for await (const part of parts) {
    if (part.type === "rows") counted.rows += part.rows.length;
    yield part;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
