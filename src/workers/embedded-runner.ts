import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** The part of a logger that is needed here. */
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EmbeddedRunnerOptions {
  /** The module of the runner's process. */
  module: URL;
  /** Sent over the channel, never as an argument or in the environment, because it contains the token. */
  settings: object;
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  /** The exit code of a runner that the server refuses. */
  refusedExit: number;
  log: Log;
}

/** The runner that the server starts in a separate process. */
export interface EmbeddedRunner {
  /** Takes no new work: hands plans back, waits for an apply. */
  drain(): void;
  /** Also interrupts a running apply, which then saves its state. */
  interrupt(): void;
  /** Resolves when a drained runner has ended. */
  readonly done: Promise<void>;
}

/** How a runner's process ended; `null` if by a signal, or if it did not start. */
type ExitCode = number | null;

const FIRST_RESTART_MS = 1000;
/** The longest pause, so that a resumed runner is back soon. */
const LAST_RESTART_MS = 30_000;
/** A runner that ran this long did not fail at its start. */
const STABLE_MS = 60_000;

/** Returns the pause before a restart; it grows for a runner that keeps ending at once. */
export function restartDelay(formerMs: number | null, ranMs: number): number {
  return formerMs === null || ranMs >= STABLE_MS ? FIRST_RESTART_MS : Math.min(formerMs * 2, LAST_RESTART_MS);
}

/** File descriptor of the log. */
const STDERR = 2;

/** Starts the process, and restarts it if it ends without a request. */
export function startEmbeddedRunner({
  module,
  settings,
  env,
  refusedExit,
  log,
}: EmbeddedRunnerOptions): EmbeddedRunner {
  let child: ChildProcess | null = null;
  const draining = new AbortController();

  async function supervise(): Promise<void> {
    for (let delayMs: number | null = null; ; ) {
      const startedMs = performance.now();
      const code = await runOnce();
      if (draining.signal.aborted) return;
      delayMs = restartDelay(delayMs, performance.now() - startedMs);
      report(code, delayMs);
      await pause(delayMs, undefined, { signal: draining.signal }).catch(() => undefined);
      if (draining.signal.aborted) return;
    }
  }

  function report(code: ExitCode, delayMs: number): void {
    if (code === 0) return log.info({}, "The embedded runner ended as requested; starting it again");
    if (code !== refusedExit)
      return log.error({ code, delayMs }, "The embedded runner ended unexpectedly; starting it again");
    const message = "The embedded runner is refused, most likely because it was revoked. Resume it with resumeRunner";
    log.warn({ delayMs }, message);
  }

  function runOnce(): Promise<ExitCode> {
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
      draining.abort();
      send("drain");
    },
    interrupt() {
      draining.abort();
      send("interrupt");
    },
    done: supervise(),
  };
}
