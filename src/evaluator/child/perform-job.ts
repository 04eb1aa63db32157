import { checkAnswerExpression, evaluateAnswer } from "../answer/answer-expression.ts";
import { checkCelRules } from "../cel/check-rules.ts";
import { prepareCelRules } from "../cel/cel-rule.ts";
import { readDocument } from "../document/plan-document.ts";
import { checkWasmPolicies, prepareWasmPolicies } from "../rego/wasm-policies.ts";
import { errorText } from "../kit/error-text.ts";
import { EvaluationError, failedReport, type JudgePolicy, type PolicyReport } from "../kit/policy-report.ts";
import type { PolicyProblem } from "../../model/policy/evaluator.ts";
import type { PolicySource } from "../../model/policy/policy-source.ts";
import type { Job, Line } from "./messages.ts";

/** Performs a job and writes its lines. */
export function performJob(job: Job, write: (line: Line) => void, cpuMs: () => number): void {
  write({ type: "begin", cpuMs: cpuMs() });
  perform(job, write, cpuMs);
  write({ type: "end", cpuMs: cpuMs() });
}

function perform(job: Job, write: (line: Line) => void, cpuMs: () => number): void {
  switch (job.type) {
    case "judge":
      return judge(job, write, cpuMs);
    case "check":
      return write({ type: "problems", problems: problemsOf(job.source) });
    case "answer":
      return write({ type: "outcome", outcome: evaluateAnswer(job.expression, job.answer) });
    case "checkAnswer":
      write({ type: "problems", problems: checkAnswerExpression(job.expression, job.kind) });
  }
}

function judge(job: Job & { type: "judge" }, write: (line: Line) => void, cpuMs: () => number): void {
  let judgePolicy: JudgePolicy;
  try {
    judgePolicy = prepare(job);
  } catch (error) {
    write({ type: "unprepared", report: failed(error) });
    return;
  }
  for (const index of job.indexes) {
    write({ type: "policy", index, cpuMs: cpuMs() });
    write({ type: "report", index, report: attempt(judgePolicy, index) });
  }
}

function prepare({ source, input }: Job & { type: "judge" }): JudgePolicy {
  const document = readDocument(input);
  switch (source.language) {
    case "CEL":
      return prepareCelRules(source.rules, input, document);
    case "REGO_WASM":
      return prepareWasmPolicies(source, input, document);
  }
}

function attempt(judgePolicy: JudgePolicy, index: number): PolicyReport {
  try {
    return judgePolicy(index);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): PolicyReport {
  const kind = error instanceof EvaluationError ? error.kind : "EXPRESSION";
  return failedReport({ kind, message: errorText(error) });
}

function problemsOf(source: PolicySource): PolicyProblem[] {
  switch (source.language) {
    case "CEL":
      return checkCelRules(source.rules);
    case "REGO_WASM":
      return checkWasmPolicies(source);
  }
}
