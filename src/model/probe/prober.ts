/** The contract between the code that wants probes and the code that sends their requests. */
import type { ProbeAnswer } from "./judge-answer.ts";
import type { NetworkProbeKind } from "./probe.ts";
import type { ProbeRequest } from "./probe-request.ts";
import type { ProbeSample } from "./probe-sample.ts";

/** Variables of an expression over an answer. `json`: the parsed body, or null. */
const ANSWER_VARIABLES = ["status", "headers", "json", "latencyMs"] as const;
/** Variables of an expression over an answer to GRAPHQL. */
export const GRAPHQL_ANSWER_VARIABLES = [...ANSWER_VARIABLES, "data"] as const;

export function answerVariables(kind: NetworkProbeKind): readonly string[] {
  return kind === "GRAPHQL" ? GRAPHQL_ANSWER_VARIABLES : ANSWER_VARIABLES;
}

/** TRUE, FALSE: the value. ERROR: it cannot be evaluated on this answer. LIMIT: it took too long or too much memory. */
export const EXPRESSION_OUTCOMES = ["TRUE", "FALSE", "ERROR", "LIMIT"] as const;
export type ExpressionOutcome = (typeof EXPRESSION_OUTCOMES)[number];

/** Evaluates expressions over answers, in a process that can be killed. */
export interface AnswerEvaluator {
  evaluate(expression: string, answer: ProbeAnswer, signal?: AbortSignal): Promise<ExpressionOutcome>;
  /** Returns what is wrong with an expression; `null` if it compiles. */
  check(expression: string, kind: NetworkProbeKind): Promise<string | null>;
  close(): Promise<void>;
}

/** Sends requests of probes. */
export interface Prober {
  /** Sends a request and judges its answer. Rejects only if `signal` aborts. */
  probe(request: ProbeRequest, signal?: AbortSignal): Promise<ProbeSample>;
  /** Returns what is wrong with an expression; `null` if it compiles. */
  checkExpression(expression: string, kind: NetworkProbeKind): Promise<string | null>;
  /** Whether an address, which is not a name, may be connected to. Names are judged when they resolve. */
  allows(target: { host: string; port: number }): boolean;
}
