/** Decides which runs of a workspace are admitted and which may be claimed, whenever that may have changed. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { staleReason } from "../../model/plan/plan.ts";
import type { AdmissionConditions } from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { enterDispatch, leaveDispatch } from "../../persistence/dispatch/dispatch-store.ts";
import {
  type DispatchedRun,
  findNext,
  type Line,
  readLine,
  type WaitingRun,
} from "../../persistence/run/run-queue-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { onlineSince } from "./update-reachability.ts";
import { readWorkspaceContext, readLockedRun } from "./locked-run.ts";
import { withoutExpiredLock, machineInput, type WorkspaceContext, type LockedRun } from "./machine-input.ts";
import { holdBack, orderPlanJudgement } from "./order-judgement.ts";
import { prepareAdmission } from "./prepare-admission.ts";
import { recordTransition, recordUpdate } from "./record-transition.ts";
import { admissionConditions } from "./admission-conditions.ts";
import { reportBlockers } from "./report-blockers.ts";
import { dispatchChanges, firstOf, firstToReturn, isDispatchable } from "./dispatch-changes.ts";
import { QUEUE_READ } from "./waiting-line.ts";

const LINE_LIMITS = {
  plans: LIMITS.blockersReported,
  queuedPlans: LIMITS.admissionsAtOnce,
  queued: QUEUE_READ,
};

export interface SettleOptions {
  /** Ids of runs whose status changed in this transaction, so that listeners are already notified. */
  fresh?: readonly string[];
  /** `false` if nothing changed that other runs wait for. */
  blockersChanged?: boolean;
  /** Values that the transaction has read. Without a workspace, its row is read again. */
  known?: Omit<WorkspaceContext, "workspace"> & { workspace?: Workspace };
}

/** Holds a workspace while it is settled. */
interface Settling {
  context: WorkspaceContext;
  conditions: AdmissionConditions;
  fresh: Set<string>;
  admitted: Map<string, Run>;
  /** Runs that are judged first. */
  held: Map<string, Run>;
}

/**
 * Admits every speculative run, and the first other run if the workspace is free. Then updates the dispatch table and
 * the blockers of the waiting runs.
 *
 * The workspace's row must be locked. Returns the admitted runs, by id.
 */
export async function settleWorkspace(
  tx: Transaction,
  deps: Deps,
  workspaceId: string,
  { fresh, blockersChanged = true, known }: SettleOptions = {},
): Promise<ReadonlyMap<string, Run>> {
  const now = deps.clock();
  // Read again unless the caller knows it: the transaction may have locked the workspace, or moved its state.
  const row = known?.workspace ?? (await lockWorkspaceRow(tx, workspaceId));
  const context =
    known === undefined
      ? await readWorkspaceContext(tx, deps, row)
      : { ...known, workspace: withoutExpiredLock(row, now) };
  const conditions = admissionConditions(context, now);
  const settling = {
    context,
    conditions,
    fresh: new Set(fresh),
    admitted: new Map<string, Run>(),
    held: new Map<string, Run>(),
  };
  const line = await readLine(tx, workspaceId, conditions, LINE_LIMITS);
  const plans = line.plans.slice(0, 1).map(({ run }) => run);
  for (const run of line.queuedPlans) plans.push(await admit(tx, deps, settling, run));
  const { holder, next } = await selectNext(tx, deps, settling, line);
  const free = [next, firstOf(plans)].filter((run) => run !== null).filter((run) => isDispatchable(run, conditions));
  const offered: Run[] = [];
  for (const run of free) if ((await hold(tx, deps, settling, run)) === null) offered.push(run);
  await dispatch(tx, settling, line.dispatched, offered);
  const dispatched = new Set(offered.map(({ id }) => id));
  if (blockersChanged || settling.held.size > 0) {
    await reportBlockers(tx, deps, { ...settling, line: withHeld(line, settling.held), holder, dispatched });
  }
  return settling.admitted;
}

/**
 * Returns the run that holds the workspace, and the run that a runner may take for it. Without a holder, the latter is
 * the first approved run that needs the workspace again, else the first queued run, which is admitted.
 */
