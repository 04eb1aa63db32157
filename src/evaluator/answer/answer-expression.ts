/** Expressions over the answers of probes. */
import type { CelEnv } from "@bufbuild/cel";
import { LRUCache } from "lru-cache";
import type { ProbeAnswer } from "../../model/probe/judge-answer.ts";
import { answerVariables, type ExpressionOutcome, GRAPHQL_ANSWER_VARIABLES } from "../../model/probe/prober.ts";
import type { NetworkProbeKind } from "../../model/probe/probe.ts";
import type { PolicyProblem } from "../../model/policy/evaluator.ts";
import type { Json } from "../../model/plan/json.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import { createCelEnvironment } from "../cel/cel-environment.ts";
import { toCelMap, toCelValue } from "../cel/document-value.ts";
import { type Compiled, compileExpression } from "../cel/expression.ts";

/** Compiled expressions by their text: probes are asked all the time. */
const compiled = new LRUCache<string, Compiled>({ max: 500 });
let environment: CelEnv | null = null;

/** Evaluates an expression over an answer. */
export function evaluateAnswer(text: string, { status, headers, body, latencyMs }: ProbeAnswer): ExpressionOutcome {
  const { expression } = compile(text);
  if (expression === null) return "ERROR";
  const json = parsed(body);
  const value = expression.evaluate({
    status: BigInt(status),
    headers: toCelMap({ ...headers }),
    json: toCelValue(json),
    latencyMs: BigInt(latencyMs),
    data: toCelValue(dataOf(json)),
  });
  if (value === true) return "TRUE";
  return value === false ? "FALSE" : "ERROR";
}

/** Returns the mistakes of an expression. */
export function checkAnswerExpression(text: string, kind: NetworkProbeKind): PolicyProblem[] {
  const { problems } = compileExpression((environment ??= createCelEnvironment()), text, answerVariables(kind));
  return problems.map((problem) => ({ file: "", ...problem }));
}

function compile(text: string): Compiled {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const made = compileExpression((environment ??= createCelEnvironment()), text, GRAPHQL_ANSWER_VARIABLES);
  compiled.set(text, made);
  return made;
}

function parsed(body: string): Json {
  try {
    const value: Json = JSON.parse(body);
    return value;
  } catch {
    return null;
  }
}

function dataOf(json: Json): Json {
  return isRecord(json) && !Array.isArray(json) && Object.hasOwn(json, "data") ? (json["data"] ?? null) : null;
}
