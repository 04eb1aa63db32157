/** Finds and breaks the locks that a run of kind UNLOCK removes. */
import { executingSentence } from "../../model/workspace/lock-text.ts";
import type { UnlockOrder } from "../../model/workspace/unlock-order.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findJob } from "../../persistence/dispatch/job-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { findStateLocks, releaseStateLock } from "../../persistence/state/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-lock-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

export async function readUnlockOrder(
  reader: Reader,
  { id, lock }: Pick<Workspace, "id" | "lock">,
): Promise<UnlockOrder> {
  const [held = null] = await findStateLocks(reader, [id]);
  return {
    stateLock: held && {
      id: held.lockId,
      who: held.info["Who"] ?? "",
      operation: held.info["Operation"] ?? "",
      since: held.since,
      runId: held.runId,
    },
    interruption: lock?.reason === "APPLY_INTERRUPTED" ? { runId: lock.runId, since: lock.since } : null,
  };
}

/** Whether a live job holds the state lock. */
export async function isHeldByLiveJob(reader: Reader, workspaceId: string): Promise<boolean> {
  const [held = null] = await findStateLocks(reader, [workspaceId]);
  const holder = held === null || held.jobId === null ? null : await findJob(reader, held.jobId);
  return holder !== null && holder.endedAt === null;
}

/** Describes the run that holds a state lock which cannot be broken, in one sentence. */
export async function describeExecutingRun(reader: Reader, runId: string | null): Promise<string> {
  const run = runId === null ? null : await findRun(reader, runId);
  return executingSentence(run?.number ?? null);
}

/**
 * Breaks the state lock and the lock of an interrupted apply; a person's lock stays. Returns what was broken; `null` if
 * a live job holds the state lock, and nothing changes. The workspace's row must be locked.
 */
export async function breakLocks(
  tx: Transaction,
  deps: Deps,
  workspace: Workspace,
  actorId: string,
): Promise<UnlockOrder | null> {
  if (await isHeldByLiveJob(tx, workspace.id)) return null;
  const order = await readUnlockOrder(tx, workspace);
  const fields: string[] = [];
  if (order.stateLock !== null) {
    await releaseStateLock(tx, workspace.id);
    fields.push("stateLock");
  }
  if (order.interruption !== null) {
    await setWorkspaceLock(tx, workspace.id, null);
    fields.push("lock");
  }
  if (fields.length > 0) await recordWorkspaceChange(tx, deps, workspace, actorId, fields);
  return order;
}
