import type { RunnerLimits } from "../kit/runner-limits.ts";

/** The number of dropped lines, and the last lines. */
export interface DroppedLines<T> {
  lines: number;
  bytes: number;
  tail: T[];
}

export type LogBudgetLimits = Pick<RunnerLimits, "logPhaseBytes" | "logRunBytes" | "logTailBytes">;

/**
 * Counts how much a phase and a run may still write. Beyond the limit lines are dropped, except the last ones, which show
 * how the phase ended.
 */
export class LogBudget<T extends { bytes: number }> {
  readonly #limits: LogBudgetLimits;
  #runBytes: number;
  #phaseBytes = 0;
  #full: "phase" | "run" | null = null;
  #tail: T[] = [];
  /** Lines before this one are dropped; they leave the list in batches. */
  #first = 0;
  #tailBytes = 0;
  #lines = 0;
  #bytes = 0;

  /** `runBytes`: bytes that earlier jobs of the run wrote. */
  constructor(limits: LogBudgetLimits, runBytes: number) {
    this.#limits = limits;
    this.#runBytes = runBytes;
  }

  /** The limit that was reached; `null` if none. */
  get full(): "phase" | "run" | null {
    return this.#full;
  }

  /** Lines and bytes that were dropped since `takeDropped`. */
  get dropped(): { lines: number; bytes: number } {
    return { lines: this.#lines, bytes: this.#bytes };
  }

  beginPhase(): void {
    this.#phaseBytes = 0;
    this.#full = null;
  }

  /** Gives whether the line can be written. Otherwise it is kept while it is one of the last. */
  take(line: T): boolean {
    const { logPhaseBytes, logRunBytes } = this.#limits;
    const bytes = line.bytes + 1;
    if (this.#full === null && this.#phaseBytes + bytes > logPhaseBytes) this.#full = "phase";
    if (this.#full === null && this.#runBytes + bytes > logRunBytes) this.#full = "run";
    if (this.#full !== null) {
      this.#drop(line);
      return false;
    }
    this.#phaseBytes += bytes;
    this.#runBytes += bytes;
    return true;
  }

  /** Gives the dropped lines and forgets them; `null` if there are none. */
  takeDropped(): DroppedLines<T> | null {
    if (this.#tail.length === 0) return null;
    const dropped = { lines: this.#lines, bytes: this.#bytes, tail: this.#tail.slice(this.#first) };
    this.#tail = [];
    this.#first = 0;
    this.#tailBytes = 0;
    this.#lines = 0;
    this.#bytes = 0;
    return dropped;
  }

  #drop(line: T): void {
    this.#tail.push(line);
    this.#tailBytes += line.bytes + 1;
    while (this.#tailBytes > this.#limits.logTailBytes && this.#first < this.#tail.length - 1) {
      const bytes = (this.#tail[this.#first]?.bytes ?? 0) + 1;
      this.#tailBytes -= bytes;
      this.#bytes += bytes;
      this.#lines += 1;
      this.#first += 1;
    }
    if (this.#first <= this.#tail.length / 2) return;
    this.#tail = this.#tail.slice(this.#first);
    this.#first = 0;
  }
}
