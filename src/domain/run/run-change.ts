/** The only writer of runs: locks, asks the machine, writes the change with its events, and lets the next run in. */
import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { LIMITS } from "../../model/limits.ts";
import { phaseEnd, phaseOf } from "../../model/phase-of-run.ts";
import type { Plan } from "../../model/plan.ts";
import type { Run } from "../../model/run.ts";
import type { RunEvent, RunEventBody } from "../../model/run-event.ts";
import { type Acceptance, decide, type PlanFacts, type RunCommand, type RunFacts } from "../../model/run-machine.ts";
import { isTerminal, STATUS_FACTS } from "../../model/run-status.ts";
import { standingLock, type Workspace } from "../../model/workspace.ts";
import type { Transaction } from "../../persistence/database.ts";
import { endRunningPhase, startPhase } from "../../persistence/phase-store.ts";
import { findNewestPlan } from "../../persistence/plan-store.ts";
import { appendRunEvents } from "../../persistence/run-event-store.ts";
import {
  findHolders,
  findNextQueued,
  findRun,
  listQueuedPlans,
  lockRun,
  type RunChanges,
  updateRun,
} from "../../persistence/run-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { runMoved } from "../workspace/workspace-changed.ts";

/** A run under its row lock, with what decisions about it depend on. */
export interface LockedRun {
  run: Run;
  /** Without a lock that has expired. */
  workspace: Workspace;
  /** The newest plan. */
  plan: Plan | null;
}

/** Locks a run, and its workspace before it: always in that order. null where there is no such run. */
export async function lockForChange(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  runId: string,
): Promise<LockedRun | null> {
  const found = await findRun(tx, runId);
  if (found === null) return null;
  const workspace = asOf(await lockWorkspaceRow(tx, found.workspaceId), deps.clock());
  const run = await lockRun(tx, runId);
  return { run, workspace, plan: await findNewestPlan(tx, runId) };
}

/** The workspace as it is at this instant: a lock that has expired counts as none. */
export function asOf(workspace: Workspace, at: Date): Workspace {
  return { ...workspace, lock: standingLock(workspace.lock, at.toISOString()) };
}

export function planFacts(plan: Plan, { refreshOnly }: Pick<Run, "refreshOnly">): PlanFacts {
  return { ...plan, targeted: plan.targets.length > 0, refreshOnly };
}

/** What the machine looks at. Policies, probes and interrupts have no setting yet. */
export function factsOf({ run, workspace, plan }: LockedRun): RunFacts {
  return {
    kind: run.kind,
    status: run.status,
    leg: run.leg,
    attempt: run.attempt,
    plan: plan === null ? null : planFacts(plan, run),
    stopRequestedAtMs: run.cancelRequest === null ? null : Date.parse(run.cancelRequest.at),
    workspace: {
      planApproval: workspace.planApproval,
      autoApply: workspace.autoApply,
      interruptApply: false,
      skipApplying: false,
      // A pause keeps runs from beginning, and an apply that begins by itself is no less.
      locked: workspace.lock !== null || workspace.paused,
      stateSerial: workspace.stateSerial,
    },
    policies: false,
    probes: false,
    limits: { attempts: LIMITS.attemptsPerLeg, forceAfterMs: LIMITS.forceStopAfterMs },
  };
}

export interface ChangeDetails {
  actorId: string;
  reason?: string | null;
  /** Columns besides those that follow from the status. */
  set?: RunChanges;
  /** Events that come before the change of status. */
  events?: RunEventBody[];
  /** Who works on the phase that begins. */
  runnerId?: string | null;
  /** The lease of the runner ran out. */
  lost?: boolean;
}

