/** Stop signals of the server and of a runner: the first drains, a later one interrupts running applies. */

export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Signals within this time belong to the first. It suffices for an npm that was swapped out while an apply ran. */
const ECHO_MS = 3000;

export interface StopSteps {
  /** Takes no new work; running applies are waited for. */
  drain(): void;
  /** Ends running applies so that their state is saved. Called at most once, and never before `drain`. */
  interrupt(): void;
  /** A signal belongs to an earlier one and changes nothing. */
  onEcho(signal: StopSignal): void;
}

/**
 * Gives the handler of all stop signals.
 *
 * One Ctrl-C arrives twice under npm: the terminal signals every process of the foreground, and npm forwards its own
 * signal. systemd does so with SIGTERM. Node does not report the sender of a signal, so time decides. SIGHUP never
 * interrupts: a terminal that closes sends it more than once.
 *
 * @param nowMs a clock that never jumps, such as `performance.now`
 */
export function stopSignalHandler(nowMs: () => number, steps: StopSteps): (signal: StopSignal) => void {
  let drainedAtMs: number | null = null;
  let interrupted = false;
  return (signal) => {
    if (drainedAtMs === null) {
      drainedAtMs = nowMs();
      steps.drain();
    } else if (interrupted || signal === "SIGHUP" || nowMs() - drainedAtMs < ECHO_MS) {
      steps.onEcho(signal);
    } else {
      interrupted = true;
      steps.interrupt();
    }
  };
}

/** Handles the stop signals of this process. */
export function obeyStopSignals(steps: StopSteps): void {
  const handler = stopSignalHandler(() => performance.now(), steps);
  for (const signal of STOP_SIGNALS) process.on(signal, () => handler(signal));
}

/** Texts for the person who stopped the process. */
export const STOP_TEXTS = {
  draining: `plans are handed back, a running apply is waited for. Ctrl-C again after ${ECHO_MS / 1000} s interrupts it.`,
  interrupting: "Interrupting: engines that apply save their state, and their runs fail with APPLY_INTERRUPTED.",
} as const;

/** The log line of a signal that changed nothing. */
export const IGNORED_SIGNAL = "The signal belongs to an earlier one and is ignored";
