/** Messages between the server and a process that evaluates policies. */
import type { ProbeAnswer } from "../../model/probe/judge-answer.ts";
import type { ExpressionOutcome } from "../../model/probe/prober.ts";
import type { NetworkProbeKind } from "../../model/probe/probe.ts";
import type { JudgeInput, PolicyProblem } from "../../model/policy/evaluator.ts";
import type { PolicySource } from "../../model/policy/policy-source.ts";
import type { PolicyReport } from "../kit/policy-report.ts";

/** A job for the process, which works on one at a time. Sent over the channel of `fork`. */
export type Job =
  /** `indexes`: the policies of the source to judge, in this order. */
  | { type: "judge"; source: PolicySource; input: JudgeInput; indexes: readonly number[] }
  | { type: "check"; source: PolicySource }
  /** An expression over the answer of a probe, or its check. */
  | { type: "answer"; expression: string; answer: ProbeAnswer }
  | { type: "checkAnswer"; expression: string; kind: NetworkProbeKind };

/**
 * A part of a module, sent before its job, which has the others in its place. One message of 32 MiB would hold up the
 * event loop of the server.
 */
export interface ModulePart {
  type: "part";
  bytes: Uint8Array;
}

/**
 * A line of the process, as JSON. It is written to a pipe before the work that it announces: work does not return to the
 * event loop, which the channel would need. `cpuMs`: the CPU time of the process so far.
 */
export type Line =
  | { type: "begin"; cpuMs: number }
  | { type: "policy"; index: number; cpuMs: number }
  | { type: "report"; index: number; report: PolicyReport }
  | { type: "problems"; problems: PolicyProblem[] }
  | { type: "outcome"; outcome: ExpressionOutcome }
  /** The policies could not be prepared, for example because the document is malformed. */
  | { type: "unprepared"; report: PolicyReport }
  | { type: "end"; cpuMs: number };

/** The file descriptor of the pipe for lines. */
export const LINES_FD = 4;
