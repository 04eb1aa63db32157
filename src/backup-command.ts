/** What `npm run backup` and `npm run restore` have in common. */
import { parseArgs } from "node:util";
import type { Config } from "./config.ts";
import { BackupError } from "./persistence/backup/format.ts";
import type { Database } from "./persistence/database.ts";
import { openDatabase } from "./persistence/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./persistence/embedded-postgres.ts";
import { explain } from "./serve.ts";

/** What is lost where a backup comes without its key. */
export const LOST_WITHOUT_KEY =
  "Without the master key the values of variables, the state of workspaces, sources and the archives of plans cannot " +
  "be opened: runs can be read, but no workspace can be planned or applied any more.";

/** A backup command's own way to be called. */
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
    process.stderr.write(`Usage: npm run ${name} -- FILE [--without-key]\n`);
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

/** The folder's own Postgres, for a command that nobody else runs beside. */
export function startPostgres({ dataDir }: Config): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} }, uid: process.getuid?.() });
}

/** A database that nobody is told about changes of. */
export function openQuietly(connection: Parameters<typeof openDatabase>[0]): Database {
  const notifier = { send: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  return openDatabase({ ...connection, max: 2 }, { notifier, onError: () => {} });
}
