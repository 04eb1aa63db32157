/** Decides which commands the current use of a workspace refuses: a live run, locks, resources in its state. */
import type { RunStatus } from "../lifecycle/run-status.ts";
import { executingSentence, lockSentence, type NamedLock } from "./lock-text.ts";
import type { Workspace, WorkspaceLock } from "./workspace.ts";

export interface WorkspaceUse {
  /** The names behind the lock of the workspace, if it has one. */
  locker: Pick<NamedLock, "actorName" | "runNumber">;
  /** The newest run that has not ended. */
  liveRun: { id: string; number: number; status: RunStatus } | null;
  /** The engine's own lock on the state. */
  stateLock: {
    id: string;
    who: string;
    /** The run whose job holds it; `null` if a person does. */
    runId: string | null;
    runNumber: number | null;
    /** The person who holds it; `null` if a job does. */
    actorId: string | null;
    /** The job that holds it is live. */
    inUse: boolean;
  } | null;
  /** The newest state; `null` if there is none. */
  state: {
    /** `null` if its resources were not counted. */
    resourceCount: number | null;
    hasOlder: boolean;
  } | null;
}

/** The refusal of a command about a workspace. `field`: of its input. */
export type WorkspaceRefusal =
  | { code: "INVALID_INPUT"; field: string; reason: string }
  | { code: "RUN_STATE_CONFLICT"; runId: string; reason: string }
  | { code: "WORKSPACE_LOCKED"; reason: string };

type Lock = WorkspaceLock | null;

/** Whether the lock belongs to this actor, who can change and remove it without force. */
export function isOwnLock(lock: WorkspaceLock, actorId: string): boolean {
  return lock.reason === "MANUAL" && lock.actorId === actorId;
}

/** The remedy for the lock of an interrupted apply. */
const CHECK_FIRST = "Check what it did, then unlock the workspace with force.";

/** Builds a refusal that names the holder of the lock, then the remedy. */
function lockedBy(lock: WorkspaceLock, { locker }: Pick<WorkspaceUse, "locker">, remedy: string): WorkspaceRefusal {
  return { code: "WORKSPACE_LOCKED", reason: `${lockSentence({ ...lock, ...locker })} ${remedy}` };
}

/** Refuses to lock, or to unlock without force, a workspace that another holder has locked. */
export function refuseOthersLock(
  lock: Lock,
  use: Pick<WorkspaceUse, "locker">,
  actorId: string,
): WorkspaceRefusal | null {
  if (lock === null || isOwnLock(lock, actorId)) return null;
  return lockedBy(lock, use, lock.reason === "MANUAL" ? "An admin can unlock it with force." : CHECK_FIRST);
}

/**
 * Refuses to delete a workspace in use. With resources in the state it needs force, because nothing manages them
 * afterwards.
 */
export function refuseDeletion(lock: Lock, use: WorkspaceUse, force: boolean): WorkspaceRefusal | null {
  const { liveRun, stateLock, state } = use;
  if (liveRun !== null) {
    const reason = `Run ${liveRun.number} is ${liveRun.status}; cancel it, or wait for its end.`;
    return { code: "RUN_STATE_CONFLICT", runId: liveRun.id, reason };
  }
  if (lock !== null) return lockedBy(lock, use, "Unlock it first.");
  // A lock left by an ended job does not prevent the deletion.
  if (stateLock !== null && stateLock.actorId !== null) {
    const reason = `must have no lock on its state. It is locked by ${stateLock.who}; release it first.`;
    return { code: "INVALID_INPUT", field: "workspaceId", reason };
  }
  if (force || state === null || state.resourceCount === 0) return null;
  const what = state.resourceCount === 1 ? "1 resource" : `${state.resourceCount ?? "some"} resources`;
  const reason = `must be true: the state still has ${what}, which no workspace would manage any more.`;
  return { code: "INVALID_INPUT", field: "force", reason };
}

/** Refuses to import a state while a run is live, or under another actor's lock. */
export function refuseImport(lock: Lock, use: WorkspaceUse, actorId: string): WorkspaceRefusal | null {
  const { liveRun, stateLock } = use;
  if (liveRun !== null) {
    const reason = `Run ${liveRun.number} is ${liveRun.status}. Wait for its end, then import the state.`;
    return { code: "RUN_STATE_CONFLICT", runId: liveRun.id, reason };
  }
  if (lock?.reason === "MANUAL" && !isOwnLock(lock, actorId)) {
    return lockedBy(lock, use, "Unlock it, then import the state.");
  }
  // A lock left by an ended job does not prevent the import, which may repair its result.
  if (stateLock !== null && stateLock.actorId !== null) {
    const reason = `The state is locked by ${stateLock.who}. Release the lock, then import the state.`;
    return { code: "WORKSPACE_LOCKED", reason };
  }
  return null;
}

/** Refuses to break the state lock of a live job. */
export function refuseStateUnlock({ stateLock }: WorkspaceUse): WorkspaceRefusal | null {
  if (stateLock === null || stateLock.runId === null || !stateLock.inUse) return null;
  return { code: "RUN_STATE_CONFLICT", runId: stateLock.runId, reason: executingSentence(stateLock.runNumber) };
}

export function refuseTask({
  tasksAllowed,
}: Pick<Workspace, "tasksAllowed">): Extract<WorkspaceRefusal, { code: "INVALID_INPUT" }> | null {
  if (tasksAllowed) return null;
  const reason = "cannot be TASK, because the workspace has `tasksAllowed` false.";
  return { code: "INVALID_INPUT", field: "kind", reason };
}
