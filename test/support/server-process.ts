import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Api, createApi } from "./api.ts";

const MAIN = fileURLToPath(new URL("../../src/main.mjs", import.meta.url));

/** Tests send as much as they like with one token. */
const WITHOUT_LIMITS = {
  HOLDPOINT_LIMIT_POINTS_PER_MINUTE: "0",
  HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE: "0",
  HOLDPOINT_LIMIT_UPLOADS_PER_HOUR: "0",
  HOLDPOINT_LIMIT_SUBSCRIPTIONS: "0",
};

export interface ServerProcessOptions {
  /** A data folder to go on with; a fresh one where absent. */
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
}

/** `npm start` for real: the product's own process, in a process group of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly api: Api;
  /** Everything that it wrote to standard output and error so far. */
  output(): string;
  /** Fulfilled with the exit code, null after a signal. */
  readonly exited: Promise<number | null>;
  /** Kills the server's process alone. */
  kill(): Promise<void>;
  /** Kills its whole process group. */
  killGroup(): Promise<void>;
  /** SIGTERM, and waits. */
  stop(): Promise<number | null>;
}

/** A folder that the engine's and Postgres' own users can pass through; whoever makes it removes it. */
export async function makeDataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "holdpoint-"));
  await chmod(dir, 0o711);
  return join(dir, "data");
}

/** The folder with all that lies around it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, ".."), { recursive: true, force: true });
}

/** Below all ports that systems choose themselves, which would give it to another server meanwhile. */
const FIRST_PORT = 12_000;
const PORTS = 18_000;
const PORTS_OF_PROCESS = 64;
let given = 0;

/** A port that was free a moment ago, for a server that must come back on it. Processes of tests begin at different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + ((process.pid * PORTS_OF_PROCESS + given) % PORTS);
    given += 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Starts a server and waits until it says where it listens. Disposing kills what is left and removes a fresh folder. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  const child = spawn(process.execPath, [MAIN, "serve"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      // A killed server's socket folder goes with the temporary files of the tests.
      TMPDIR: tmpdir(),
      HOLDPOINT_DATA_DIR: dataDir,
      HOLDPOINT_PORT: String(options.port ?? 0),
      ...WITHOUT_LIMITS,
      ...options.env,
    },
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  // Its last words may come after its end; where a runner has outlived it the output is not closed.
  const closed = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /Holdpoint listens on (\S+)[\s\S]*Stop {2,}/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void Promise.all([exited, closed]).then(([code]) => reject(new Error(`The server ended with ${code}:\n${text}`)));
  }).catch(async (error: unknown) => {
    if (options.dataDir === undefined) await removeDataDir(dataDir);
    throw error;
  });
  const pid = child.pid ?? 0;
  const token = options.env?.["HOLDPOINT_ADMIN_TOKEN"] ?? (await readFile(join(dataDir, "admin-token"), "utf8")).trim();
  const signal = async (target: number, name: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(target, name);
    await exited;
  };
  return {
    child,
    pid,
    url,
    port: Number(new URL(url).port),
    dataDir,
    api: createApi(url, token),
    output: () => text,
    exited,
    kill: () => signal(pid, "SIGKILL"),
    killGroup: () => signal(-pid, "SIGKILL"),
    async stop() {
      await signal(pid, "SIGTERM");
      return exited;
    },
    async [Symbol.asyncDispose]() {
      await signal(pid, "SIGTERM");
      if (options.dataDir === undefined) await removeDataDir(dataDir);
    },
  };
}
