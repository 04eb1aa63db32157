/** What goes on in a workspace: who is admitted, and who may be claimed. Called wherever that may have changed. */
import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { dispatchClass, obstaclesOf, type Surroundings } from "../../model/eligibility.ts";
import type { Run } from "../../model/run.ts";
import { decide } from "../../model/run-machine.ts";
import { STATUS_FACTS } from "../../model/run-status.ts";
import type { Transaction } from "../../persistence/database.ts";
import { enterDispatch, leaveDispatch, listDispatched } from "../../persistence/dispatch-store.ts";
import { findHolders, listQueued, listWaiting, lockRun } from "../../persistence/run-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { factsOf, type Ground, groundOf, runOn } from "./locked-run.ts";
import { recordChange } from "./record-change.ts";

/**
 * Admits what nothing is in the way of: every speculative run, because it holds nothing, and the first of the others
 * where the workspace is free. Then has in the dispatch table what a runner may take. The workspace's row must be locked.
 */
export async function settleWorkspace(tx: Transaction, deps: Deps, workspaceId: string): Promise<void> {
  const ground = await groundOf(tx, deps, await lockWorkspaceRow(tx, workspaceId));
  const around = surroundings(ground, deps.clock());
  for (const run of await listQueued(tx, workspaceId, "speculative", around)) await admit(tx, deps, ground, run);
  const first = await firstInLine(tx, deps, ground, around);
  const [speculative = null] = await listWaiting(tx, workspaceId, "speculative", 1);
  await dispatch(tx, ground, [first, around.paused ? null : speculative]);
}

function surroundings({ workspace, frozenUntil }: Ground, at: Date): Surroundings {
  return { at: at.toISOString(), paused: workspace.paused, lock: workspace.lock?.reason ?? null, frozenUntil };
}

/**
 * The run that a runner may take for the workspace itself: the one that has it, or the first that is approved and wants
 * it back, or the first of the queue, which is admitted. null where something else must happen before.
 */
async function firstInLine(tx: Transaction, deps: Deps, ground: Ground, around: Surroundings): Promise<Run | null> {
  const { id } = ground.workspace;
  const canGo = (run: Run) => STATUS_FACTS[run.status].claimable && obstaclesOf(run, around).length === 0;
  for (;;) {
    const [holder = null] = await findHolders(tx, [id]);
    if (holder !== null) return canGo(holder) ? holder : null;
    const approved = await listWaiting(tx, id, "holding");
    const back = approved.find(canGo);
    if (back !== undefined) return back;
    const [next] = await listQueued(tx, id, "holding", around, 1);
    if (next === undefined) return null;
    // Where it does not keep the workspace (at a gate), the next one follows.
    await admit(tx, deps, ground, next);
  }
}

async function admit(tx: Transaction, deps: Deps, ground: Ground, { id }: Run): Promise<void> {
  const locked = await runOn(tx, ground, await lockRun(tx, id));
  const decision = decide(factsOf(locked), { type: "admit" });
  if (!decision.accepted) throw new Error(`Admitting ${id}: ${decision.reason}`);
  await recordChange(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID });
}

/** Makes the rows of the workspace in the dispatch table those of these runs. */
async function dispatch(tx: Transaction, { workspace }: Ground, runs: readonly (Run | null)[]): Promise<void> {
  const wanted = runs.filter((run) => run !== null);
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
      since: run.statusAt,
    });
  }
}
