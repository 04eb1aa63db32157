/** Waits for hints about work, requests of checks, or one run; returns at once when the signal aborts. */
export type WaitFor = (topic: "work" | "check-requests" | `run:${string}`, signal: AbortSignal) => Waiting;
export interface Waiting extends Disposable {
  /** Forgets hints so far. */
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}
