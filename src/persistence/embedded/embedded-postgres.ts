import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { findText, hasCode } from "../../os/durable-file.ts";
import { findSecret } from "../../os/secret-file.ts";
import { type PostgresBinaries, preparePostgresBinaries } from "./binaries.ts";
import { type Child, type Exit, isRunning, startChild } from "./child.ts";
import { type ChildUser, childUserFor } from "./child-user.ts";
import { ensureCluster, POSTGRES_USER } from "./cluster.ts";
import { EmbeddedPostgresError } from "./error.ts";
import {
  closeSocketFolder,
  findSocketFolder,
  openSocketFolder,
  type PostgresFolders,
  postgresFolders,
  type SocketFolder,
} from "./folders.ts";
import type { Log } from "./log.ts";
import { logTail, rotateLog } from "./log-file.ts";
import { endOrphan } from "./orphan.ts";

const DATABASE = "holdpoint";
/** Part of the socket's file name; there is no TCP. */
const PORT = 5432;

const MAX_CONNECTIONS = 100;

/** Recovery after a crash may be long; the process itself ends if it fails. */
const READY_LIMIT_MS = 120_000;
const CONNECT_LIMIT_MS = 5_000;
const POLL_MS = 10;

/** How long processes of a database that was killed may still hold its shared memory. */
const SHARED_MEMORY_ATTEMPTS = 60;
const SHARED_MEMORY_PAUSE_MS = 250;

/**
 * First a moment for connections that are just being closed: a pool's end() does not wait for them, and to be cut off
 * then is an "error" event without a listener, which ends the process. Then the fast shutdown; after its limit
 * the immediate one and SIGKILL, which cost no data, only a recovery.
 */
const STOP_STEPS = [
  { signal: "SIGTERM", limitMs: 500, isForced: false },
  { signal: "SIGINT", limitMs: 60_000, isForced: false },
  { signal: "SIGQUIT", limitMs: 10_000, isForced: true },
  { signal: "SIGKILL", limitMs: 10_000, isForced: true },
] as const;

const CANNOT_CONNECT_NOW = "57P03";
const INVALID_PASSWORD = "28P01";
const NO_SUCH_DATABASE = "3D000";

/** The settings of a connection, named as in node-postgres. */
export interface PostgresConnection {
  /** The folder of the Unix socket, or a host name. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A running server; disposing of it stops it. */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: PostgresConnection;
  readonly pid: number;
  /** Fulfilled when the server has ended, asked to or not. */
  readonly exited: Promise<Exit>;
  /** Ends all connections and waits for the shutdown; may be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** An existing folder that no other process uses (data-folder.ts sees to that). */
  readonly dataDir: string;
  readonly log: Log;
  /** The uid of this process; as 0 (root) Postgres runs under another one. */
  readonly uid: number | undefined;
  /** Gives the start up; what was started is ended first. */
  readonly signal?: AbortSignal;
  /** The process has been started, and gets ready. */
  readonly onSpawn?: () => void;
  /** More than one server needs, for many beside each other. */
  readonly maxConnections?: number;
}

/**
 * Starts the Postgres that came with the install, on `<dataDir>/postgres`, which is created at the first start. It is
 * reached by a Unix socket in a folder of mode 700 and by password (scram), never by TCP.
 *
 * @throws EmbeddedPostgresError with the end of Postgres' own log where it has one to show.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir } = options;
  const folders = postgresFolders(dataDir);
  const user = await childUserFor(options.uid, folders.pgData);
  const binaries = await preparePostgresBinaries(dataDir, user);
  const socket = await openSocketFolder(dataDir, user);
  try {
    return await start(options, folders, user, binaries, socket);
  } catch (error) {
    await closeSocketFolder(socket);
    throw error;
  }
}

async function start(
  { log, signal, onSpawn = () => undefined, maxConnections = MAX_CONNECTIONS }: EmbeddedPostgresOptions,
  folders: PostgresFolders,
  user: ChildUser | undefined,
  binaries: PostgresBinaries,
  socket: SocketFolder,
): Promise<EmbeddedPostgres> {
  await rotateLog(folders.logFile);
  const { password, isNew } = await ensureCluster({ folders, socket, initdb: binaries.initdb, user });
  if (!isNew) await endOrphan(folders.pgData, log);
  signal?.throwIfAborted();
  const connection = { host: socket.path, port: PORT, user: POSTGRES_USER, password, database: DATABASE };
  const options = { program: binaries.postgres, folders, socket, user, connection, log, onSpawn, maxConnections };
  const child = await startServer(options, signal);
  const pid = child.process.pid;
  if (pid === undefined) throw new EmbeddedPostgresError("Postgres has no process id");
  log.info({ pid, socket: socket.path, isNew }, "embedded Postgres is ready");
  return handle(child, pid, connection, socket, log);
}

/** How to reach the server that another process has started on this folder; null where there is none. */
export async function findEmbeddedConnection(dataDir: string): Promise<PostgresConnection | null> {
  const password = (await findSecret(postgresFolders(dataDir).passwordFile))?.trim();
  const host = await findSocketFolder(dataDir, `.s.PGSQL.${PORT}`);
  if (password === undefined || host === null) return null;
  return { host, port: PORT, user: POSTGRES_USER, password, database: DATABASE };
}

