import type { ActorCaller } from "../../model/people/permission.ts";
import type { RunnerPool } from "../../model/runner/runner.ts";
import { offerSlots } from "../../persistence/dispatch/dispatch-store.ts";
import { updateRunnerPoolRow } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkDriftLimit, checkPoolName, commandPool, nameTaken } from "./pool-command.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";
import type { UpdateRunnerPoolInput } from "./runner-domain.ts";

/** Updates the given fields. Running jobs continue. */
export async function updateRunnerPool(
  deps: Deps,
  caller: ActorCaller,
  input: UpdateRunnerPoolInput,
): Promise<RunnerPool> {
  const { poolId } = input;
  const spec = { name: "updateRunnerPool", poolId, words: "changing runner pools" };
  const check = (issues: InputCheck): void => {
    for (const field of ["name", "reserved"] as const) {
      issues.require(input[field] !== null, field, "cannot be cleared.");
    }
    if (typeof input.name === "string") checkPoolName(issues, input.name);
    issues.text("description", input.description ?? null);
    checkDriftLimit(issues, input.driftCheckLimit);
  };
  const after = await commandPool(deps, caller, { ...spec, check }, async (tx, before) => {
    const pool: RunnerPool = {
      ...before,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      reserved: input.reserved ?? before.reserved,
      driftCheckLimit: input.driftCheckLimit === undefined ? before.driftCheckLimit : input.driftCheckLimit,
    };
    await updateRunnerPoolRow(tx, poolId, pool).catch((error: unknown) => {
      throw nameTaken(
        error,
        "runner_pool_name",
        `The organization already has a runner pool "${pool.name}". Choose another name.`,
      );
    });
    if (pool.driftCheckLimit !== before.driftCheckLimit) offerSlots(tx, pool.organizationId);
    // Its runners may now match other runs.
    tx.announce("work");
    return pool;
  });
  await updateReachability(deps);
  return after;
}
