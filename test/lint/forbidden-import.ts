import { posix } from "node:path";
import { FILES, FOLDERS, type Importable, type ImportRule, LAYERS } from "./import-table.ts";

const SQL_PACKAGES = /^(?:kysely|pg|pg-[^/]+)(?:\/|$)/;

interface Import {
  /** As written: `../model/run.ts`, `node:fs`, `zod`. */
  specifier: string;
  typesOnly: boolean;
}

/** Gives the reason why a file below `src` may not import something; `null` if it may. `file`: relative to `src`. */
export function forbiddenImport(file: string, { specifier, typesOnly }: Import): string | null {
  const rule = FILES[file] ?? LAYERS[layerOf(file)];
  if (rule === undefined) return `${layerOf(file)} is not in the import table.`;
  if (!specifier.startsWith(".")) return forbiddenPackage(file, rule, specifier);
  const target = posix.normalize(posix.join(posix.dirname(file), specifier)).replace(/^(?:\.\.\/)+src\//, "");
  if (target.startsWith("../")) return null;
  if (FILES[file] === undefined && layerOf(target) === layerOf(file)) return forbiddenFolder(file, target);
  if (posix.dirname(target) === posix.dirname(file)) return null;
  const found = rule.imports.find((allowed) => covers(allowed, target));
  if (found !== undefined && (typesOnly || found.typesOnly === undefined)) return null;
  return `${layerOf(file)} imports ${describe(rule)}; ${target} is not among them.`;
}

function forbiddenPackage(file: string, { packages }: ImportRule, specifier: string): string | null {
  if (packages === "none") return `${layerOf(file)} imports no packages and no node: modules.`;
  if (packages === "all" || !SQL_PACKAGES.test(specifier)) return null;
  return "Only persistence, and the bus listener, import kysely and pg.";
}

function forbiddenFolder(file: string, target: string): string | null {
  const folders = FOLDERS[layerOf(file)];
  if (folders === undefined) return null;
  const [own, other] = [positionOf(folders, file), positionOf(folders, target)];
  if (own === -1 || other === -1) return `The folder of ${own === -1 ? file : target} is not in the import table.`;
  if (other <= own) return null;
  return `${posix.dirname(file)} comes before ${posix.dirname(target)} in the import table and may not import it.`;
}

/** Files beside the folders come after all of them. */
function positionOf(folders: readonly string[], file: string): number {
  const [, folder = "", ...rest] = file.split("/");
  return rest.length === 0 ? folders.length : folders.indexOf(folder);
}

function layerOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function covers({ path }: Importable, target: string): boolean {
  return target === path || target.startsWith(`${path}/`);
}

function describe({ imports }: ImportRule): string {
  if (imports.length === 0) return "no other layer";
  return imports.map(({ path, typesOnly }) => (typesOnly === true ? `types of ${path}` : path)).join(", ");
}
