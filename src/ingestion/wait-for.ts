/** Waits for hints about work, or about one run; returns at once when the signal aborts. */
export type WaitFor = (topic: "work" | `run:${string}`, signal: AbortSignal) => Waiting;
export interface Waiting extends Disposable {
  /** Forgets hints so far. */
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}
