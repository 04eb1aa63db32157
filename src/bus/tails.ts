import type { LogLine } from "../model/log.ts";
import type { RunEvent } from "../model/run-event.ts";

/**
 * Committed rows as they come, in order, none lost, none twice, at the reader's own pace: nothing is buffered for a
 * reader that does not ask. `return()` ends an iterator at once, also while `next()` waits.
 */
export interface Tails {
  /** Events of a run with a higher version; ends after the event that ended the run. */
  runEvents(runId: string, afterVersion: number): AsyncIterableIterator<RunEvent>;
  /** Non-empty batches of log lines with a higher number; ends after the last line of a run that has ended. */
  runLog(runId: string, afterLine: number): AsyncIterableIterator<LogLine[]>;
  /** Number of the newest log line of a run; 0 before the first. */
  lastLogLine(runId: string): Promise<number>;
}
