import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import {
  findRunAtWork,
  listWorkspacesOfPool,
  markRunnerPoolDeleted,
} from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandPool } from "./pool-command.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";

const NAMED = 5;

/** Deletes a pool and its tokens. Refused while workspaces name it, or a runner of it has a job. */
export async function deleteRunnerPool(deps: Deps, caller: ActorCaller, input: { poolId: string }): Promise<string> {
  const { poolId } = input;
  const spec = { name: "deleteRunnerPool", poolId, words: "deleting runner pools" };
  await commandPool(deps, caller, spec, async (tx) => {
    const workspaces = await listWorkspacesOfPool(tx, poolId, NAMED + 1);
    if (workspaces.length > 0) {
      const more = workspaces.length > NAMED ? " and others" : "";
      const message = `is used by these workspaces; give them another pool first: ${workspaces.slice(0, NAMED).join(", ")}${more}.`;
      throw invalidField("poolId", message);
    }
    const runId = await findRunAtWork(tx, poolId);
    if (runId !== null) {
      throw new UserError(
        "RUN_STATE_CONFLICT",
        "A runner of the pool has a job of this run. Drain it and wait, then delete the pool.",
        { runId },
      );
    }
    await markRunnerPoolDeleted(tx, poolId, deps.clock().toISOString());
    // Wakes its runners that wait for work.
    tx.announce("work");
  });
  await updateReachability(deps);
  return poolId;
}
