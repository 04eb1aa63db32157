/** Runs one job in a process, and ends the process where a limit is exceeded. */
import type { ExpressionOutcome } from "../../model/probe/prober.ts";
import type { JudgeLimits, PolicyErrorKind, PolicyProblem } from "../../model/policy/evaluator.ts";
import type { Job, Line } from "../child/messages.ts";
import { MIB } from "../kit/bounds.ts";
import type { PolicyReport, ReportedError } from "../kit/policy-report.ts";
import type { Ending, EvaluatorProcess } from "./evaluator-process.ts";

/** The result of a job: lines up to its end. */
export interface JobResult {
  reports: Map<number, PolicyReport>;
  problems: PolicyProblem[];
  /** The value of an expression over an answer; `null` for other jobs. */
  outcome: ExpressionOutcome | null;
  cpuMs: number;
  stop: JobStop | null;
}

/** The reason why a job ended early. */
export interface JobStop {
  /** The policy at work; `null` while the policies were prepared. */
  index: number | null;
  /** POLICY: others can be judged. ALL: none can. RETRY: the process was ended from outside. WAY: it gave way to another call. */
  scope: "POLICY" | "ALL" | "RETRY" | "WAY";
  error: ReportedError;
}

export interface JobOptions {
  limits: JudgeLimits;
  /** CPU time of the judgement before this job. */
  spentCpuMs: number;
  /** Gives the text of a policy for errors. */
  nameOf: (index: number) => string;
  signal?: AbortSignal | undefined;
  /** The limit by the wall clock, as a multiple of that of CPU time. Absent: six. */
  wallFactor?: number;
  /** Aborts when another call needs the process: the job ends, with the reports so far. */
  giveWay?: AbortSignal | undefined;
}

const CHECK_MS = 50;
const FATAL_SIGNALS: ReadonlySet<string> = new Set(["SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS"]);
/** The wall clock is a backstop: a limit of CPU alone does not end a process that waits. */
const WALL_FACTOR = 6;
/** The least limit while a process starts, which takes CPU time of its own. */
const START_CPU_MS = 5000;

/** The CPU time and the wall clock at the beginning of a job, or of a policy. */
interface Mark {
  cpuMs: number;
  wallMs: number;
}

