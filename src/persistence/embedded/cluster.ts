import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findText, syncFolder, writeDurably } from "../../os/durable-file.ts";
import { modeText, findSecret } from "../../os/secret-file.ts";
import { startChild } from "./child.ts";
import type { ChildUser } from "./child-user.ts";
import { EmbeddedPostgresError } from "./error.ts";
import { own, type PostgresFolders, type SocketFolder } from "./folders.ts";
import { logTail } from "./log-file.ts";

const PASSWORD_BYTES = 32;
/** Postgres takes the modes 700 and 750. */
const TOO_OPEN = 0o027;
const INIT_PREFIX = "postgres.init-";

/** The name of the database's owner, a superuser. */
export const POSTGRES_USER = "holdpoint";

export interface ClusterOptions {
  readonly folders: PostgresFolders;
  readonly socket: SocketFolder;
  readonly initdb: string;
  readonly user: ChildUser | undefined;
}

/**
 * Creates the database's folder where there is none, and returns its password. The folder gets its name when it is
 * complete, so that a process that is killed here leaves nothing half made; the next start removes what it has left.
 */
export async function ensureCluster(options: ClusterOptions): Promise<{ password: string; isNew: boolean }> {
  const { pgData, passwordFile } = options.folders;
  await removeUnfinished(dirname(pgData));
  const isNew = (await findText(join(pgData, "PG_VERSION"))) === undefined;
  const known = (await findSecret(passwordFile))?.trim();
  if (!isNew) {
    await requirePrivate(options);
    if (known !== undefined && known !== "") return { password: known, isNew };
    throw new EmbeddedPostgresError(
      `${passwordFile} is missing, and with it the password of the database in ${pgData}. Restore it from a backup.`,
    );
  }
  const password = known || randomBytes(PASSWORD_BYTES).toString("base64url");
  await writeDurably(passwordFile, `${password}\n`);
  await initialize(options, password);
  return { password, isNew };
}

/** Refuses a folder that others can enter. Postgres does so too, but may name another path. */
async function requirePrivate({ folders: { pgData }, user }: ClusterOptions): Promise<void> {
  const facts = await stat(pgData);
  const owner = user?.uid ?? process.getuid?.() ?? facts.uid;
  if (facts.uid !== owner) {
    throw new EmbeddedPostgresError(
      `${pgData} belongs to uid ${facts.uid}, and Postgres runs as uid ${owner}. Run: chown -R ${owner} ${pgData}`,
    );
  }
  if ((facts.mode & TOO_OPEN) !== 0) {
    throw new EmbeddedPostgresError(
      `${pgData} is open to other users (mode ${modeText(facts)}), which Postgres refuses. Run: chmod 700 ${pgData}`,
    );
  }
}

async function initialize(options: ClusterOptions, password: string): Promise<void> {
  const { folders, socket, user } = options;
  const temporary = await mkdtemp(join(dirname(folders.pgData), INIT_PREFIX));
  // A copy that Postgres' user may read; the original belongs to the one who runs Holdpoint.
  const passwordCopy = join(socket.path, ".password");
  try {
    await own(temporary, user);
    await rm(passwordCopy, { force: true });
    await writeFile(passwordCopy, password, { mode: 0o600, flag: "wx" });
    await own(passwordCopy, user, 0o600);
    await runInitdb(options, temporary, passwordCopy);
    await rename(temporary, folders.pgData);
    await syncFolder(dirname(folders.pgData));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordCopy, { force: true });
  }
}

async function runInitdb(options: ClusterOptions, folder: string, passwordFile: string): Promise<void> {
  const child = await startChild({
    program: options.initdb,
    args: (name) => [
      `--pgdata=${name}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // The order of texts is the same on every machine, independent of its locales.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ],
    folder,
    logFile: options.folders.logFile,
    user: options.user,
  });
  const { code } = await child.exited;
  if (code === 0) return;
  const reason = child.failure?.message ?? (await logTail(options.folders.logFile));
  throw new EmbeddedPostgresError(`Postgres' initdb failed, so there is no database yet: ${reason}`, {
    cause: child.failure,
  });
}

async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(INIT_PREFIX));
  // An initdb whose Holdpoint was killed may still be writing; then the rest is removed at the next start.
  await Promise.all(
    names.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})),
  );
}
