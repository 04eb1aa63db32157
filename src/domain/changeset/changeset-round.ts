import pLimit, { type LimitFunction } from "p-limit";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  findChangeset,
  listDueChangesets,
  lockChangeset,
  setChangesetDue,
} from "../../persistence/changeset/changeset-store.ts";
import { listUncreatedMembers } from "../../persistence/changeset/changeset-member-store.ts";
import { listReleasable } from "../../persistence/changeset/changeset-order-store.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Deps } from "../kit/deps.ts";
import { GitClosed } from "../kit/git-fetcher.ts";
import { createNextRuns } from "./create-runs.ts";
import { releaseNextRuns } from "./release-runs.ts";
import { startDependents } from "./start-dependents.ts";
import type { StepResult } from "./step-result.ts";

/**
 * Does what changesets are due, some at a time and one step of each in turn, so that neither a large one nor one whose
 * sources come from a slow host holds up the others. Ends when there is nothing left to do now. A step that fails, or that
 * another server is at work on, is tried again later. `watch`: of changesets that may have become due meanwhile.
 */
export async function changesetRound(
  deps: Deps,
  signal: AbortSignal,
  watch: ChangesetWatch = NO_CHANGES,
): Promise<void> {
  const inTurn = pLimit(LIMITS.changesetWritesAtOnce);
  /** When steps were left; a round may last for long. */
  const left = new Map<string, number>();
  const isLeft = (id: string): boolean => {
    const at = left.get(id);
    return at !== undefined && deps.clock().getTime() - at < LIMITS.changesetPollMs;
  };
  const active = new Map<string, Promise<void>>();
  const lost: Error[] = [];
  const step = async (id: string): Promise<void> => {
    try {
      if ((await doNext(deps, id, inTurn)) === "ELSEWHERE") left.set(id, deps.clock().getTime());
    } catch (error) {
      // The outcome is known only once the database is back.
      if (error instanceof Error && isConnectionLost(error)) lost.push(error);
      else if (!(error instanceof GitClosed)) deps.reportError(error, `the changeset ${id}`);
      left.set(id, deps.clock().getTime());
    } finally {
      active.delete(id);
    }
  };
  try {
    while (!signal.aborted && lost.length === 0) {
      watch.reset();
      await startDependents(deps, signal);
      const due = await listDueChangesets(deps.database, LIMITS.bulkAtOnce);
      const room = LIMITS.changesetsAtOnce - active.size;
      for (const id of due.filter((one) => !isLeft(one) && !active.has(one)).slice(0, room)) active.set(id, step(id));
      if (active.size === 0) break;
      await Promise.race([...active.values(), watch.changed()]);
    }
  } finally {
    await Promise.all(active.values());
  }
  const [error] = lost;
  if (error !== undefined) throw error;
}

/** Waits for changesets that may have become due. */
export interface ChangesetWatch {
  reset(): void;
  changed(): Promise<void>;
}

const NO_CHANGES: ChangesetWatch = { reset: () => undefined, changed: () => new Promise(() => undefined) };

/** Does the next step of a changeset, or notes that none is left. */
async function doNext(deps: Deps, id: string, inTurn: LimitFunction): Promise<StepResult> {
  const changeset = await findChangeset(deps.database, id);
  const created = changeset === null ? "NOTHING" : await createNextRuns(deps, changeset, inTurn);
  if (created !== "NOTHING") return created;
  const released = changeset === null ? "NOTHING" : await inTurn(() => releaseNextRuns(deps, changeset));
  if (released !== "NOTHING") return released;
  await deps.database.transaction(async (tx) => {
    // A member that ends meanwhile waits for this lock, and makes the changeset due again.
    const { heldAt } = await lockChangeset(tx, id);
    const isLeft = (await listUncreatedMembers(tx, id, 1)).length > 0 || (await listReleasable(tx, id, 1)).length > 0;
    if (!isLeft || heldAt !== null) await setChangesetDue(tx, id, false);
  });
  return "DONE";
}
