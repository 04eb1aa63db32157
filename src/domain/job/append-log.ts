import { LIMITS } from "../../model/limits.ts";
import type { JobCaller } from "../../model/permission.ts";
import type { LogFacts } from "../../model/log-text.ts";
import type { ExecutedPhase } from "../../model/phase.ts";
import { isPhaseOfLeg } from "../../model/phase-of-run.ts";
import { inGroups } from "../../persistence/in-groups.ts";
import { decodeLines, encodeText } from "../../persistence/log-codec.ts";
import { appendLog as append } from "../../persistence/log-store.ts";
import { appendNextLines, type NextLines } from "../../persistence/next-lines-store.ts";
import { newestAttempt } from "../../persistence/phase-store.ts";
import type { Deps } from "../deps.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

export interface LogAppendInput {
  phase: ExecutedPhase;
  firstLine: number;
  /** As model/log-text.ts has it, with what it says of it. */
  text: Buffer;
  facts: LogFacts;
}

export interface LogAppendAnswer {
  ok: boolean;
  nextLine: number;
}

type LogDeps = Pick<Deps, "clock" | "database">;
export type AppendLog = (caller: JobCaller, input: LogAppendInput) => Promise<LogAppendAnswer>;

/**
 * Appends lines whose numbers follow exactly; the same lines again are taken as said. Throws JOB_OVER, and TOO_LARGE
 * behind the limits of a phase and of a run, which leave room for what a runner says once it has reached its own.
 *
 * What jobs send at the same time is stored by one statement: with three jobs that took half of Postgres' time and of the
 * server's own for it. Each is told when its lines are on the disk, and what is wrong with one is nobody else's trouble.
 */
export function createAppendLog(deps: LogDeps): AppendLog {
  const appendNext = inGroups((batches: readonly NextLines[]) => appendTogether(deps, batches), {
    most: LIMITS.logBatchesAtOnce,
    atOnce: 1,
    patienceMs: LIMITS.logPatienceMs,
  });
  return async (caller, { phase, firstLine, text, facts }) => {
    authorizeJob(caller, "job:work");
    if (!isPhaseOfLeg(phase, caller.leg)) {
      throw new JobError("FORBIDDEN", `A job on the leg ${caller.leg} has no lines for the phase ${phase}.`);
    }
    const { jobId } = caller;
    const { lineCount, byteCount: bytes, streams } = facts;
    const lastLine = firstLine + lineCount - 1;
    const next = { jobId, phase, firstLine, lastLine, bytes, streams, body: encodeText(text) };
    return (await appendNext(next)) ? { ok: true, nextLine: lastLine + 1 } : appendSlowly(deps, caller, next);
  };
}

/** Gives for each whether it was stored, as far as one statement can tell. */
async function appendTogether({ database, clock }: LogDeps, batches: readonly NextLines[]): Promise<boolean[]> {
  try {
    return await database.statement((statement) => appendNextLines(statement, batches, clock().toISOString()));
  } catch (error) {
    // Nobody can tell whose fault it is, nor whether they were stored: each asks for itself, and hears its own error.
    if (batches.length === 1) throw error;
    return batches.map(() => false);
  }
}

/** One question after the other, so that a refusal can say why. */
function appendSlowly(
  deps: LogDeps,
  caller: JobCaller,
  { phase, firstLine, body }: NextLines,
): Promise<LogAppendAnswer> {
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const attempt = await newestAttempt(tx, job.runId, phase);
    if (attempt === 0) throw new JobError("OUT_OF_ORDER", `The phase ${phase} has not begun.`);
    const lines = decodeLines({ first_line: firstLine, phase, attempt, body });
    const at = deps.clock().toISOString();
    const { full, ...answer } = await append(tx, job.runId, { phase, attempt, firstLine, lines }, at);
    if (full !== undefined) {
      const bytes = full === "PHASE" ? LIMITS.logPhaseBytes : LIMITS.logRunBytes;
      const whose = full === "PHASE" ? `the phase ${phase}` : "the run";
      throw new JobError("TOO_LARGE", `The log of ${whose} may have at most ${bytes} bytes of text.`);
    }
    return answer;
  });
}
