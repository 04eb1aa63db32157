import type { ExecutedPhase } from "../run/phase.ts";
import type { LogSpan } from "./log-span.ts";

/** The writer of a line: the engine (or a provisioner, a task, a hook) on one of its outputs, or the runner itself. */
export const LOG_STREAMS = ["STDOUT", "STDERR", "RUNNER"] as const;
export type LogStream = (typeof LOG_STREAMS)[number];

/** The numbers of a first and a last line. */
export type LineRange = readonly [first: number, last: number];

/** A line of a run's log; numbers count up within the run, from 1, without gaps. */
export interface LogLine {
  number: number;
  at: string;
  phase: ExecutedPhase;
  attempt: number;
  stream: LogStream;
  text: string;
  /** The colored parts of the text, in order; absent if there are none. */
  spans?: readonly LogSpan[] | undefined;
}
