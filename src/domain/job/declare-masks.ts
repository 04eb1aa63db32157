import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { countRunMasks, insertRunMasks, listRunMasks, lockRunMasks } from "../../persistence/run/run-mask-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

/**
 * Stores values that later jobs of the run must mask. Known values are ignored. Throws TOO_LARGE if the run would then
 * have more than its limit, and stores none of them.
 */
export function declareMasks(deps: Deps, caller: JobCaller, values: readonly string[]): Promise<void> {
  authorizeJob(caller, "job:work");
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    await lockRunMasks(tx, job.runId);
    const known = await listRunMasks(tx, deps.cipher, job.runId);
    const count = await countRunMasks(tx, job.runId);
    const fresh = [...new Set(values)].filter((value) => !known.includes(value));
    if (count + fresh.length > LIMITS.masksPerRun) {
      throw new JobError("TOO_LARGE", `A run may declare at most ${LIMITS.masksPerRun} values to be masked.`);
    }
    const createdAt = deps.clock().toISOString();
    await insertRunMasks(tx, deps.cipher, job.runId, { values: fresh, count, createdAt });
  });
}
