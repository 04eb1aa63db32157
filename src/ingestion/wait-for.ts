type Awaited = "work" | "check-requests" | "verification-samples" | `run:${string}`;

/** Waits for hints about work, requests of checks, probes, or one run; returns at once when the signal aborts. */
export type WaitFor = (topic: Awaited, signal: AbortSignal) => Waiting;
export interface Waiting extends Disposable {
  /** Forgets hints so far. */
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}
