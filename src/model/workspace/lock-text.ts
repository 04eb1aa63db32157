import type { WorkspaceLock } from "./workspace.ts";

/** A workspace's lock with names for display. */
export interface NamedLock extends Pick<WorkspaceLock, "reason" | "since" | "expiresAt" | "note"> {
  /** The person who locked it; `null` if an interrupted apply left the lock. */
  actorName: string | null;
  /** The run whose apply was interrupted; `null` if a person locked it. */
  runNumber: number | null;
}

const MAX_NOTE_LENGTH = 200;

/** Describes a lock and its holder in one sentence. */
export function lockSentence({ reason, since, expiresAt, note, actorName, runNumber }: NamedLock): string {
  if (reason === "APPLY_INTERRUPTED") {
    const run = runNumber === null ? "a run" : `run ${runNumber}`;
    return `The workspace is locked since ${since}: the apply of ${run} was interrupted.`;
  }
  const until = expiresAt === null ? "" : ` until ${expiresAt}`;
  const why = note === null ? "" : `: ${JSON.stringify(short(note))}`;
  return `The workspace is locked by ${actorName ?? "a person"} since ${since}${until}${why}.`;
}

/** Describes the run that holds a state lock which cannot be broken, in one sentence. */
export function executingSentence(runNumber: number | null): string {
  return `${runNumber === null ? "A run" : `Run ${runNumber}`} is executing and holds the state lock: wait for its end.`;
}

function short(note: string): string {
  return note.length > MAX_NOTE_LENGTH ? `${note.slice(0, MAX_NOTE_LENGTH)}…` : note;
}