/** Writes what the machine accepted. The event of a change of status is always the last one of the change. */
export async function writeChange(
  tx: Transaction,
  deps: Deps,
  { run }: LockedRun,
  { change }: Acceptance,
  details: ChangeDetails,
): Promise<Run> {
  const at = deps.clock().toISOString();
  const bodies = [...(details.events ?? [])];
  const set: RunChanges = { ...details.set };
  if (change !== null) {
    bodies.push(...(await movePhase(tx, deps, run, change, details, at)));
    bodies.push({ type: "STATUS_CHANGED", from: run.status, to: change.status, reason: details.reason ?? null });
    set.status = { to: change.status, version: run.version + bodies.length, at };
    set.leg = change.leg;
    if (change.leg !== run.leg) set.attempt ??= 0;
    if (change.outcome !== null) set.outcome = change.outcome;
    if (run.status === "QUEUED" && !isTerminal(change.status)) set.holdsWorkspace = run.kind !== "PLAN";
    if (isTerminal(change.status)) {
      set.finishedAt = at;
      set.holdsWorkspace = false;
      if (details.reason !== undefined) set.reason = details.reason;
    }
  }
  const events = bodies.map(
    (body, index): RunEvent => ({
      ...body,
      runId: run.id,
      version: run.version + index + 1,
      at,
      actorId: details.actorId,
    }),
  );
  if (events.length === 0) return run;
  const changed = await updateRun(tx, run.id, run.version + events.length, set);
  await appendRunEvents(tx, events);
  await runMoved(tx, deps, run, changed, details.actorId);
  tx.announce(`run:${run.id}`);
  const waitedMs = Date.parse(at) - Date.parse(run.statusAt);
  if (change !== null && changed.status !== run.status) tx.observe({ type: "wait", status: run.status, waitedMs });
  if (STATUS_FACTS[changed.status].claimable) tx.announce("work");
  if (change !== null && isTerminal(change.status)) {
    tx.announce(`log:${run.id}`);
    await admitNext(tx, deps, run.workspaceId);
  }
  return changed;
}

/** Ends the phase that was under way and starts the one of the new status. */
async function movePhase(
  tx: Transaction,
  deps: Deps,
  run: Run,
  change: NonNullable<Acceptance["change"]>,
  details: ChangeDetails,
  at: string,
): Promise<RunEventBody[]> {
  const events: RunEventBody[] = [];
  if (phaseOf(run.status, run.leg) !== null) {
    const to = phaseEnd(run.status, change.status, details.lost ?? false);
    const ended = await endRunningPhase(tx, run.id, to, at);
    if (ended !== null) events.push({ type: "PHASE_CHANGED", phaseId: ended, to });
  }
  const kind = phaseOf(change.status, change.leg);
  if (kind !== null) {
    const runnerId = STATUS_FACTS[change.status].runnerBusy ? (details.runnerId ?? null) : null;
    const phase = await startPhase(tx, { id: deps.newId("phase"), runId: run.id, kind, runnerId, at });
    events.push({ type: "PHASE_CHANGED", phaseId: phase.id, to: "RUNNING" });
  }
  return events;
}

/**
 * Lets waiting runs into their workspace where nothing is in the way: every speculative one, because it holds nothing,
 * and the oldest of the others if no run holds the workspace. The workspace's row must be locked.
 */
export async function admitNext(tx: Transaction, deps: Deps, workspaceId: string): Promise<void> {
  const plans = await listQueuedPlans(tx, workspaceId);
  const next = await findNextQueued(tx, workspaceId);
  if (plans.length === 0 && next === null) return;
  const workspace = asOf(await lockWorkspaceRow(tx, workspaceId), deps.clock());
  if (workspace.paused || workspace.lock !== null) return;
  for (const runId of plans) await admit(tx, deps, workspace, runId);
  const [holder = null] = await findHolders(tx, [workspaceId]);
  if (next !== null && holder === null) await admit(tx, deps, workspace, next.id);
}

async function admit(tx: Transaction, deps: Deps, workspace: Workspace, runId: string): Promise<void> {
  const locked = { run: await lockRun(tx, runId), workspace, plan: null };
  const decision = decide(factsOf(locked), { type: "admit" });
  if (decision.accepted) await writeChange(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID });
}

/** Asks the machine on behalf of the system; a refusal means that a caller did not look before it asked. */
export function mustAccept(locked: LockedRun, command: RunCommand): Acceptance {
  const decision = decide(factsOf(locked), command);
  if (!decision.accepted) throw new Error(`${command.type} of ${locked.run.id}: ${decision.reason}`);
  return decision;
}
