import { forbiddenImport } from "./forbidden-import.ts";
import { mayNameStatuses, namesStatus, namesStatusInSql } from "./status-literal.ts";

interface ImportNode {
  source?: { value?: unknown } | null;
  importKind?: string;
  exportKind?: string;
  specifiers?: { importKind?: string; exportKind?: string }[];
}

interface RuleContext {
  filename: string;
  report: (problem: { node: unknown; message: string }) => void;
}

const IMPORT_TABLE = {
  create(context: RuleContext) {
    const file = fileOf(context);
    if (file === null) return {};
    const check = (node: ImportNode): void => {
      const specifier = node.source?.value;
      if (typeof specifier !== "string") return;
      const message = forbiddenImport(file, { specifier, typesOnly: isTypesOnly(node) });
      if (message !== null) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

interface LiteralNode {
  value?: unknown;
  parent?: { type?: string; left?: NamedNode; right?: NamedNode };
}
interface NamedNode {
  name?: unknown;
  property?: { name?: unknown };
}

const STATUS_LITERAL = {
  create(context: RuleContext) {
    const file = fileOf(context);
    if (file === null || mayNameStatuses(file)) return {};
    const message = "Ask the status for a trait (STATUS_TRAITS in model/lifecycle/run-status.ts) instead of naming it.";
    return {
      Literal(node: LiteralNode) {
        if (typeof node.value !== "string" || !namesStatus(node.value, isComparedWithStatus(node))) return;
        context.report({ node, message });
      },
      TemplateElement(node: { value?: { raw?: string } }) {
        if (namesStatusInSql(node.value?.raw ?? "")) context.report({ node, message });
      },
    };
  },
};

function isComparedWithStatus({ parent }: LiteralNode): boolean {
  if (parent?.type !== "BinaryExpression") return false;
  return [parent.left, parent.right].some((side) => side?.name === "status" || side?.property?.name === "status");
}

/** The path of a file below `src`; `null` for any other. */
function fileOf(context: RuleContext): string | null {
  return /^.*\/src\/(.+)$/.exec(context.filename.replaceAll("\\", "/"))?.[1] ?? null;
}

function isTypesOnly({ importKind, exportKind, specifiers = [] }: ImportNode): boolean {
  if (importKind === "type" || exportKind === "type") return true;
  const isType = (one: { importKind?: string; exportKind?: string }): boolean =>
    one.importKind === "type" || one.exportKind === "type";
  return specifiers.length > 0 && specifiers.every(isType);
}

/** Holdpoint's own rules for oxlint. */
export default {
  meta: { name: "holdpoint" },
  rules: { "import-table": IMPORT_TABLE, "status-literal": STATUS_LITERAL },
};
