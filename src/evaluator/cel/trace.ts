/** Shows why an expression is true: its parts with their values. */
import type { CelEnv } from "@bufbuild/cel";
import type { TraceLine } from "../../model/policy/evaluator.ts";
import { BOUNDS } from "../kit/bounds.ts";
import {
  type Expression,
  expressionText,
  type Node,
  type ParsedExpression,
  toExpression,
  type Variables,
} from "./expression.ts";
import { valueText } from "./value-text.ts";

interface TracedPart {
  text: string;
  expression: Expression;
}

export type Trace = (variables: Variables) => TraceLine[];

/**
 * Plans the trace of an expression: each operand of its conjunctions and alternatives, followed by what it reads. Parts
 * of a macro's loop have a value for each item and are left out.
 */
export function planTrace(environment: CelEnv, { expr, sourceInfo }: ParsedExpression): Trace {
  const parts: TracedPart[] = [];
  for (const operand of operandsOf(expr)) {
    for (const node of [operand, ...readsOf(operand)]) {
      const parsed: ParsedExpression = {
        $typeName: "cel.expr.ParsedExpr",
        expr: node,
        ...(sourceInfo && { sourceInfo }),
      };
      const text = expressionText(parsed, BOUNDS.traceText);
      if (parts.length === BOUNDS.traceLines) break;
      if (parts.some((part) => part.text === text)) continue;
      parts.push({ text, expression: toExpression(environment, parsed) });
    }
  }
  return (variables) =>
    parts.map(({ text, expression }) => ({
      expression: text,
      value: valueText(expression.evaluate(variables), BOUNDS.traceText),
    }));
}

/** Splits an expression at `&&`, `||` and `!`. */
function operandsOf(node: Node): Node[] {
  const { exprKind } = node;
  const isLogic = exprKind.case === "callExpr" && ["_&&_", "_||_", "!_"].includes(exprKind.value.function);
  return isLogic ? exprKind.value.args.flatMap(operandsOf) : [node];
}

/** Lists the fields, elements and variables that an operand reads, in their order. */
function readsOf(node: Node): Node[] {
  const { exprKind } = node;
  switch (exprKind.case) {
    case "identExpr":
      return [node];
    case "selectExpr":
      if (exprKind.value.testOnly) return readsOf(exprKind.value.operand ?? node);
      return isPath(node) ? [node] : readsOfAll([exprKind.value.operand]);
    case "callExpr":
      if (isPath(node)) return [node];
      return readsOfAll([exprKind.value.target, ...exprKind.value.args]);
    case "listExpr":
      return readsOfAll(exprKind.value.elements);
    case "comprehensionExpr":
      return readsOfAll([exprKind.value.iterRange]);
    case "structExpr":
    case "constExpr":
    case undefined:
      return [];
  }
}

function readsOfAll(nodes: readonly (Node | undefined)[]): Node[] {
  return nodes.flatMap((node) => (node === undefined ? [] : readsOf(node)));
}

/** Whether a node is a chain of fields and elements, such as `resource.after.tags["Name"]`. */
function isPath({ exprKind }: Node): boolean {
  if (exprKind.case === "identExpr") return true;
  if (exprKind.case === "selectExpr") {
    return !exprKind.value.testOnly && exprKind.value.operand !== undefined && isPath(exprKind.value.operand);
  }
  if (exprKind.case !== "callExpr" || exprKind.value.function !== "_[_]") return false;
  const [operand, index] = exprKind.value.args;
  return (
    operand !== undefined &&
    isPath(operand) &&
    (index?.exprKind.case === "constExpr" || (index !== undefined && isPath(index)))
  );
}
