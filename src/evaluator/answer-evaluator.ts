/** Evaluates expressions over the answers of probes, in a process of its own: a slow policy does not hold up a probe. */
import { PROBE_LIMITS } from "../model/probe/probe-limits.ts";
import type { AnswerEvaluator } from "../model/probe/prober.ts";
import type { JudgeLimits } from "../model/policy/evaluator.ts";
import type { Job } from "./child/messages.ts";
import { MIB } from "./kit/bounds.ts";
import { startEvaluatorProcess } from "./process/evaluator-process.ts";
import { createProcessPool } from "./process/process-pool.ts";
import { type JobResult, runJob } from "./process/run-job.ts";

const HEAP_BYTES = 128 * MIB;
/** The most that a process may take in its life: the pool replaces it long before. */
const PROCESS_CPU_SECONDS = 600;
/** A short limit of CPU time takes long by the clock where the machine is busy. */
const WALL_FACTOR = 60;
/** A process that was ended from outside is replaced this often for an expression. */
const RETRIES = 2;

const { cpuMs, memoryBytes } = PROBE_LIMITS.expression;
const LIMITS: JudgeLimits = { cpuMsPerPolicy: cpuMs, cpuMs, memoryBytes };

/** Creates an evaluator. It starts its process on demand. */
export function createAnswerEvaluator(): AnswerEvaluator {
  const start = (): ReturnType<typeof startEvaluatorProcess> =>
    startEvaluatorProcess({ heapBytes: HEAP_BYTES, cpuSeconds: PROCESS_CPU_SECONDS });
  const pool = createProcessPool({ size: 1, start });

  async function perform(job: Job, signal?: AbortSignal): Promise<JobResult> {
    const options = { limits: LIMITS, spentCpuMs: 0, nameOf: () => "", signal, wallFactor: WALL_FACTOR };
    for (let retries = RETRIES; ; retries--) {
      const result = await pool.run((child) => runJob(child, job, options), { signal });
      if (result.stop?.scope !== "RETRY" || retries === 0) return result;
    }
  }

  return {
    async evaluate(expression, answer, signal) {
      const { outcome, stop } = await perform({ type: "answer", expression, answer }, signal);
      return stop === null ? (outcome ?? "ERROR") : "LIMIT";
    },
    async check(expression, kind) {
      const { problems, stop } = await perform({ type: "checkAnswer", expression, kind });
      return stop?.error.message ?? problems[0]?.message ?? null;
    },
    close: () => pool.close(),
  };
}
