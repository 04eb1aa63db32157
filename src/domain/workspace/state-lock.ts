/** The engine's own lock on a state. */
export interface StateLock {
  id: string;
  runId: string | null;
  /** The person who has it; null where it is a run's. */
  actorId: string | null;
  who: string;
  operation: string;
  since: string;
}
