/** A nats-server of a test file's own, on a free port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseConfig } from "../../src/server/config.ts";
import type { NatsSettings } from "../../src/server/store-settings.ts";
import { freePort } from "./server-process.ts";

const PASSWORD = "nats-pässword";
/** Debian installs it in /usr/sbin, which is not on the PATH of every user. */
const PATH = [process.env["PATH"], "/usr/local/sbin", "/usr/sbin"].join(":");
const START_LIMIT_MS = 25_000;

export interface NatsServer extends AsyncDisposable {
  /** With credentials. */
  readonly url: string;
  readonly port: number;
  readonly settings: NatsSettings;
  /** Ends it at once; `start` brings it back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Throws where there is no nats-server: a bus that is not tested looks like one that works. */
export async function startNatsServer(): Promise<NatsServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-nats-"));
  const file = join(folder, "nats.conf");
  await writeFile(file, configuration(port));
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGKILL");
    await ended;
  }

  async function start(): Promise<void> {
    child = await startProgram("nats-server", ["-c", file], port);
  }

  await start();
  const url = `nats://holdpoint:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const { nats } = parseConfig(
    { HOLDPOINT_NATS_URL: url },
    { cwd: "/", uid: undefined, packageRoot: "/", hostname: "here", isFolder: () => true },
  );
  if (nats === undefined) throw new Error("The address is none.");
  const dispose = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true });
  };
  return { url, port, settings: nats, start, kill, [Symbol.asyncDispose]: dispose };
}

/** The user "mute" may neither publish nor subscribe. */
const configuration = (port: number): string => `
listen: "127.0.0.1:${port}"
authorization { users: [
  { user: holdpoint, password: "${PASSWORD}" }
  { user: mute, password: "${PASSWORD}", permissions: { publish: none, subscribe: none } }
] }
`;

/** Starts a program that is to listen on the port. Rejects if it cannot be started or ends; nothing connects afterwards. */
export async function startProgram(program: string, args: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, PATH } });
  const failed = new AbortController();
  child.once("error", (error) =>
    failed.abort(new Error(`${program} cannot be started: install it, or put it on the PATH (${error.message}).`)),
  );
  child.once("exit", (code) => failed.abort(new Error(`${program} ended with ${code}.`)));
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  try {
    await untilGreeted(port, AbortSignal.any([failed.signal, limit]));
  } catch (error) {
    child.kill("SIGKILL");
    throw limit.aborted ? new Error(`${program} does not listen after ${START_LIMIT_MS} ms.`, { cause: error }) : error;
  }
  return child;
}

/** Connects to the port until a server sends a first byte. Rejects with the reason of the signal once that is aborted. */
async function untilGreeted(port: number, signal: AbortSignal): Promise<void> {
  while (!(await greets(port, signal))) {
    signal.throwIfAborted();
    await sleep(10);
  }
}

function greets(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", signal });
    socket.once("data", () => {
      resolve(true);
      socket.destroy();
    });
    socket.once("error", () => undefined);
    socket.once("close", () => resolve(false));
  });
}
