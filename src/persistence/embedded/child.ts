import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type ChildUser, canEnter } from "./child-user.ts";
import { EmbeddedPostgresError } from "./error.ts";

/** The descriptor under which a child finds a folder that it cannot reach by name. */
const FOLDER_DESCRIPTOR = 3;

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A started program; `exited` is always fulfilled, also when it could not be started at all (`failure`). */
export interface Child {
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
  failure: Error | undefined;
}

export interface ChildOptions {
  readonly program: string;
  /** Its arguments, given what to pass for the database's folder. */
  readonly args: (folder: string) => readonly string[];
  readonly folder: string;
  readonly logFile: string;
  readonly user: ChildUser | undefined;
}

/**
 * Starts a program on a folder, with both outputs appended to a log file (a pipe would break when Holdpoint is killed)
 * and in a session of its own, so that Ctrl-C in a terminal reaches Holdpoint alone, which then ends it in order.
 *
 * Where the user may not pass through one of the folder's parents (the data folder of a root user below /root), the
 * child inherits the opened folder and knows it as /proc/self/fd/3.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { folder, user } = options;
  const isReachable = await canEnter(dirname(folder), user);
  if (!isReachable && process.platform !== "linux") {
    throw new EmbeddedPostgresError(
      `A parent of ${folder} cannot be entered by uid ${user?.uid}, as which Postgres runs, because it refuses to run ` +
        `as root. Set HOLDPOINT_DATA_DIR to another folder, start Holdpoint as an ordinary user, or set DATABASE_URL.`,
    );
  }
  const handles: FileHandle[] = [];
  try {
    const log = await open(options.logFile, "a", 0o600);
    handles.push(log);
    const stdio: StdioOptions = ["ignore", log.fd, log.fd];
    if (isReachable) return launch(options, folder, stdio);
    const handle = await open(folder, "r");
    handles.push(handle);
    return launch(options, `/proc/self/fd/${FOLDER_DESCRIPTOR}`, [...stdio, handle.fd]);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

function launch(options: ChildOptions, folder: string, stdio: StdioOptions): Child {
  const child = spawn(options.program, options.args(folder), {
    cwd: "/",
    detached: true,
    // Nothing of the server's own environment: it holds secrets, and PG* variables would change what initdb does.
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    stdio,
    ...options.user,
  });
  const { promise, resolve } = Promise.withResolvers<Exit>();
  const started: Child = { process: child, exited: promise, failure: undefined };
  child.once("error", (error) => {
    started.failure = error;
    resolve({ code: null, signal: null });
  });
  child.once("exit", (code, signal) => resolve({ code, signal }));
  return started;
}

/** Whether the program still runs. */
export function isRunning(child: Child): boolean {
  return child.failure === undefined && child.process.exitCode === null && child.process.signalCode === null;
}
