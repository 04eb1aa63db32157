/** Evaluates policies in processes that can be killed. */
import pLimit from "p-limit";
import type {
  Evaluator,
  Judgement,
  JudgeInput,
  JudgeLimits,
  JudgeOptions,
  PolicyError,
} from "../model/policy/evaluator.ts";
import type { Policy, PolicySource } from "../model/policy/policy-source.ts";
import { MIB } from "./kit/bounds.ts";
import { failedReport, type PolicyReport, type ReportedError, toFinding } from "./kit/policy-report.ts";
import { startEvaluatorProcess } from "./process/evaluator-process.ts";
import { createProcessPool } from "./process/process-pool.ts";
import { type JobResult, runJob } from "./process/run-job.ts";

export interface EvaluatorOptions {
  /** Evaluations at the same time; as many again of runs that are yet to be created. */
  processes?: number;
}

const PROCESSES = 2;
const HEAP_BYTES = 384 * MIB;
/** The most that a process may take in its life, with the largest limits of a judgement. */
const PROCESS_CPU_SECONDS = 600;
const CHECK_LIMITS: JudgeLimits = { cpuMsPerPolicy: 5000, cpuMs: 5000, memoryBytes: 512 * MIB };
/** A job that needs more memory begins again with all that it may take, and only one such job works at a time. */
const SHARED_MEMORY_BYTES = 320 * MIB;
/** A process that was ended from outside is replaced this often for a judgement. */
const RETRIES = 2;

/** Creates an evaluator. It starts its processes on demand. */
export function createEvaluator({ processes = PROCESSES }: EvaluatorOptions = {}): Evaluator {
  const createPool = () =>
    createProcessPool({
      size: processes,
      start: () => startEvaluatorProcess({ heapBytes: HEAP_BYTES, cpuSeconds: PROCESS_CPU_SECONDS }),
    });
  const pool = createPool();
  // A caller waits for the answer at RUN_CREATE: it must not wait behind plans, which may take minutes.
  const poolOfCallers = createPool();
  const alone = pLimit(1);

  async function judge(
    source: PolicySource,
    input: JudgeInput,
    limits: JudgeLimits,
    { signal, isBackground }: JudgeOptions = {},
  ): Promise<Judgement> {
    const policies = policiesOf(source);
    const asked = policies.flatMap(({ point }, index) => (point === input.point ? [index] : []));
    const reports = new Map<number, PolicyReport>();
    let remaining = asked;
    let cpuMs = 0;
    let retries = RETRIES;
    let isLarge = false;
    while (remaining.length > 0) {
      const job = { type: "judge", source, input, indexes: remaining } as const;
      // Each time it waits for its turn: a source of endless policies does not keep a process to itself.
      const nameOf = (index: number): string => policies[index]?.name ?? "";
      const memoryBytes = isLarge ? limits.memoryBytes : Math.min(limits.memoryBytes, SHARED_MEMORY_BYTES);
      const options = { limits: { ...limits, memoryBytes }, spentCpuMs: cpuMs, nameOf, signal };
      const owner = input.point === "RUN_CREATE" ? poolOfCallers : pool;
      const run = (): Promise<JobResult> =>
        owner.run((child, giveWay) => runJob(child, job, { ...options, giveWay }), { signal, isBackground });
      const result: JobResult = isLarge ? await alone(run) : await run();
      if (result.stop?.error.kind === "MEMORY" && memoryBytes < limits.memoryBytes) {
        // Earlier reports stay; the policy begins again, and its CPU time with it.
        for (const [index, report] of result.reports) reports.set(index, report);
        remaining = remaining.filter((index) => !reports.has(index));
        isLarge = true;
        continue;
      }
      isLarge &&= result.stop?.scope === "WAY" || result.stop?.scope === "RETRY";
      // A policy that gave way begins again: its limit of CPU time is for one judgement.
      if (result.stop?.scope !== "WAY") cpuMs += result.cpuMs;
      for (const [index, report] of result.reports) reports.set(index, report);
      remaining = remaining.filter((index) => !reports.has(index));
      if (result.stop === null) break;
      const { index, scope, error } = result.stop;
      if (scope === "WAY" || (scope === "RETRY" && retries-- > 0)) continue;
      if (index !== null && scope !== "ALL") {
        reports.set(index, failedReport(error));
        remaining = remaining.filter((other) => other !== index);
      } else {
        for (const other of remaining) reports.set(other, failedReport(notJudged(error)));
        break;
      }
    }
    return toJudgement(policies, asked, reports, cpuMs);
  }

  return {
    judge,
    async check(source) {
      const policies = policiesOf(source).map(toPolicy);
      const options = { limits: CHECK_LIMITS, spentCpuMs: 0, nameOf: () => "" };
      for (let retries = RETRIES; ; retries--) {
        const { problems, stop } = await pool.run((child) => runJob(child, { type: "check", source }, options));
        if (stop === null) return { policies, problems };
        if (stop.scope !== "RETRY" || retries === 0) {
          return { policies, problems: [{ file: "", line: null, column: null, message: stop.error.message }] };
        }
      }
    },
    close: async () => void (await Promise.all([pool.close(), poolOfCallers.close()])),
  };
}

function policiesOf(source: PolicySource): readonly Policy[] {
  return source.language === "CEL" ? source.rules : source.policies;
}

function toPolicy({ name, point, level, stopsAutoApply }: Policy): Policy {
  return { name, point, level, stopsAutoApply };
}

function notJudged({ kind, message }: ReportedError): ReportedError {
  return { kind, message: `It was not judged. ${message}` };
}

function toJudgement(
  policies: readonly Policy[],
  asked: readonly number[],
  reports: ReadonlyMap<number, PolicyReport>,
  cpuMs: number,
): Judgement {
  const judgement: Judgement = { findings: [], errors: [], passed: 0, dropped: 0, cpuMs };
  for (const index of asked) {
    const policy = policies[index];
    const report = reports.get(index);
    if (policy === undefined || report === undefined) throw new Error(`Policy ${index} has no report`);
    const { findings, errors, dropped } = report;
    judgement.findings.push(...findings.map((finding) => toFinding(policy, finding)));
    judgement.errors.push(...errors.map((error) => toError(policy, error)));
    judgement.dropped += dropped;
    if (findings.length === 0 && errors.length === 0) judgement.passed++;
  }
  return judgement;
}

function toError({ name }: Policy, { kind, message }: ReportedError): PolicyError {
  const named = message.startsWith(`Policy "${name}"`) ? message : `Policy "${name}": ${message}`;
  return { policy: name, kind, message: named };
}
