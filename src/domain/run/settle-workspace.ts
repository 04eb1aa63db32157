/** What goes on in a workspace: who is admitted, and who may be claimed. Called wherever that may have changed. */
import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { staleReason } from "../../model/plan.ts";
import { dispatchClass, obstaclesOf, type Surroundings } from "../../model/eligibility.ts";
import { LIMITS } from "../../model/limits.ts";
import type { Run } from "../../model/run.ts";
import { decide } from "../../model/run-machine.ts";
import { STATUS_FACTS } from "../../model/run-status.ts";
import type { Transaction } from "../../persistence/database.ts";
import { enterDispatch, leaveDispatch, listDispatched } from "../../persistence/dispatch-store.ts";
import { listQueued, listWaiting } from "../../persistence/run-queue-store.ts";
import { findHolders, lockRun } from "../../persistence/run-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { factsOf, type Ground, groundOf, type LockedRun, runOn } from "./locked-run.ts";
import { recordChange } from "./record-change.ts";
import { surroundings } from "./surroundings.ts";
import { tellWorkspace } from "./tell-blockers.ts";

export interface SettleOptions {
  /** Runs that came to their status in this transaction, so that their listeners know. */
  fresh?: readonly string[];
  /** false: nothing that other runs wait for was changed. */
  tell?: boolean;
}

/** A workspace while it is settled. */
interface Settling {
  ground: Ground;
  around: Surroundings;
  fresh: Set<string>;
}

/**
 * Admits what nothing is in the way of: every speculative run, because it holds nothing, and the first of the others
 * where the workspace is free. Then has in the dispatch table what a runner may take, and tells the others what they
 * wait for now. The workspace's row must be locked.
 */
export async function settleWorkspace(
  tx: Transaction,
  deps: Deps,
  workspaceId: string,
  { fresh = [], tell = true }: SettleOptions = {},
): Promise<void> {
  const ground = await groundOf(tx, deps, await lockWorkspaceRow(tx, workspaceId));
  const around = surroundings(ground, deps.clock());
  const settling = { ground, around, fresh: new Set(fresh) };
  const queued = await listQueued(tx, workspaceId, "speculative", around, LIMITS.admissionsAtOnce);
  for (const run of queued) await admit(tx, deps, settling, run);
  const { holder, next } = await firstInLine(tx, deps, settling);
  const [speculative = null] = await listWaiting(tx, workspaceId, "speculative", 1);
  const offered = [next, speculative].filter((run) => run !== null).filter((run) => canGo(run, around));
  await dispatch(tx, settling, offered);
  const dispatched = new Set(offered.map(({ id }) => id));
  if (tell) await tellWorkspace(tx, deps, { ...settling, holder, dispatched });
}

function canGo(run: Run, around: Surroundings): boolean {
  return STATUS_FACTS[run.status].claimable && obstaclesOf(run, around).length === 0;
}

/**
 * The run that has the workspace, and the one that a runner may take for it: that one, or the first that is approved and
 * wants it back, or the first of the queue, which is admitted. null where something else must happen before.
 */
async function firstInLine(
  tx: Transaction,
  deps: Deps,
  settling: Settling,
): Promise<{ holder: Run | null; next: Run | null }> {
  const { ground, around } = settling;
  const { id } = ground.workspace;
  for (;;) {
    const [holder = null] = await findHolders(tx, [id]);
    if (holder !== null) return { holder, next: canGo(holder, around) ? holder : null };
    const approved = await listWaiting(tx, id, "holding");
    const back = approved.toSorted((a, b) => dispatchClass(a) - dispatchClass(b)).find((run) => canGo(run, around));
    if (back !== undefined) return { holder: null, next: back };
    const [next] = await listQueued(tx, id, "holding", around, 1);
    if (next === undefined) return { holder: null, next: null };
    // Where it does not keep the workspace (at a gate), the next one follows.
    await admit(tx, deps, settling, next);
  }
}

async function admit(tx: Transaction, deps: Deps, { ground, fresh }: Settling, { id }: Run): Promise<void> {
  fresh.add(id);
  const locked = await runOn(tx, ground, await lockRun(tx, id));
  const decision = decide(factsOf(locked), { type: "admit" });
  if (!decision.accepted) throw new Error(`Admitting ${id}: ${decision.reason}`);
  const admitted = await recordChange(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID });
  const stale = locked.plan === null ? null : staleReason(locked.plan, locked.workspace);
  // A plan that went stale in the queue is not asked about; one that nobody is asked about fails at its claim.
  if (stale !== null && STATUS_FACTS[admitted.status].gate)
    await discard(tx, deps, { ...locked, run: admitted }, stale);
}

async function discard(tx: Transaction, deps: Deps, locked: LockedRun, reason: string): Promise<void> {
  const decision = decide(factsOf(locked), { type: "discard", planVersion: null });
  if (!decision.accepted) throw new Error(`Discarding ${locked.run.id}: ${decision.reason}`);
  await recordChange(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, reason });
}

/** Makes the rows of the workspace in the dispatch table those of these runs. */
async function dispatch(tx: Transaction, { ground, around }: Settling, wanted: readonly Run[]): Promise<void> {
  const { workspace } = ground;
  const rows = await listDispatched(tx, workspace.id);
  const same = (run: Run, row: (typeof rows)[number]) =>
    row.runId === run.id && row.class === dispatchClass(run) && row.priority === run.priority;
  for (const row of rows) {
    if (!wanted.some((run) => same(run, row))) await leaveDispatch(tx, workspace.organizationId, row.runId);
  }
  for (const run of wanted) {
    if (rows.some((row) => same(run, row))) continue;
    await enterDispatch(tx, {
      runId: run.id,
      organizationId: run.organizationId,
      workspaceId: run.workspaceId,
      class: dispatchClass(run),
      priority: run.priority,
      since: around.at,
    });
  }
}
