import { LIMITS } from "../../model/kit/limits.ts";
import {
  findChangeset,
  listDueChangesets,
  lockChangeset,
  setChangesetDue,
} from "../../persistence/changeset/changeset-store.ts";
import { listUncreatedMembers } from "../../persistence/changeset/changeset-member-store.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Deps } from "../kit/deps.ts";
import { createNextRuns, type StepResult } from "./create-runs.ts";

/**
 * Does what changesets are due, one step of each in turn, so that a large one does not hold up a small one. Ends when there
 * is nothing left to do now. A step that fails, or that another server is at work on, is tried again by the next round.
 */
export async function changesetRound(deps: Deps, signal: AbortSignal): Promise<void> {
  const left = new Set<string>();
  for (let more = true; more && !signal.aborted; ) {
    more = false;
    for (const id of await listDueChangesets(deps.database, LIMITS.bulkAtOnce)) {
      if (signal.aborted) return;
      if (left.has(id)) continue;
      try {
        if ((await doNext(deps, id)) === "ELSEWHERE") left.add(id);
        else more = true;
      } catch (error) {
        // The outcome is known only once the database is back.
        if (isConnectionLost(error)) throw error;
        deps.reportError(error, `the changeset ${id}`);
        left.add(id);
      }
    }
  }
}

/** Does the next step of a changeset, or notes that none is left. */
async function doNext(deps: Deps, id: string): Promise<StepResult> {
  const changeset = await findChangeset(deps.database, id);
  const created = changeset === null ? "NOTHING" : await createNextRuns(deps, changeset);
  if (created !== "NOTHING") return created;
  await deps.database.transaction(async (tx) => {
    // A member that ends meanwhile waits for this lock, and makes the changeset due again.
    const { heldAt } = await lockChangeset(tx, id);
    const members = await listUncreatedMembers(tx, id, 1);
    if (members.length === 0 || heldAt !== null) await setChangesetDue(tx, id, false);
  });
  return "DONE";
}