/** Whether there is a database in this folder, running or not. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await findText(join(postgresFolders(dataDir).pgData, "PG_VERSION"))) !== undefined;
}

interface ServerOptions {
  readonly program: string;
  readonly folders: PostgresFolders;
  readonly socket: SocketFolder;
  readonly user: ChildUser | undefined;
  readonly connection: PostgresConnection;
  readonly log: Log;
  readonly onSpawn: () => void;
  readonly maxConnections: number;
}

async function startServer(options: ServerOptions, signal: AbortSignal | undefined): Promise<Child> {
  for (let attempt = 1; ; attempt += 1) {
    const child = await startChild({
      program: options.program,
      args: (folder) => serverArguments(folder, options.socket, options.maxConnections),
      folder: options.folders.pgData,
      logFile: options.folders.logFile,
      user: options.user,
    });
    options.onSpawn();
    try {
      await waitUntilReady(child, options, signal);
      return child;
    } catch (error) {
      const ended = !isRunning(child);
      await endChild(child, options.log);
      if (!(ended && attempt < SHARED_MEMORY_ATTEMPTS && (await isSharedMemoryInUse(options.folders)))) throw error;
    }
    await sleep(SHARED_MEMORY_PAUSE_MS, undefined, signal === undefined ? {} : { signal });
  }
}

/** Everything that is not Postgres' default; durability (fsync, synchronous_commit, WAL) is. */
function serverArguments(folder: string, socket: SocketFolder, maxConnections: number): string[] {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socket.path,
    unix_socket_permissions: "0700",
    port: String(PORT),
    max_connections: String(maxConnections),
    shared_buffers: "128MB",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    // Statements and the rows in an error's details may hold what users have typed; the log is for operators.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
  };
  return ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** Until the database can be connected to; it is made where it is not there yet. */
async function waitUntilReady(child: Child, options: ServerOptions, signal: AbortSignal | undefined): Promise<void> {
  let last: unknown;
  for (let waitedMs = 0; waitedMs < READY_LIMIT_MS; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    if (!isRunning(child)) {
      const reason = child.failure?.message ?? (await logTail(options.folders.logFile));
      throw new EmbeddedPostgresError(`Postgres has ended while it started: ${reason}`, { cause: child.failure });
    }
    try {
      await withClient(options.connection, (client) => client.query("SELECT 1"));
      return;
    } catch (error) {
      if (hasCode(error, NO_SUCH_DATABASE)) return createDatabase(options.connection);
      if (hasCode(error, INVALID_PASSWORD)) {
        throw new EmbeddedPostgresError(
          `${options.folders.passwordFile} does not hold the password of the database in ${options.folders.pgData}. ` +
            `Restore both from the same backup.`,
          { cause: error },
        );
      }
      if (error instanceof DatabaseError && error.code !== CANNOT_CONNECT_NOW) throw error;
      last = error;
    }
    await sleep(POLL_MS);
  }
  const tail = await logTail(options.folders.logFile);
  throw new EmbeddedPostgresError(`Postgres is not ready after ${READY_LIMIT_MS / 1000} s: ${tail}`, { cause: last });
}

async function createDatabase(connection: PostgresConnection): Promise<void> {
  await withClient({ ...connection, database: "postgres" }, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
}

async function withClient(connection: PostgresConnection, use: (client: Client) => Promise<unknown>): Promise<void> {
  // ssl is named because node-postgres would otherwise read it from the environment (PGSSLMODE).
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // A lost connection rejects the pending call; unheard, the event would end the process as well.
  client.on("error", () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns whether the log ends with the notice of a live process of the killed database, which will end shortly. */
async function isSharedMemoryInUse(folders: PostgresFolders): Promise<boolean> {
  return (await logTail(folders.logFile)).includes("pre-existing shared memory block");
}

function handle(
  child: Child,
  pid: number,
  connection: PostgresConnection,
  socket: SocketFolder,
  log: Log,
): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= endChild(child, log).then(() => closeSocketFolder(socket));
    return stopped;
  };
  return { connection, pid, exited: child.exited, stop, [Symbol.asyncDispose]: stop };
}

async function endChild(child: Child, log: Log): Promise<void> {
  for (const { signal, limitMs, isForced } of STOP_STEPS) {
    if (!isRunning(child)) break;
    if (isForced) log.warn({ signal }, "the embedded Postgres does not stop, sending a stronger signal");
    child.process.kill(signal);
    const timer = new AbortController();
    await Promise.race([child.exited, sleep(limitMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
}
