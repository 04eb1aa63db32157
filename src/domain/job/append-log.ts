import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { isPhaseOfLeg } from "../../model/run/phase-of-run.ts";
import { batch } from "../../persistence/database/batch.ts";
import { decodeLines, encodeTexts } from "../../persistence/log/log-codec.ts";
import { appendLog as append } from "../../persistence/log/log-store.ts";
import { appendNextLines, type NextLines } from "../../persistence/log/next-lines-store.ts";
import { newestAttempt } from "../../persistence/plan/phase-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";
import { type LogAppendReply, type LogAppendInput, JobLogQueue, type LogPost } from "./job-log-queue.ts";

type LogDeps = Pick<Deps, "clock" | "database">;
export type AppendLog = (caller: JobCaller, input: LogAppendInput) => Promise<LogAppendReply>;

/** The posts of one job that were stored as one batch, and the outcome of the statement. */
interface Stored {
  posts: readonly LogPost[];
  outcome: "STORED" | "NOT_STORED" | Error;
}
type Store = (queue: JobLogQueue) => Promise<Stored>;

/**
 * Creates the function that appends log lines. Line numbers must follow exactly; a repeated post is acknowledged.
 * Throws JOB_OVER, and TOO_LARGE beyond the limits of a phase or a run. Those limits leave room for the closing lines
 * of a runner that reached its own limit.
 *
 * While a statement runs, further posts collect; the next statement stores them, one batch per job. That halves the CPU
 * time of posts of 100 lines. Each post is acknowledged once its lines are durable. A post with an error does not
 * affect the others.
 */
export function createAppendLog(deps: LogDeps): AppendLog {
  const queues = new Map<string, JobLogQueue>();
  const store: Store = batch((waiting: readonly JobLogQueue[]) => storeBatch(deps, waiting), {
    most: LIMITS.logJobsAtOnce,
    atOnce: 1,
    patienceMs: LIMITS.logPatienceMs,
  });
  const open = (jobId: string): JobLogQueue => {
    const queue = new JobLogQueue();
    queues.set(jobId, queue);
    void work(jobId, queue);
    return queue;
  };
  const work = async (jobId: string, queue: JobLogQueue): Promise<void> => {
    do {
      await queue.waitForGap();
      await answer(deps, queue, await store(queue));
    } while (!queue.isEmpty);
    queues.delete(jobId);
  };
  return (caller, input) => {
    authorizeJob(caller, "job:work");
    if (!isPhaseOfLeg(input.phase, caller.leg)) {
      throw new JobError(
        "FORBIDDEN",
        `A job on the leg ${caller.leg} may not append lines to the phase ${input.phase}. Send a phase of that leg.`,
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<LogAppendReply>();
    const lastLine = input.firstLine + input.summary.lineCount - 1;
    const queue = queues.get(caller.jobId) ?? open(caller.jobId);
    queue.add({ ...input, caller, lastLine, resolve, reject });
    return promise;
  };
}

/**
 * Stores the collected posts of several jobs with one statement. NOT_STORED may also mean that the outcome is unknown.
 */
async function storeBatch({ database, clock }: LogDeps, queues: readonly JobLogQueue[]): Promise<Stored[]> {
  const taken = queues.map((queue) => queue.take());
  try {
    const batches = taken.map(joined);
    const stored = await database.statement((one) => appendNextLines(one, batches, clock().toISOString()));
    return taken.map((posts, index) => ({ posts, outcome: stored[index] === true ? "STORED" : "NOT_STORED" }));
  } catch (error) {
    // Neither the faulty post nor the outcome is known: each job is stored separately and gets its own error.
    const outcome = queues.length === 1 && error instanceof Error ? error : "NOT_STORED";
    return taken.map((posts) => ({ posts, outcome }));
  }
}

function joined(posts: readonly LogPost[]): NextLines {
  const [first, last] = [posts[0], posts.at(-1)];
  if (first === undefined || last === undefined) throw new Error("A batch has no posts.");
  return {
    jobId: first.caller.jobId,
    phase: first.phase,
    firstLine: first.firstLine,
    lastLine: last.lastLine,
    bytes: posts.reduce((sum, { summary }) => sum + summary.byteCount, 0),
    streams: posts.reduce((bits, { summary }) => bits | summary.streams, 0),
    body: encodeTexts(posts.map(({ text }) => text)),
  };
}

async function answer(deps: LogDeps, queue: JobLogQueue, { posts, outcome }: Stored): Promise<void> {
  if (outcome === "STORED") {
    const { atOnce } = queue;
    for (const { lastLine, resolve } of posts) {
      queue.stored(lastLine + 1);
      resolve({ ok: true, nextLine: lastLine + 1, atOnce });
    }
  } else if (outcome === "NOT_STORED") {
    for (const post of posts) await storeSingly(deps, queue, post);
  } else for (const { reject } of posts) reject(outcome);
}

async function storeSingly(deps: LogDeps, queue: JobLogQueue, post: LogPost): Promise<void> {
  try {
    const { ok, nextLine } = await appendSingly(deps, post);
    const { atOnce } = queue;
    if (ok) queue.stored(null);
    if (ok || !queue.keeps(post, nextLine)) post.resolve({ ok, nextLine, atOnce });
  } catch (error) {
    post.reject(error);
  }
}

/** Appends one post in steps, so that a refusal can name its reason. */
function appendSingly(
  { database, clock }: LogDeps,
  { caller, phase, firstLine, text }: LogPost,
): Promise<Omit<LogAppendReply, "atOnce">> {
  return database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const attempt = await newestAttempt(tx, job.runId, phase);
    if (attempt === 0)
      throw new JobError("OUT_OF_ORDER", `The phase ${phase} has not begun. Report the message that starts it first.`);
    const lines = decodeLines({ first_line: firstLine, phase, attempt, body: encodeTexts([text]) });
    const { full, ...answer } = await append(
      tx,
      job.runId,
      { phase, attempt, firstLine, lines },
      clock().toISOString(),
    );
    if (full !== undefined) {
      const bytes = full === "PHASE" ? LIMITS.logPhaseBytes : LIMITS.logRunBytes;
      const whose = full === "PHASE" ? `the phase ${phase}` : "the run";
      throw new JobError(
        "TOO_LARGE",
        `The log of ${whose} may have at most ${bytes} bytes of text. Send no more lines.`,
      );
    }
    return answer;
  });
}
