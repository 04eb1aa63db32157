/** The entries of a source of any origin, with the checks before they are packed. */
import { posix } from "node:path";
import { LIMITS } from "../../model/kit/limits.ts";
import { isLeftOut } from "../../model/source/left-out.ts";

export interface SourceEntry {
  /** The path below the root, joined by "/". */
  name: string;
  executable: boolean;
  /** The target of a link; `null` for a file. */
  target: string | null;
  /** The content of a file. */
  read: () => Promise<Buffer>;
}

/**
 * The source contains something that cannot be packed. The message continues a sentence that begins with the name of
 * the source.
 */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
}

/** Normalises a name; "" is the root itself. Throws if it leads out of the root. */
export function safeName(name: string): string {
  const parts = name.split("/");
  if (name.startsWith("/") || parts.includes("..") || /[\0-\x1f\x7f\\\ufffd]/.test(name)) {
    throw new SourceRefused(`holds the name ${JSON.stringify(name)}, which leads out of it or cannot be used.`);
  }
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

/**
 * Returns the entries to pack in walk order, so that equal content has an equal digest. Throws if names repeat, if
 * something lies below a file or a link, or if a link leads out.
 */
export function arrange(entries: readonly SourceEntry[]): SourceEntry[] {
  const kept = entries.filter(({ name }) => !name.split("/").some(isLeftOut));
  if (kept.length > LIMITS.sourceFiles) throw new SourceRefused(`has more than ${LIMITS.sourceFiles} files.`);
  const names = new Set<string>();
  for (const { name } of kept) {
    if (names.has(name)) throw new SourceRefused(`holds ${JSON.stringify(name)} twice.`);
    names.add(name);
  }
  for (const entry of kept) {
    const blocked = parentsOf(entry.name).find((parent) => names.has(parent));
    if (blocked !== undefined) {
      throw new SourceRefused(
        `holds ${JSON.stringify(entry.name)} below ${JSON.stringify(blocked)}, which is no folder.`,
      );
    }
  }
  return kept
    .map((entry) => ({ entry: { ...entry, target: safeTarget(entry) }, parts: entry.name.split("/") }))
    .toSorted((a, b) => compare(a.parts, b.parts))
    .map(({ entry }) => entry);
}

function parentsOf(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * Returns the target with `..` only at its start. The parents of a link are real folders, so the dots resolve as
 * written, and later parts pass through checked links.
 */
function safeTarget({ name, target }: SourceEntry): string | null {
  if (target === null) return null;
  const folder = posix.dirname(name);
  const resolved = posix.normalize(posix.join(folder, target));
  if (target === "" || target.startsWith("/") || target.includes("\0") || /^\.\.(?:\/|$)/.test(resolved)) {
    throw new SourceRefused(`holds the link ${JSON.stringify(name)}, which leads out of it.`);
  }
  return posix.relative(folder, resolved) || ".";
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left = "", right = ""] = [a[i], b[i]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
