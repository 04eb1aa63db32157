/** Shared parts of `npm run backup`, `npm run restore` and other commands beside a server. */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import type { Config } from "./config.ts";
import { openDataFolder } from "./data-folder.ts";
import { BackupError } from "../persistence/backup/format.ts";
import type { Database } from "../persistence/database/database.ts";
import { openDatabase } from "../persistence/database/database.ts";
import {
  type EmbeddedPostgres,
  findEmbeddedConnection,
  hasCluster,
  startEmbeddedPostgres,
} from "../persistence/embedded/embedded-postgres.ts";
import { ownIdentity } from "../os/process-identity.ts";
import { usageOf } from "./help.ts";
import { explain } from "./serve.ts";
import { findLiveClaim } from "./server-claim.ts";

/** A warning for a backup without its key. */
export const LOST_WITHOUT_KEY =
  "Without the master key the values of variables, the state of workspaces, sources and the archives of plans cannot " +
  "be decrypted: runs can be read, but no workspace can be planned or applied any more.";

/** The arguments of a backup command. */
export interface BackupArguments {
  file: string;
  withoutKey: boolean;
}

/** Runs a command to its exit code. */
export async function runBackupCommand(
  name: "backup" | "restore",
  argv: string[],
  work: (args: BackupArguments) => Promise<string>,
): Promise<number> {
  const args = parse(argv);
  if (args === null) {
    process.stderr.write(usageOf(name));
    return 2;
  }
  try {
    process.stdout.write(`${await work(args)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(
      `${error instanceof BackupError ? error.message : explain(error, `npm run ${name} failed`)}\n`,
    );
    return 1;
  }
}

function parse(argv: string[]): BackupArguments | null {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { "without-key": { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const [file, ...rest] = positionals;
    return file === undefined || rest.length > 0 ? null : { file, withoutKey: values["without-key"] };
  } catch {
    return null;
  }
}

/** Starts the Postgres of the folder, for a command that has the folder alone. */
export function startPostgres({ dataDir }: Config): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} }, uid: process.getuid?.() });
}

/** Finds the database of the installation. A running server need not stop: its Postgres is used. */
export async function openInstallation(
  config: Config,
  stack: AsyncDisposableStack,
): Promise<Parameters<typeof openDatabase>[0]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  if (!(await hasCluster(dataDir))) {
    throw new BackupError(
      `There is no database in ${dataDir}. Set HOLDPOINT_DATA_DIR or DATABASE_URL as the server has it.`,
    );
  }
  if ((await findLiveClaim(dataDir)) !== undefined) {
    const connection = await findEmbeddedConnection(dataDir);
    if (connection !== null) return connection;
    throw new BackupError("Holdpoint is starting or stopping. Try again in a moment.");
  }
  const uid = process.getuid?.();
  stack.use(await openDataFolder({ dir: dataDir, uid, identity: ownIdentity(), randomBytes }));
  return stack.use(await startPostgres(config)).connection;
}

/** Opens a database whose changes are not notified. */
export function openWithoutHints(connection: Parameters<typeof openDatabase>[0]): Database {
  const notifier = { send: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  return openDatabase({ ...connection, max: 2 }, { notifier, onError: () => {} });
}
