/** Servers that are measured: processes of their own, with their CPU time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { processTreeCpuSeconds, residentBytes } from "./cpu.ts";

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
/** The characters of the output that are shown if a process does not start. */
const SHOWN_CHARACTERS = 2000;

export interface ServerProcess extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** Seconds that it and its children have used so far. */
  cpuSeconds(): number;
  /** Bytes of memory of the process itself. */
  residentBytes(): number;
}

export interface ServerProcessOptions {
  /** A program of Node, with its arguments. */
  readonly arguments: readonly string[];
  /** All of its environment but PATH; PORT is not set: each takes a free one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Matches the line that it writes when it listens. The first group is its URL. */
  readonly ready: RegExp;
}

/** Starts it in Node's production mode and waits until it listens. Disposing of it ends it. */
export async function startServerProcess({
  arguments: given,
  env = {},
  ready,
}: ServerProcessOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, given, {
    // oxlint-disable-next-line node/no-process-env -- programs are found by it
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await listening(child, ready).catch(async (error: unknown) => {
    await stop(child);
    throw error;
  });
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    cpuSeconds: () => processTreeCpuSeconds(pid),
    residentBytes: () => residentBytes(pid),
    [Symbol.asyncDispose]: () => stop(child),
  };
}

function listening(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => refuse("does not listen"), START_LIMIT_MS);
    const refuse = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${child.spawnargs.join(" ")} ${why}: ${text.slice(-SHOWN_CHARACTERS)}`));
    };
    const read = (piece: Buffer): void => {
      if (text.length < 100 * SHOWN_CHARACTERS) text += piece.toString();
      const url = ready.exec(text)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", (error) => refuse(error.message));
    child.once("exit", () => refuse("has ended"));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}
