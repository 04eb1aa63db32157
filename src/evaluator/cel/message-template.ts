/** Messages with expressions between double braces. */
import { type CelEnv, isCelError } from "@bufbuild/cel";
import { BOUNDS } from "../kit/bounds.ts";
import { clip } from "../kit/clip.ts";
import {
  compileExpression,
  type Expression,
  type ExpressionProblem,
  positionOf,
  type Variables,
} from "./expression.ts";
import { valueText } from "./value-text.ts";

/** A text, or an expression whose value replaces it. */
type Part = string | Expression;

/** Renders a message with the values of an evaluation. */
export type MessageTemplate = (variables: Variables) => string;

/** Replaces an expression that fails: the violation is shown in any case. */
const NO_VALUE = "(no value)";

/** Compiles a message, such as `{{resource.address}} is public`. */
export function compileMessage(
  environment: CelEnv,
  text: string,
  variables: readonly string[],
): { template: MessageTemplate; problems: ExpressionProblem[] } {
  const parts: Part[] = [];
  const problems: ExpressionProblem[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{\{(.*?)\}\}/gs)) {
    const compiled = compileExpression(environment, match[1] ?? "", variables);
    const start = positionOf(text, match.index + "{{".length);
    problems.push(...compiled.problems.map((problem) => moved(problem, start)));
    parts.push(text.slice(end, match.index));
    if (compiled.expression !== null) parts.push(compiled.expression);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return { template: (values) => render(parts, values), problems };
}

function moved(problem: ExpressionProblem, start: { line: number; column: number }): ExpressionProblem {
  return {
    ...problem,
    line: problem.line + start.line - 1,
    column: problem.line === 1 ? problem.column + start.column - 1 : problem.column,
  };
}

function render(parts: readonly Part[], variables: Variables): string {
  const texts = parts.map((part) => (typeof part === "string" ? part : shown(part, variables)));
  return clip(texts.join(""), BOUNDS.messageLength);
}

function shown(expression: Expression, variables: Variables): string {
  const value = expression.evaluate(variables);
  if (isCelError(value)) return NO_VALUE;
  return typeof value === "string" ? clip(value, BOUNDS.valueLength) : valueText(value, BOUNDS.valueLength);
}
