/** Expressions in CEL: parsed and checked once, evaluated often. */
import { type CelEnv, type CelInput, type CelResult, celError, parse, plan, unparse } from "@bufbuild/cel";
import { clip } from "../kit/clip.ts";
import { errorText } from "../kit/error-text.ts";
import { uncheckedNames } from "./name-check.ts";

export type ParsedExpression = ReturnType<typeof parse>;
export type Node = ParsedExpression["expr"];

/** Values of variables by their name. */
export type Variables = Record<string, CelInput>;

export interface Expression {
  parsed: ParsedExpression;
  evaluate(variables: Variables): CelResult;
}

/** A mistake in an expression. Lines and columns count from 1. */
export interface ExpressionProblem {
  line: number;
  column: number;
  message: string;
}

export type Compiled = { expression: Expression; problems: [] } | { expression: null; problems: ExpressionProblem[] };

const MESSAGE_LENGTH = 500;

/** Compiles an expression, or reports its mistakes: of the syntax, and names that do not exist. */
export function compileExpression(environment: CelEnv, text: string, variables: readonly string[]): Compiled {
  const problem = (line: number, column: number, message: string): Compiled => ({
    expression: null,
    problems: [{ line, column, message: clip(message, MESSAGE_LENGTH) }],
  });
  try {
    const parsed = parse(text);
    const unknown = uncheckedNames(environment, parsed, variables);
    if (unknown.length === 0) return { expression: toExpression(environment, parsed), problems: [] };
    const problems = unknown.map(({ offset, message }) => ({ ...positionOf(text, offset), message }));
    return { expression: null, problems };
  } catch (error) {
    const location = locationOf(error);
    if (location !== null) return problem(location.line, location.column, withoutPosition(errorText(error)));
    return problem(1, 1, `The expression cannot be used: ${errorText(error)}.`);
  }
}

/** Plans a part of a parsed expression. */
export function toExpression(environment: CelEnv, parsed: ParsedExpression): Expression {
  const evaluate = plan(environment, parsed.expr);
  return {
    parsed,
    evaluate(variables) {
      try {
        return evaluate(variables);
      } catch (error) {
        return celError(errorText(error));
      }
    },
  };
}

/** Prints a part of an expression; macros are printed as they were written. */
export function expressionText({ expr, sourceInfo }: ParsedExpression, length: number): string {
  return clip(unparse({ $typeName: "cel.expr.ParsedExpr", expr, ...(sourceInfo && { sourceInfo }) }), length);
}

/** Gives the line and the column of a place in a text. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function locationOf(error: unknown): { line: number; column: number } | null {
  if (!(error instanceof Error) || !("location" in error)) return null;
  const { location } = error;
  if (typeof location !== "object" || location === null || !("start" in location)) return null;
  const { start } = location;
  if (typeof start !== "object" || start === null || !("line" in start) || !("column" in start)) return null;
  return typeof start.line === "number" && typeof start.column === "number"
    ? { line: start.line, column: start.column }
    : null;
}

/** Removes the place from a message of the parser, which begins with it. */
function withoutPosition(message: string): string {
  const text = message.replace(/^<input>:\d+:\d+: /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
