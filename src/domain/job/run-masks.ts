/** What a run's own output declared as sensitive. */
import { LIMITS } from "../../model/limits.ts";
import type { JobCaller } from "../../model/permission.ts";
import { secretTexts } from "../../model/secret-texts.ts";
import type { Reader } from "../../persistence/database.ts";
import { countRunMasks, insertRunMasks, listRunMasks, lockRunMasks } from "../../persistence/run-mask-store.ts";
import type { Deps } from "../deps.ts";
import { readRunVariables } from "../run/run-variables.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

/** Values that jobs of a run mask, with those of the run that made its plan. */
export function runMasks(reader: Reader, { cipher }: Pick<Deps, "cipher">, runId: string): Promise<string[]> {
  return listRunMasks(reader, cipher, runId);
}

/** Whatever is not to be shown of what a run wrote, beside the secrets of its workspace. */
export async function runSecrets(reader: Reader, deps: Deps, runId: string): Promise<string[]> {
  return [...secretTexts(await readRunVariables(reader, deps, runId)), ...(await runMasks(reader, deps, runId))];
}

/**
 * Keeps values for later jobs of the run; those that are known already are taken as said. Throws TOO_LARGE where the run
 * would declare more than it may, and then keeps none of them.
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
