import { type ActorCaller, can } from "../../model/people/permission.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import {
  findRunAtWork,
  listWorkspacesOfPool,
  markRunnerPoolDeleted,
} from "../../persistence/runner/runner-pool-store.ts";
import { listChecksOfPool } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRunSummaries } from "../../persistence/run/run-store.ts";
import { nameWorkspaces, WORKSPACES_FOR_NAMES } from "../access/name-workspaces.ts";
import type { Deps } from "../kit/deps.ts";
import { commandPool } from "./pool-command.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";

/** Deletes a pool and its tokens. Refused while workspaces or external checks name it, or a runner of it has a job. */
export async function deleteRunnerPool(deps: Deps, caller: ActorCaller, input: { poolId: string }): Promise<string> {
  const { poolId } = input;
  const spec = { name: "deleteRunnerPool", poolId, words: "deleting runner pools" };
  await commandPool(deps, caller, spec, async (tx) => {
    const workspaces = await listWorkspacesOfPool(tx, poolId, WORKSPACES_FOR_NAMES);
    if (workspaces.length > 0) {
      const names = nameWorkspaces(caller, workspaces);
      throw invalidField("poolId", `is used by these workspaces; give them another pool first: ${names}.`);
    }
    await requireNoChecks(tx, poolId);
    const runId = await findRunAtWork(tx, poolId);
    if (runId !== null) await refuseAtWork(tx, caller, runId);
    await markRunnerPoolDeleted(tx, poolId, deps.clock().toISOString());
    // Wakes its runners that wait for work.
    tx.announce("work");
  });
  await updateReachability(deps);
  return poolId;
}

/** A caller that may change pools of an organization reads it, and so the names of its checks. */
async function requireNoChecks(tx: Transaction, poolId: string): Promise<void> {
  const checks = await listChecksOfPool(tx, poolId);
  if (checks.length === 0) return;
  throw invalidField("poolId", `is used by these external checks; give them another pool first: ${checks.join(", ")}.`);
}

/** The run is named to those who may read it alone. */
async function refuseAtWork(tx: Transaction, caller: ActorCaller, runId: string): Promise<never> {
  const [run = null] = await findRunSummaries(tx, [runId]);
  if (run === null || !can(caller, "RUN_READ", run)) {
    throw invalidField("poolId", "has a runner that works on a run. Drain it and wait, then delete the pool.");
  }
  const message = "A runner of the pool has a job of this run. Drain it and wait, then delete the pool.";
  throw new UserError("RUN_STATE_CONFLICT", message, { runId });
}
