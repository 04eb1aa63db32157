import type { JobCaller } from "../../model/permission.ts";
import type { ExecutedPhase } from "../../model/phase.ts";
import { appendLog as append } from "../../persistence/log-store.ts";
import { newestAttempt } from "../../persistence/phase-store.ts";
import type { Deps } from "../deps.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

export interface LogAppendInput {
  phase: ExecutedPhase;
  firstLine: number;
  lines: { at: string; text: string }[];
}

/** Appends lines whose numbers follow exactly; the same lines again are taken as said. Throws JOB_OVER. */
export function appendLog(
  deps: Deps,
  caller: JobCaller,
  input: LogAppendInput,
): Promise<{ ok: boolean; nextLine: number }> {
  authorizeJob(caller, "job:work");
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const attempt = await newestAttempt(tx, job.runId, input.phase);
    if (attempt === 0) throw new JobError("OUT_OF_ORDER", `The phase ${input.phase} has not begun.`);
    return append(tx, job.runId, { ...input, attempt }, deps.clock().toISOString());
  });
}
