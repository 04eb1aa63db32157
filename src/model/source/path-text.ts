/** Reads paths out of templates and calls of functions, as far as their text alone shows them. */
import { normalisePath, type PathBase, type ScanCollector } from "./file-scan.ts";
import type { TemplatePart, Token } from "./hcl-lexer.ts";

/** Functions whose first argument is the path of a file or a folder. */
const READERS: ReadonlySet<string> = new Set([
  "file",
  "filebase64",
  "filebase64sha256",
  "filebase64sha512",
  "fileexists",
  "filemd5",
  "fileset",
  "filesha1",
  "filesha256",
  "filesha512",
  "templatefile",
]);

export function isReader(name: string): boolean {
  return READERS.has(name);
}

const BASES: Record<string, PathBase> = { module: "MODULE", root: "ROOT", cwd: "ROOT" };

/** A path as far as it is known. */
interface KnownPath {
  base: PathBase;
  /** The text up to the first part that only the engine knows. */
  text: string;
  /** Whether the text is all of the path. */
  complete: boolean;
}

/** Adds the path that a reader is called with. `text`: the call, for people. */
export function addArgument(found: ScanCollector, tokens: readonly Token[], text: string): void {
  const path = pathOf(tokens);
  if (path === null) {
    found.addUnresolved(text);
    return;
  }
  if (path.complete) {
    found.addRead(path.base, path.text);
    return;
  }
  const folder = folderOf(path);
  // Below its base alone nothing is known of the path: a variable could lead anywhere.
  if (folder === ".") found.addUnresolved(text);
  else addFolder(found, path.base, folder, text);
}

/**
 * Adds a path that leaves its base, of any text: arguments of resources name files too. Paths inside of the
 * base need no entry, because its folder is read as a whole.
 */
export function addLeavingPath(found: ScanCollector, parts: readonly TemplatePart[], text: string): void {
  const path = pathOfParts(parts);
  if (path === null || path.text.includes("://")) return;
  // A command with arguments begins with the path of its program.
  const [word = ""] = path.text.split(/\s/, 1);
  const isWhole = word === path.text;
  const known = { ...path, text: word, complete: path.complete || !isWhole };
  if (known.complete && leaves(known.text)) found.addRead(known.base, known.text);
  else if (!known.complete && leaves(folderOf(known))) addFolder(found, known.base, folderOf(known), text);
}

function addFolder(found: ScanCollector, base: PathBase, folder: string, text: string): void {
  found.addRead(base, folder);
  if (leaves(folder)) found.addUnresolved(text);
}

function leaves(path: string): boolean {
  return /^\.\.(?:\/|$)/.test(normalisePath(path));
}

/** The last folder that is known for certain. */
function folderOf({ text }: KnownPath): string {
  return normalisePath(text.slice(0, text.lastIndexOf("/") + 1));
}

function pathOf(tokens: readonly Token[]): KnownPath | null {
  const base = baseOf(tokens);
  if (base !== null) return { base, text: ".", complete: true };
  const [only, ...more] = tokens;
  if (only?.type !== "string" || more.length > 0) return null;
  return pathOfParts(only.parts);
}

/** Reads `path.module` and its like; `null` for other expressions. */
function baseOf(tokens: readonly Token[]): PathBase | null {
  const [object, dot, name, ...more] = tokens.filter(({ type }) => type !== "newline");
  if (object?.type !== "name" || object.text !== "path" || more.length > 0) return null;
  if (dot?.type !== "sign" || dot.text !== "." || name?.type !== "name") return null;
  return BASES[name.text] ?? null;
}

/** Returns the beginning of a template as a path; `null` if it begins with a value or at the root of the disk. */
function pathOfParts(parts: readonly TemplatePart[]): KnownPath | null {
  const [first] = parts;
  if (first === undefined) return { base: "ROOT", text: ".", complete: true };
  const base = first.type === "text" ? "ROOT" : baseOf(first.tokens);
  if (base === null) return null;
  const rest = first.type === "text" ? parts : parts.slice(1);
  const texts: string[] = [];
  for (const part of rest) {
    if (part.type !== "text") break;
    texts.push(part.text);
  }
  const text = texts.join("");
  const complete = texts.length === rest.length;
  if (first.type === "text") return text.startsWith("/") ? null : { base, text, complete };
  if (text === "" && complete) return { base, text: ".", complete };
  return text.startsWith("/") ? { base, text: text.slice(1), complete } : null;
}
