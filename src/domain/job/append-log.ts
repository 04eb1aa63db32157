import { LIMITS } from "../../model/limits.ts";
import type { JobCaller } from "../../model/permission.ts";
import type { LogStream } from "../../model/log.ts";
import type { ExecutedPhase } from "../../model/phase.ts";
import { isPhaseOfLeg } from "../../model/phase-of-run.ts";
import { appendLog as append } from "../../persistence/log-store.ts";
import { appendNextLines } from "../../persistence/next-lines-store.ts";
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
export async function appendLog(
  deps: Deps,
  caller: JobCaller,
  input: LogAppendInput,
): Promise<{ ok: boolean; nextLine: number }> {
  authorizeJob(caller, "job:work");
  if (!isPhaseOfLeg(input.phase, caller.leg)) {
    throw new JobError("FORBIDDEN", `A job on the leg ${caller.leg} has no lines for the phase ${input.phase}.`);
  }
  const at = deps.clock().toISOString();
  const isNext = await deps.database.statement((statement) =>
    appendNextLines(statement, { ...input, jobId: caller.jobId, runId: caller.runId, at }),
  );
  return isNext ? { ok: true, nextLine: input.firstLine + input.lines.length } : appendSlowly(deps, caller, input, at);
}

/** One question after the other, so that a refusal can say why. */
function appendSlowly(
  deps: Deps,
  caller: JobCaller,
  input: LogAppendInput,
  at: string,
): Promise<{ ok: boolean; nextLine: number }> {
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const attempt = await newestAttempt(tx, job.runId, input.phase);
    if (attempt === 0) throw new JobError("OUT_OF_ORDER", `The phase ${input.phase} has not begun.`);
    const { full, ...answer } = await append(tx, job.runId, { ...input, attempt }, at);
    if (full !== undefined) {
      const bytes = full === "PHASE" ? LIMITS.logPhaseBytes : LIMITS.logRunBytes;
      const whose = full === "PHASE" ? `the phase ${input.phase}` : "the run";
      throw new JobError("TOO_LARGE", `The log of ${whose} may have at most ${bytes} bytes of text.`);
    }
    return answer;
  });
}
