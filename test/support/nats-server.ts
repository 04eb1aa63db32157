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

  async function start(): Promise<void> {
    const started = spawn("nats-server", ["-c", file], { stdio: "ignore" });
    const failed = Promise.withResolvers<never>();
    started.once("error", (error) => failed.reject(new Error(`${MISSING} (${error.message})`)));
    started.once("exit", (code) => failed.reject(new Error(`nats-server ended with ${code}.`)));
    failed.promise.catch(() => undefined);
    await Promise.race([listens(port), failed.promise]);
    child = started;
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGKILL");
    await ended;
  }

  await start();
  const url = `nats://holdpoint:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const { nats } = parseConfig(
    { HOLDPOINT_NATS_URL: url },
    { cwd: "/", uid: undefined, packageRoot: "/", hostname: "here" },
  );
  if (nats === undefined) throw new Error("The address is none.");
  const dispose = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true });
  };
  return { url, port, settings: nats, start, kill, [Symbol.asyncDispose]: dispose };
}

/** A user "mute" may say nothing, and hear nothing. */
const configuration = (port: number): string => `
listen: "127.0.0.1:${port}"
authorization { users: [
  { user: holdpoint, password: "${PASSWORD}" }
  { user: mute, password: "${PASSWORD}", permissions: { publish: none, subscribe: none } }
] }
`;

const MISSING = "nats-server cannot be started: install it (apt-get install nats-server) or put it on the PATH";

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const outcome = await Promise.race([
      once(socket, "data").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (outcome) return;
    await sleep(10);
  }
}
