/** What goes on in a workspace: who is admitted, and who may be claimed. Called wherever that may have changed. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { staleReason } from "../../model/plan/plan.ts";
import { dispatchClass, obstaclesOf, type Surroundings } from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { enterDispatch, leaveDispatch, listDispatched } from "../../persistence/dispatch/dispatch-store.ts";
import { findNext, type Line, readLine } from "../../persistence/run/run-queue-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { heardSince } from "./update-reachability.ts";
import { asOf, factsOf, type Ground, groundOf, type LockedRun, runOn } from "./locked-run.ts";
import { recordTransition } from "./record-transition.ts";
import { surroundings } from "./admission-conditions.ts";
import { tellWorkspace } from "./report-blockers.ts";

export interface SettleOptions {
  /** Runs that came to their status in this transaction, so that their listeners know. */
  fresh?: readonly string[];
  /** false: nothing that other runs wait for was changed. */
  tell?: boolean;
  /** The rules of the workspace and its freeze, if the transaction has read them. */
  known?: Omit<Ground, "workspace">;
}

/** A workspace while it is settled. */
interface Settling {
  ground: Ground;
  around: Surroundings;
  fresh: Set<string>;
  admitted: Map<string, Run>;
}

/**
 * Admits what nothing is in the way of: every speculative run, because it holds nothing, and the first of the others
 * where the workspace is free. Then has in the dispatch table what a runner may take, and tells the others what they
 * wait for now. The workspace's row must be locked. Gives the runs that were admitted, as they are then.
 */
export async function settleWorkspace(
  tx: Transaction,
  deps: Deps,
  workspaceId: string,
  { fresh = [], tell = true, known }: SettleOptions = {},
): Promise<ReadonlyMap<string, Run>> {
  const now = deps.clock();
  // Read again: what the transaction did may have locked the workspace, or moved its state.
  const row = await lockWorkspaceRow(tx, workspaceId);
  const ground = known === undefined ? await groundOf(tx, deps, row) : { ...known, workspace: asOf(row, now) };
  const around = surroundings(ground, now);
  const settling = { ground, around, fresh: new Set(fresh), admitted: new Map<string, Run>() };
  const line = await readLine(tx, workspaceId, around, LIMITS.admissionsAtOnce);
  const plans = line.plan === null ? [] : [line.plan];
  for (const run of line.queuedPlans) plans.push(await admit(tx, deps, settling, run));
  const { holder, next } = await firstInLine(tx, deps, settling, line);
  const [plan = null] = plans.toSorted((a, b) => b.priority - a.priority || a.number - b.number);
  const offered = [next, plan].filter((run) => run !== null).filter((run) => canGo(run, around));
  await dispatch(tx, settling, offered);
  const dispatched = new Set(offered.map(({ id }) => id));
  if (tell) await tellWorkspace(tx, deps, { ...settling, holder, dispatched });
  return settling.admitted;
}

function canGo(run: Run, around: Surroundings): boolean {
  return STATUS_TRAITS[run.status].claimable && obstaclesOf(run, around).length === 0;
}

/**
 * The run that has the workspace, and the one that a runner may take for it: that one, or the first that is approved and
 * wants it back, or the first of the queue, which is admitted. null where something else must happen before.
 */
async function firstInLine(
  tx: Transaction,
  deps: Deps,
  settling: Settling,
  line: Line,
): Promise<{ holder: Run | null; next: Run | null }> {
  const { ground, around } = settling;
  let { holder, next } = line;
  if (holder === null) {
    const approved = line.waiting.toSorted((a, b) => dispatchClass(a) - dispatchClass(b));
    const back = approved.find((run) => canGo(run, around));
    if (back !== undefined) return { holder, next: back };
  }
  while (holder === null && next !== null) {
    const admitted = await admit(tx, deps, settling, next);
    if (admitted.holdsWorkspace) holder = admitted;
    // It does not keep the workspace (at a gate): the next one follows.
    else next = await findNext(tx, ground.workspace.id, around);
  }
  return { holder, next: holder !== null && canGo(holder, around) ? holder : null };
}

/** Gives the run as it is then. */
async function admit(tx: Transaction, deps: Deps, { ground, fresh, admitted }: Settling, queued: Run): Promise<Run> {
  const { id } = queued;
  fresh.add(id);
  const locked = await runOn(tx, ground, queued);
  const decision = decide(factsOf(locked), { type: "admit" });
  if (!decision.accepted) throw new Error(`Admitting ${id}: ${decision.reason}`);
  let run = await recordTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID });
  const madeFrom = locked.plan ?? locked.rollback;
  const stale = madeFrom === null ? null : staleReason(madeFrom, locked.workspace);
  // What went stale in the queue is not asked about; a plan that nobody is asked about fails at its claim.
  if (stale !== null && STATUS_TRAITS[run.status].gate !== null)
    run = await discard(tx, deps, { ...locked, run }, stale);
  admitted.set(id, run);
  return run;
}

function discard(tx: Transaction, deps: Deps, locked: LockedRun, reason: string): Promise<Run> {
  const decision = decide(factsOf(locked), { type: "discard", planVersion: null });
  if (!decision.accepted) throw new Error(`Discarding ${locked.run.id}: ${decision.reason}`);
  return recordTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, reason });
}

/** Makes the rows of the workspace in the dispatch table those of these runs. */
async function dispatch(tx: Transaction, { ground, around }: Settling, wanted: readonly Run[]): Promise<void> {
  const { workspace } = ground;
  const { runnerPoolId: poolId, runnerLabels: labels } = workspace;
  const rows = await listDispatched(tx, workspace.id);
  const same = (run: Run, row: (typeof rows)[number]) =>
    row.runId === run.id &&
    row.class === dispatchClass(run) &&
    row.priority === run.priority &&
    row.poolId === poolId &&
    row.labels.join(" ") === labels.join(" ");
  for (const row of rows) {
    if (!wanted.some((run) => same(run, row))) await leaveDispatch(tx, workspace.organizationId, row.runId);
  }
  for (const run of wanted) {
    if (rows.some((row) => same(run, row))) continue;
    const { id: runId, organizationId, workspaceId, priority } = run;
    const row = { runId, organizationId, workspaceId, priority, class: dispatchClass(run), since: around.at };
    await enterDispatch(tx, { ...row, poolId, labels }, heardSince(new Date(around.at)));
  }
}
