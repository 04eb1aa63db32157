import { forbiddenImport } from "./forbidden-import.ts";

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
    const [, file] = /^.*\/src\/(.+)$/.exec(context.filename.replaceAll("\\", "/")) ?? [];
    if (file === undefined) return {};
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

function isTypesOnly({ importKind, exportKind, specifiers = [] }: ImportNode): boolean {
  if (importKind === "type" || exportKind === "type") return true;
  const isType = (one: { importKind?: string; exportKind?: string }): boolean =>
    one.importKind === "type" || one.exportKind === "type";
  return specifiers.length > 0 && specifiers.every(isType);
}

/** Holdpoint's own rules for oxlint. */
export default { meta: { name: "holdpoint" }, rules: { "import-table": IMPORT_TABLE } };
