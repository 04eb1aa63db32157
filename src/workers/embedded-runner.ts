import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** The part of a log that is needed here. */
interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EmbeddedRunnerOptions {
  /** The module that is the runner's process. */
  module: URL;
  /** Sent over the channel, never as an argument or in the environment: the token is in it. */
  settings: object;
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  log: Log;
}

/** The runner that the server starts itself, in a process of its own. */
export interface EmbeddedRunner {
  /** No new work: plans are handed back, an apply is waited for. */
  drain(): void;
  /** Also interrupts a running apply, so that its state is saved. */
  interrupt(): void;
  /** Fulfilled when a drained runner has ended. */
  readonly done: Promise<void>;
}

const RESTART_MS = 1000;
/** File descriptor of the log. */
const STDERR = 2;

/** Starts the process, and starts it again where it ends without having been asked to. */
export function startEmbeddedRunner({ module, settings, env, log }: EmbeddedRunnerOptions): EmbeddedRunner {
  let child: ChildProcess | null = null;
  let draining = false;

  async function supervise(): Promise<void> {
    while (!draining) {
      const code = await runOnce();
      if (draining) return;
      log.error({ code }, "The runner ended unexpectedly; it is started again");
      await pause(RESTART_MS);
    }
  }

  function runOnce(): Promise<number | null> {
    const started = fork(module, [], { env: { ...env }, execArgv: [], stdio: ["ignore", STDERR, STDERR, "ipc"] });
    child = started;
    started.send({ type: "start", settings });
    return new Promise((resolve) => {
      started.once("error", () => resolve(null));
      started.once("exit", (code) => resolve(code));
    });
  }

  function send(type: "drain" | "interrupt"): void {
    if (child?.connected === true) child.send({ type }, () => undefined);
  }

  return {
    drain() {
      draining = true;
      send("drain");
    },
    interrupt() {
      draining = true;
      send("interrupt");
    },
    done: supervise(),
  };
}