async function selectNext(
  tx: Transaction,
  deps: Deps,
  settling: Settling,
  line: Line,
): Promise<{ holder: Run | null; next: Run | null }> {
  const { context, conditions } = settling;
  let { holder, next } = line;
  if (holder === null) {
    const back = firstToReturn(line.waiting, conditions);
    if (back !== null) return { holder, next: back };
  }
  while (holder === null && next !== null) {
    const admitted = await admit(tx, deps, settling, next);
    if (admitted.holdsWorkspace) holder = admitted;
    // It released the workspace at a gate: the next run follows.
    else next = await findNext(tx, context.workspace.id, conditions);
  }
  return { holder, next: holder !== null && isDispatchable(holder, conditions) ? holder : null };
}

/** Admits a queued run and returns it. A run that must be judged first is returned as it is. */
async function admit(tx: Transaction, deps: Deps, settling: Settling, queued: Run): Promise<Run> {
  const { context, admitted } = settling;
  const { id } = queued;
  const held = await hold(tx, deps, settling, queued);
  if (held !== null) return held;
  const locked = await readLockedRun(tx, context, queued);
  const { command, details } = await prepareAdmission(tx, deps, locked);
  const decision = decide(machineInput(locked), command);
  if (!decision.accepted) throw new Error(`Admitting ${id}: ${decision.reason}`);
  let run = await recordTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, ...details });
  if (STATUS_TRAITS[run.status].deadline === "JUDGING" && locked.plan !== null) {
    await orderPlanJudgement(tx, deps, { ...locked, run }, locked.plan);
  }
  const madeFrom = locked.plan ?? locked.rollback;
  const stale = madeFrom === null ? null : staleReason(madeFrom, locked.workspace);
  // A run with a stale plan is discarded before people are asked; without a gate it fails at its claim.
  if (stale !== null && STATUS_TRAITS[run.status].gate !== null)
    run = await discard(tx, deps, { ...locked, run }, stale);
  admitted.set(id, run);
  return run;
}

/** Holds a run back that must be judged before it may proceed, and returns it; `null` if it need not. */
async function hold(tx: Transaction, deps: Deps, settling: Settling, run: Run): Promise<Run | null> {
  const awaited = await holdBack(tx, deps, settling.context, run);
  if (awaited === null) return null;
  const set = { awaitedCheck: awaited };
  // The blockers themselves are reported once all runs are settled.
  const events: RunEventBody[] = [{ type: "CHANGED", fields: ["blockers"] }];
  const held = await recordUpdate(tx, deps, run, { actorId: SYSTEM_ACTOR_ID, set, events });
  settling.held.set(run.id, held);
  settling.fresh.add(run.id);
  return held;
}

/** Returns the line with the runs as they are since they were held back. */
function withHeld(line: Line, held: ReadonlyMap<string, Run>): Line {
  if (held.size === 0) return line;
  const now = ({ run, blockers }: WaitingRun): WaitingRun => ({ run: held.get(run.id) ?? run, blockers });
  return { ...line, waiting: line.waiting.map(now), plans: line.plans.map(now), queued: line.queued.map(now) };
}

function discard(tx: Transaction, deps: Deps, locked: LockedRun, reason: string): Promise<Run> {
  const decision = decide(machineInput(locked), { type: "discard", planVersion: null });
  if (!decision.accepted) throw new Error(`Discarding ${locked.run.id}: ${decision.reason}`);
  return recordTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, reason });
}

/** Makes the workspace's rows in the dispatch table match these runs. */
async function dispatch(
  tx: Transaction,
  { context, conditions }: Settling,
  rows: readonly DispatchedRun[],
  wanted: readonly Run[],
): Promise<void> {
  const { workspace } = context;
  const { leave, enter } = dispatchChanges(rows, wanted, workspace);
  for (const runId of leave) await leaveDispatch(tx, workspace.organizationId, runId);
  for (const row of enter) {
    const { organizationId, id: workspaceId } = workspace;
    const fairKey = wanted.find(({ id }) => id === row.runId)?.changesetId ?? null;
    const entry = { ...row, organizationId, workspaceId, since: conditions.at, fairKey };
    await enterDispatch(tx, entry, onlineSince(new Date(conditions.at)));
  }
}
