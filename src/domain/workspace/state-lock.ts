/** The engine's own lock on a state. */
export interface StateLock {
  id: string;
  runId: string | null;
  /** The person who holds it; `null` if a run does. */
  actorId: string | null;
  who: string;
  operation: string;
  since: string;
}