/** Runs a job to its end. Rejects only if `signal` aborts. */
export function runJob(child: EvaluatorProcess, job: Job, options: JobOptions): Promise<JobResult> {
  const { limits, spentCpuMs, nameOf, signal, giveWay, wallFactor = WALL_FACTOR } = options;
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  const result: JobResult = { reports: new Map(), problems: [], outcome: null, cpuMs: 0, stop: null };
  let lastBytes = 0;
  const now = (): number => performance.now();
  let begun: Mark | null = null;
  let policy: (Mark & { index: number }) | null = null;
  const sentAtMs = now();
  /** A process that was killed still reports its end. */
  let isOver = false;

  const subject = (): string => {
    if (policy !== null) return `Policy "${nameOf(policy.index)}"`;
    if (job.type === "judge") return "The preparation of the policies";
    return job.type === "answer" ? "The expression" : "The check";
  };

  function onLine(line: Line): void {
    if (isOver) return;
    switch (line.type) {
      case "begin":
        begun = { cpuMs: line.cpuMs, wallMs: now() };
        return;
      case "policy":
        policy = { index: line.index, cpuMs: line.cpuMs, wallMs: now() };
        return;
      case "report":
        result.reports.set(line.index, line.report);
        return;
      case "problems":
        result.problems = line.problems;
        return;
      case "outcome":
        result.outcome = line.outcome;
        return;
      case "unprepared": {
        const [error] = line.report.errors;
        if (error !== undefined) result.stop = { index: null, scope: "ALL", error };
        return;
      }
      case "end":
        result.cpuMs = line.cpuMs - (begun?.cpuMs ?? 0);
        finish();
    }
  }

  /** Checks the limits; their errors name the limit and the use. */
  function check(): void {
    const usage = child.usage();
    lastBytes = usage?.memoryBytes ?? lastBytes;
    if (usage !== null && usage.memoryBytes > limits.memoryBytes) {
      const [used, limit] = [usage.memoryBytes, limits.memoryBytes].map((bytes) => `${Math.ceil(bytes / MIB)} MiB`);
      return stop("POLICY", "MEMORY", `${subject()} used ${used} of memory; the limit is ${limit}.`);
    }
    const all = usedSince(begun ?? { cpuMs: 0, wallMs: sentAtMs }, usage?.cpuMs ?? null);
    result.cpuMs = all.cpuMs ?? result.cpuMs;
    const limitMs = begun === null ? Math.max(limits.cpuMs, START_CPU_MS) : limits.cpuMs;
    const spent = { ...all, cpuMs: all.cpuMs === null ? null : spentCpuMs + all.cpuMs };
    const total = exceeded(spent, limitMs, wallFactor);
    if (total !== null) return stop("ALL", "TIME", `All policies together ${total}.`);
    const own =
      policy === null ? null : exceeded(usedSince(policy, usage?.cpuMs ?? null), limits.cpuMsPerPolicy, wallFactor);
    if (own !== null) stop("POLICY", "TIME", `${subject()} ${own}.`);
  }

  function usedSince(mark: Mark, cpuMs: number | null): { cpuMs: number | null; wallMs: number } {
    return { cpuMs: cpuMs === null ? null : Math.max(0, cpuMs - mark.cpuMs), wallMs: now() - mark.wallMs };
  }

  function stop(scope: JobStop["scope"], kind: PolicyErrorKind, message: string): void {
    const index = policy?.index ?? null;
    result.stop = { index, scope: index === null && scope === "POLICY" ? "ALL" : scope, error: { kind, message } };
    child.kill();
    finish();
  }

  function onEnd({ code, signal: by }: Ending): void {
    if (isOver) return;
    // The engine aborts at its heap limit; where memory is short it also ends by a trap or at an address.
    const hasAborted = by === "SIGABRT" || code === 134;
    const hasFailed = FATAL_SIGNALS.has(by ?? "") && lastBytes > limits.memoryBytes / 2;
    if (hasAborted || hasFailed) {
      const limit = `${Math.floor(limits.memoryBytes / MIB)} MiB`;
      return stop("POLICY", "MEMORY", `${subject()} used all memory of its process; the limit is ${limit}.`);
    }
    stop("RETRY", "CRASH", `${subject()} ended its process (${by ?? `exit code ${code}`}).`);
  }

  function yieldProcess(): void {
    stop("WAY", "CRASH", `${subject()} gave way to another call.`);
  }

  function abort(): void {
    child.kill();
    cleanUp();
    reject(abortReason(signal));
  }

  function finish(): void {
    cleanUp();
    resolve(result);
  }

  function cleanUp(): void {
    isOver = true;
    clearInterval(timer);
    signal?.removeEventListener("abort", abort);
    giveWay?.removeEventListener("abort", yieldProcess);
  }

  const timer = setInterval(check, CHECK_MS);
  signal?.addEventListener("abort", abort, { once: true });
  giveWay?.addEventListener("abort", yieldProcess, { once: true });
  if (signal?.aborted === true) abort();
  else if (child.hasEnded) onEnd({ code: null, signal: null });
  else child.start(job, { onLine, onEnd });
  return promise;
}

/** Gives the text of a limit that was exceeded, with the use; `null` if none was. */
function exceeded(
  { cpuMs, wallMs }: { cpuMs: number | null; wallMs: number },
  limitMs: number,
  wallFactor: number,
): string | null {
  if (cpuMs !== null && cpuMs > limitMs) return `used ${cpuMs} ms of CPU time; the limit is ${limitMs} ms`;
  if (wallMs <= limitMs * wallFactor) return null;
  return `took ${Math.round(wallMs)} ms; the limit is ${limitMs * wallFactor} ms, ${wallFactor} times that of CPU time`;
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("The evaluation was aborted");
}
