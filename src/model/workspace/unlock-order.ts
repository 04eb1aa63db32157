/** The locks of a workspace that a run of kind UNLOCK removes. */
export interface UnlockOrder {
  /** The engine's lock on the state; `null` if there is none. */
  stateLock: { id: string; who: string; operation: string; since: string; runId: string | null } | null;
  /** The lock of an interrupted apply; `null` if there is none. */
  interruption: { runId: string | null; since: string } | null;
}

const MAX_LENGTH = 200;

/** Describes each lock in one line, for the log and the history of the run; empty without a lock. */
export function describeHolders({ stateLock, interruption }: UnlockOrder): string[] {
  const lines: string[] = [];
  if (stateLock !== null) {
    const { id, who, operation, since, runId } = stateLock;
    const holder = who === "" ? "an unnamed client" : short(who);
    lines.push(
      `State lock ${id}: held by ${holder}, operation "${short(operation)}", since ${since}${runId === null ? "" : `, run ${runId}`}.`,
    );
  }
  if (interruption !== null) {
    const run = interruption.runId === null ? "" : `, run ${interruption.runId}`;
    lines.push(`Workspace lock APPLY_INTERRUPTED: since ${interruption.since}${run}.`);
  }
  return lines;
}

/** Shortens texts of an engine, which may have any length. */
function short(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Describes the removed locks, as the reason of the ended run. */
export function describeBroken(order: UnlockOrder): string {
  const lines = describeHolders(order);
  return lines.length === 0 ? "There was no lock to break." : `Broken: ${lines.join(" ")}`;
}
