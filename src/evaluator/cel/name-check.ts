/** Finds names in an expression that nothing defines: the library reports them only where it evaluates them. */
import type { CelEnv, parse } from "@bufbuild/cel";

type Parsed = ReturnType<typeof parse>;
type Node = Parsed["expr"];

interface UnknownName {
  offset: number;
  message: string;
}

/** Functions that the evaluation has built in. */
const BUILT_IN = new Set(["_&&_", "_||_", "_?_:_", "_[_]", "@not_strictly_false", "__not_strictly_false__"]);

/** Names of types, with the first part of those of Protobuf. */
const TYPES = ["bool", "bytes", "double", "dyn", "google", "int", "list", "map", "null_type", "string", "type", "uint"];

/** Lists the variables and functions of an expression that do not exist. */
export function uncheckedNames(environment: CelEnv, parsed: Parsed, variables: readonly string[]): UnknownName[] {
  const found: UnknownName[] = [];
  const report = (node: Node, message: string): void => {
    found.push({ offset: parsed.sourceInfo?.positions[String(node.id)] ?? 0, message });
  };

  function visit(node: Node | undefined, names: ReadonlySet<string>): void {
    if (node === undefined) return;
    const { exprKind } = node;
    switch (exprKind.case) {
      case "identExpr": {
        const name = exprKind.value.name.replace(/^\./, "");
        if (!names.has(name)) report(node, `There is no variable "${name}". Variables: ${variables.join(", ")}.`);
        return;
      }
      case "selectExpr":
        visit(exprKind.value.operand, names);
        return;
      case "callExpr": {
        const { target, function: name, args } = exprKind.value;
        const qualified = target === undefined ? undefined : qualifiedName(target);
        const isQualified = qualified !== undefined && environment.funcs.find(`${qualified}.${name}`) !== undefined;
        if (!isQualified) {
          if (!BUILT_IN.has(name) && environment.funcs.find(name) === undefined) {
            report(node, `There is no function "${name}".`);
          }
          visit(target, names);
        }
        for (const argument of args) visit(argument, names);
        return;
      }
      case "listExpr":
        for (const element of exprKind.value.elements) visit(element, names);
        return;
      case "structExpr":
        for (const { keyKind, value } of exprKind.value.entries) {
          if (keyKind.case === "mapKey") visit(keyKind.value, names);
          visit(value, names);
        }
        return;
      case "comprehensionExpr": {
        const { accuInit, accuVar, iterRange, iterVar, iterVar2, loopCondition, loopStep, result } = exprKind.value;
        const inner = new Set([...names, iterVar, iterVar2, accuVar]);
        for (const outside of [iterRange, accuInit]) visit(outside, names);
        for (const inside of [loopCondition, loopStep, result]) visit(inside, inner);
        return;
      }
      case "constExpr":
      case undefined:
        return;
    }
  }

  visit(parsed.expr, new Set([...variables, ...TYPES]));
  return found;
}

/** Gives `a.b` for a chain of names; undefined for others. */
function qualifiedName({ exprKind }: Node): string | undefined {
  if (exprKind.case === "identExpr") return exprKind.value.name;
  if (exprKind.case !== "selectExpr" || exprKind.value.operand === undefined) return undefined;
  const operand = qualifiedName(exprKind.value.operand);
  return operand === undefined ? undefined : `${operand}.${exprKind.value.field}`;
}
