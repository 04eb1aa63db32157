/** A process that evaluates policies. */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";
import type { Job, Line, ModulePart } from "../child/messages.ts";
import { MIB } from "../kit/bounds.ts";
import { type Usage, usageOf } from "./usage.ts";

export interface ProcessBounds {
  /** The heap of V8, beyond which the process aborts. */
  heapBytes: number;
  /** CPU time of a process: the kernel ends one whose server died. It is replaced long before. */
  cpuSeconds: number;
}

/** How a process ended by its own: a signal, or an exit code. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface EvaluatorProcess {
  readonly pid: number | undefined;
  /** Sends a job. Its lines go to `onLine`; a process that ends calls `onEnd` instead. */
  start(job: Job, listener: JobListener): void;
  /** `null` where the system does not show it. */
  usage(): Usage | null;
  /** Ends the process at once. */
  kill(): void;
  readonly hasEnded: boolean;
  /** It was killed and takes no job any more, though it may not have ended yet. */
  readonly isKilled: boolean;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

export interface JobListener {
  onLine(line: Line): void;
  onEnd(ending: Ending): void;
}

const MODULE = new URL("../child/main.ts", import.meta.url);
const SHELL = "/bin/sh";
const PART_BYTES = 2 * MIB;

/**
 * Folders that the process may read: the sources, and the packages that they import. A link to the packages is looked up
 * by its own path, and read by the path that it leads to.
 */
function readableFolders(): string[] {
  const sources = fileURLToPath(new URL("../../", import.meta.url));
  const packages = fileURLToPath(new URL("../../../node_modules", import.meta.url));
  const folders = new Set([sources, packages, realpathSync(packages)]);
  return [...folders, fileURLToPath(new URL("../../../package.json", import.meta.url))];
}

/**
 * Starts a process without variables of the environment, which may neither read other files nor start processes. The
 * shell sets a limit of the kernel and becomes the process.
 */
export function startEvaluatorProcess({ heapBytes, cpuSeconds }: ProcessBounds): EvaluatorProcess {
  const flags = [
    "--permission",
    ...readableFolders().map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${Math.floor(heapBytes / MIB)}`,
    "--no-warnings",
  ];
  const limited = existsSync(SHELL)
    ? {
        execPath: SHELL,
        execArgv: ["-c", limitingScript(cpuSeconds), process.execPath, ...flags],
      }
    : { execArgv: flags };
  const child = fork(MODULE, [], {
    ...limited,
    env: { TZ: "UTC" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
  });
  return attach(child);
}

/**
 * Bounds the CPU time of what it starts, and ends it with the server, where util-linux can do that: a process in a loop
 * does not notice that its channel is closed.
 */
function limitingScript(cpuSeconds: number): string {
  const end = "setpriv --pdeathsig KILL";
  return `ulimit -c 0; ulimit -t ${cpuSeconds}; ${end} true 2>/dev/null && exec ${end} "$0" "$@"; exec "$0" "$@"`;
}

function attach(child: ChildProcess): EvaluatorProcess {
  let listener: JobListener | null = null;
  let hasEnded = false;
  let isKilled = false;
  const ended = Promise.withResolvers<void>();
  let rest: Buffer[] = [];

  const lines = child.stdio[4];
  if (lines instanceof Readable) {
    lines.on("data", (chunk: Buffer) => take(chunk));
    lines.on("error", () => undefined);
  }
  // A process that has ended may have sent lines that were not read yet: `close` comes after the last.
  child.once("close", (code, signal) => end({ code, signal }));
  child.once("error", () => end({ code: null, signal: null }));

  function end(ending: Ending): void {
    if (hasEnded) return;
    hasEnded = true;
    ended.resolve();
    listener?.onEnd(ending);
    listener = null;
  }

  function take(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, at)]).toString("utf8");
      rest = [];
      start = at + 1;
      listener?.onLine(parseLine(line));
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }

  return {
    pid: child.pid,
    start(job, next) {
      listener = next;
      // An error means that the process has ended, which `close` reports.
      sendJob(child, job).catch(() => undefined);
    },
    usage: () => (child.pid === undefined || hasEnded ? null : usageOf(child.pid)),
    kill() {
      isKilled = true;
      child.kill("SIGKILL");
    },
    get isKilled() {
      return isKilled;
    },
    get hasEnded() {
      return hasEnded;
    },
    ended: ended.promise,
  };
}

async function sendJob(child: ChildProcess, job: Job): Promise<void> {
  if (!("source" in job)) return send(child, job);
  const { source } = job;
  if (source.language !== "REGO_WASM" || source.module.byteLength <= PART_BYTES) return send(child, job);
  const { module } = source;
  for (let start = 0; start < module.byteLength; start += PART_BYTES) {
    await send(child, { type: "part", bytes: module.slice(start, start + PART_BYTES) });
  }
  await send(child, { ...job, source: { ...source, module: new Uint8Array() } });
}

function send(child: ChildProcess, message: Job | ModulePart): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.send(message, (error) => (error === null ? resolve() : reject(error)));
  return promise;
}

/** The process runs our own code, and policies cannot write lines. */
function parseLine(line: string): Line {
  const parsed: Line = JSON.parse(line);
  return parsed;
}
