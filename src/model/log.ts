import type { ExecutedPhase } from "./phase.ts";

/** A line of a run's log; numbers count up within the run, from 1, without gaps. */
export interface LogLine {
  number: number;
  at: string;
  phase: ExecutedPhase;
  attempt: number;
  text: string;
}
