import { LIMITS } from "../../model/limits.ts";
import type { JobCaller } from "../../model/permission.ts";
import type { LogStream } from "../../model/log.ts";
import type { ExecutedPhase } from "../../model/phase.ts";
import { isPhaseOfLeg } from "../../model/phase-of-run.ts";
import { appendLog as append } from "../../persistence/log-store.ts";
import { newestAttempt } from "../../persistence/phase-store.ts";
import type { Deps } from "../deps.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

export interface LogAppendInput {
  phase: ExecutedPhase;
  firstLine: number;
  lines: { at: string; text: string; stream?: LogStream | undefined }[];
}

/**
 * Appends lines whose numbers follow exactly; the same lines again are taken as said. Throws JOB_OVER, and TOO_LARGE
 * behind the limits of a phase and of a run, which leave room for what a runner says once it has reached its own.
 */
export function appendLog(
  deps: Deps,
  caller: JobCaller,
  input: LogAppendInput,
): Promise<{ ok: boolean; nextLine: number }> {
  authorizeJob(caller, "job:work");
  if (!isPhaseOfLeg(input.phase, caller.leg)) {
    throw new JobError("FORBIDDEN", `A job on the leg ${caller.leg} has no lines for the phase ${input.phase}.`);
  }
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const attempt = await newestAttempt(tx, job.runId, input.phase);
    if (attempt === 0) throw new JobError("OUT_OF_ORDER", `The phase ${input.phase} has not begun.`);
    const { full, ...answer } = await append(tx, job.runId, { ...input, attempt }, deps.clock().toISOString());
    if (full !== undefined) {
      const bytes = full === "PHASE" ? LIMITS.logPhaseBytes : LIMITS.logRunBytes;
      const whose = full === "PHASE" ? `the phase ${input.phase}` : "the run";
      throw new JobError("TOO_LARGE", `The log of ${whose} may have at most ${bytes} bytes of text.`);
    }
    return answer;
  });
}
