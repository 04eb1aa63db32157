/** Describes how a workspace is in use, and which commands that refuses: a live run, locks, resources in its state. */
import type { RunStatus } from "../lifecycle/run-status.ts";
import { atWorkSentence, lockSentence, type NamedLock } from "./lock-text.ts";
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
    /** The run whose job has it; `null` if it is a person's. */
    runId: string | null;
    runNumber: number | null;
    /** The person who has it; `null` if it is a job's. */
    actorId: string | null;
    /** The job that has it is still at work. */
    inUse: boolean;
  } | null;
  /** The newest state; `null` if there is none. */
  state: {
    /** `null` if its resources were not counted. */
    resourceCount: number | null;
    hasOlder: boolean;
  } | null;
}

/** Why a command about a workspace is refused. `field`: of its input. */
export type WorkspaceRefusal =
  | { code: "INVALID_INPUT"; field: string; reason: string }
  | { code: "RUN_STATE_CONFLICT"; runId: string; reason: string }
  | { code: "WORKSPACE_LOCKED"; reason: string };

type Lock = WorkspaceLock | null;

/** Whether the lock is of this actor, who can change it and take it away without force. */
export function isOwnLock(lock: WorkspaceLock, actorId: string): boolean {
  return lock.reason === "MANUAL" && lock.actorId === actorId;
}

/** Names what to do about the lock that an interrupted apply left. */
const CHECK_FIRST = "Check what it did, then unlock the workspace with force.";

/** Names the holder of the lock, then the remedy. */
function lockedBy(lock: WorkspaceLock, { locker }: Pick<WorkspaceUse, "locker">, remedy: string): WorkspaceRefusal {
  return { code: "WORKSPACE_LOCKED", reason: `${lockSentence({ ...lock, ...locker })} ${remedy}` };
}

/** Refuses to lock, and to unlock without force, under a lock that is not one's own. */
export function refuseOthersLock(
  lock: Lock,
  use: Pick<WorkspaceUse, "locker">,
  actorId: string,
): WorkspaceRefusal | null {
  if (lock === null || isOwnLock(lock, actorId)) return null;
  return lockedBy(lock, use, lock.reason === "MANUAL" ? "An admin can unlock it with force." : CHECK_FIRST);
}

/** Refused in use; with resources in the state only by force, because nothing knows of them afterwards. */
export function refuseDeletion(lock: Lock, use: WorkspaceUse, force: boolean): WorkspaceRefusal | null {
  const { liveRun, stateLock, state } = use;
  if (liveRun !== null) {
    const reason = `Run ${liveRun.number} is ${liveRun.status}; cancel it, or wait for its end.`;
    return { code: "RUN_STATE_CONFLICT", runId: liveRun.id, reason };
  }
  if (lock !== null) return lockedBy(lock, use, "Unlock it first.");
  // A lock that a job left behind is in the way of nothing.
  if (stateLock !== null && stateLock.actorId !== null) {
    const reason = `must have no lock on its state. It is locked by ${stateLock.who}; release it first.`;
    return { code: "INVALID_INPUT", field: "workspaceId", reason };
  }
  if (force || state === null || state.resourceCount === 0) return null;
  const what = state.resourceCount === 1 ? "1 resource" : `${state.resourceCount ?? "some"} resources`;
  const reason = `must be true: the state still has ${what}, which no workspace would manage any more.`;
  return { code: "INVALID_INPUT", field: "force", reason };
}

/** A state is brought to a workspace without a live run, and not under another actor's lock. */
export function refuseImport(lock: Lock, use: WorkspaceUse, actorId: string): WorkspaceRefusal | null {
  const { liveRun, stateLock } = use;
  if (liveRun !== null) {
    const reason = `Run ${liveRun.number} is ${liveRun.status}. Wait for its end, then import the state.`;
    return { code: "RUN_STATE_CONFLICT", runId: liveRun.id, reason };
  }
  if (lock?.reason === "MANUAL" && !isOwnLock(lock, actorId)) {
    return lockedBy(lock, use, "Unlock it, then import the state.");
  }
  // A lock that a job left behind is no reason: to bring a state may be to mend that.
  if (stateLock !== null && stateLock.actorId !== null) {
    const reason = `The state is locked by ${stateLock.who}. Release the lock, then import the state.`;
    return { code: "WORKSPACE_LOCKED", reason };
  }
  return null;
}

/** The state lock of a job at work is the job's until it ends. */
export function refuseStateUnlock({ stateLock }: WorkspaceUse): WorkspaceRefusal | null {
  if (stateLock === null || stateLock.runId === null || !stateLock.inUse) return null;
  return { code: "RUN_STATE_CONFLICT", runId: stateLock.runId, reason: atWorkSentence(stateLock.runNumber) };
}

export function refuseTask({
  tasksAllowed,
}: Pick<Workspace, "tasksAllowed">): Extract<WorkspaceRefusal, { code: "INVALID_INPUT" }> | null {
  if (tasksAllowed) return null;
  const reason = "cannot be TASK, because the workspace has `tasksAllowed` false.";
  return { code: "INVALID_INPUT", field: "kind", reason };
}
