import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { phaseEnd, phaseOf } from "../../model/run/phase-of-run.ts";
import type { Run } from "../../model/run/run.ts";
import { changedWorkspaceFields } from "../../model/run/changed-fields.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { AcceptedTransition } from "../../model/lifecycle/run-machine.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { LockScope } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { type RunChanges, updateRun } from "../../persistence/run/run-change-store.ts";
import type { NewPhase, NewRunEvent, PhaseEnd } from "../../persistence/run/run-event-parts.ts";
import { appendBlockerReports, type BlockerReport } from "../../persistence/dispatch/blocker-report-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueRunWebhooks } from "./enqueue-webhooks.ts";
import { timeAfter } from "./alarm.ts";
import type { WorkspaceContext } from "./locked-run.ts";

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

/**
 * Persists an accepted transition: the row, its events and its phases. The event of the status comes last. Use
 * `applyTransition` unless the caller admits waiting runs itself.
 */
export async function recordTransition(
  tx: Transaction,
  deps: Deps,
  locked: WorkspaceContext & { run: Run },
  { change, held }: AcceptedTransition,
  details: ChangeDetails,
): Promise<Run> {
  const { run, workspace } = locked;
  const at = deps.clock().toISOString();
  const bodies: EventBody[] = [...(details.events ?? [])];
  const set: RunChanges = { ...details.set };
  let phase: NewPhase | null = null;
  if (change !== null) {
    const moved = movePhase(deps, run, change, details);
    phase = moved.phase;
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
    if (change.outcome !== null) set.outcome = change.outcome;
    set.holdsWorkspace = holdsAfter(run, change.status, workspace.lockScope);
    if (isTerminal(change.status)) {
      set.finishedAt = at;
      if (details.reason !== undefined) set.reason = details.reason;
    }
  }
  if (bodies.length === 0) return run;
  const changed = await write(tx, deps, run, { bodies, set, at, actorId: details.actorId, phase });
  const waitedMs = Date.parse(at) - Date.parse(run.statusAt);
  if (change !== null && changed.status !== run.status) tx.observe({ type: "wait", status: run.status, waitedMs });
  if (change !== null && isTerminal(change.status)) tx.announce(`log:${run.id}`);
  return changed;
}

/**
 * Persists a change of a run that is no transition: columns, and the events that name what changed. The status stays.
 * The run's row must be locked.
 */
export function recordUpdate(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { actorId, set = {}, events }: Pick<ChangeDetails, "actorId" | "set"> & { events: RunEventBody[] },
): Promise<Run> {
  return write(tx, deps, run, { bodies: events, set, at: deps.clock().toISOString(), actorId });
}

/**
 * Records changed blockers of runs of one workspace, whose row must be locked. Nothing else changes: no event of the
 * workspace and no webhook follows.
 */
export async function recordBlockers(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  reports: readonly BlockerReport[],
): Promise<void> {
  if (reports.length === 0) return;
  await appendBlockerReports(tx, reports, {
    at: clock().toISOString(),
    actorId: SYSTEM_ACTOR_ID,
    fields: ["blockers"],
  });
  for (const { run } of reports) tx.announce(`run:${run.id}`);
}

type EventBody = RunEventBody | PhaseEnd;

interface Change {
  bodies: readonly EventBody[];
  set: RunChanges;
  at: string;
  actorId: string;
  /** The phase that starts. */
  phase?: NewPhase | null;
}

async function write(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { bodies, set, at, actorId, phase = null }: Change,
): Promise<Run> {
  const events = bodies.map((body, index): NewRunEvent => {
    return { ...body, runId: run.id, version: run.version + index + 1, at, actorId };
  });
  const { status = { to: run.status }, holdsWorkspace = run.holdsWorkspace } = set;
  const workspaceFields = changedWorkspaceFields(run, { kind: run.kind, status: status.to, holdsWorkspace });
  const changed = await updateRun(tx, run, set, events, { phase, workspaceFields });
  await enqueueRunWebhooks(tx, deps, run, changed);
  tx.announce(`run:${run.id}`);
  return changed;
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
  deps: Deps,
  run: Run,
  change: NonNullable<AcceptedTransition["change"]>,
  details: ChangeDetails,
): { events: EventBody[]; phase: NewPhase | null } {
  const events: EventBody[] = [];
  if (phaseOf(run.status, run.leg) !== null) {
    events.push({ type: "PHASE_ENDED", to: details.phaseEnd ?? phaseEnd(run.status, change.status) });
  }
  const kind = phaseOf(change.status, change.leg);
  if (kind === null) return { events, phase: null };
  const runnerId = STATUS_TRAITS[change.status].runnerBusy ? (details.runnerId ?? null) : null;
  const id = deps.newId("phase");
  events.push({ type: "PHASE_CHANGED", phaseId: id, to: "RUNNING" });
  return { events, phase: { id, kind, runnerId } };
}
