import { phaseEnd, phaseOf } from "../../model/run/phase-of-run.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { AcceptedTransition } from "../../model/lifecycle/run-machine.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { LockScope } from "../../model/workspace/workspace.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";
import type { NewPhase, PhaseEnd } from "../../persistence/run/run-event-parts.ts";
import { rollbackFailure } from "./rollback-failure.ts";
import { timeAfter } from "./alarm.ts";
import type { WorkspaceContext } from "./machine-input.ts";

export interface ChangeDetails {
  actorId: string;
  reason?: string | null;
  /** Columns besides those that follow from the status. */
  set?: RunChanges;
  /** Events that come before the change of status. */
  events?: RunEventBody[];
  /** The runner of the phase that begins. */
  runnerId?: string | null;
  /** How the running phase ended, if the new status does not determine it. */
  phaseEnd?: "LOST" | "FAILED";
}

export type EventBody = RunEventBody | PhaseEnd;

/** The changes of a run by a transition. */
export interface TransitionChanges {
  /** The event of the status comes last. */
  bodies: EventBody[];
  set: RunChanges;
  /** The phase that starts; `null` if none does. */
  phase: NewPhase | null;
}

/** Computes the columns, events and phases that an accepted transition changes. */
export function transitionChanges(
  locked: WorkspaceContext & { run: Run },
  { change, held }: AcceptedTransition,
  details: Omit<ChangeDetails, "actorId">,
  { at, newPhaseId }: { at: string; newPhaseId: () => string },
): TransitionChanges {
  const { run, workspace } = locked;
  const bodies: EventBody[] = [...(details.events ?? [])];
  const set: RunChanges = { ...details.set };
  if (set.failure !== undefined) set.failure = rollbackFailure(run, set.failure);
  if (change === null) return { bodies, set, phase: null };
  const moved = movePhase(run, change, details, newPhaseId);
  bodies.push(...moved.events);
  bodies.push({ type: "STATUS_CHANGED", from: run.status, to: change.status, reason: details.reason ?? null });
  const status = { to: change.status, version: run.version + bodies.length, at };
  set.status = status;
  set.leg = change.leg;
  if (held === true || (run.applyAt !== null && isAtGate(run.status, change.status))) {
    set.applyAt ??= held === true ? locked.frozenUntil : null;
  }
  Object.assign(set, timeAfter(run, { ...set, status }, locked));
  if (change.leg !== run.leg) set.attempt ??= 0;
  if (run.awaitedCheck !== null) set.awaitedCheck ??= null;
  if (change.outcome !== null) set.outcome = change.outcome;
  set.holdsWorkspace = holdsAfter(run, change.status, workspace.lockScope);
  if (isTerminal(change.status)) {
    set.finishedAt = at;
    if (details.reason !== undefined) set.reason = details.reason;
  }
  return { bodies, set, phase: moved.phase };
}

/** How a change of a run affects the other runs of its workspace. */
export interface AdmissionEffects {
  /** Ids of runs whose status changed. */
  fresh: string[];
  /** Whether something changed that other runs wait for. */
  blockersChanged: boolean;
}

/** Returns how a change of a run affects the admission of waiting runs; `null` if it does not. */
export function admissionEffects(before: Run, after: Run): AdmissionEffects | null {
  const [was, is] = [STATUS_TRAITS[before.status], STATUS_TRAITS[after.status]];
  // A claim removed the row from the dispatch table; nothing else changed.
  const claimed = before.holdsWorkspace && is.claimed;
  const waits = (was.claimable || is.claimable) && !claimed;
  const leftQueue = was.queued && !is.queued;
  const moved = before.holdsWorkspace !== after.holdsWorkspace;
  if (!waits && !leftQueue && !moved) return null;
  return {
    fresh: after.status === before.status ? [] : [before.id],
    // A claim alone blocks no other run.
    blockersChanged: moved || leftQueue || is.claimable,
  };
}

/**
 * Whether a run holds its workspace after a change of status. It takes the workspace at its admission and keeps it to
 * its end. If the workspace is released at gates, it takes it again at its claim.
 */
function holdsAfter(run: Run, to: RunStatus, lockScope: LockScope): boolean {
  if (isTerminal(to) || run.kind === "PLAN") return false;
  if (STATUS_TRAITS[to].gate !== null && lockScope === "EXECUTION") return false;
  return run.holdsWorkspace || STATUS_TRAITS[run.status].queued || STATUS_TRAITS[to].claimed;
}

/** Whether `applyAt` is reset: after approval it is the requested time, at a gate the end of a freeze window. */
const isAtGate = (from: RunStatus, to: RunStatus): boolean =>
  STATUS_TRAITS[from].gate !== null || STATUS_TRAITS[to].gate !== null;

/** Returns the events of the phase that ends and of the one that starts, with the latter. */
function movePhase(
  run: Run,
  change: NonNullable<AcceptedTransition["change"]>,
  details: Omit<ChangeDetails, "actorId">,
  newPhaseId: () => string,
): { events: EventBody[]; phase: NewPhase | null } {
  const events: EventBody[] = [];
  if (phaseOf(run.status, run.leg) !== null) {
    events.push({ type: "PHASE_ENDED", to: details.phaseEnd ?? phaseEnd(run.status, change.status) });
  }
  const kind = phaseOf(change.status, change.leg);
  if (kind === null) return { events, phase: null };
  const runnerId = STATUS_TRAITS[change.status].runnerBusy ? (details.runnerId ?? null) : null;
  const id = newPhaseId();
  events.push({ type: "PHASE_CHANGED", phaseId: id, to: "RUNNING" });
  return { events, phase: { id, kind, runnerId } };
}
