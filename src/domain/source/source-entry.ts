/** What a source is made of, whatever it came from; checked here before anything of it is packed. */
import { posix } from "node:path";
import { LIMITS } from "../../model/kit/limits.ts";

export interface SourceEntry {
  /** Below the root, parts joined by "/". */
  name: string;
  executable: boolean;
  /** Where a link points to; null: a file. */
  target: string | null;
  /** Of a file. */
  read: () => Promise<Buffer>;
}

/** Something in a source that cannot be packed; the message goes on where the name of the source ends. */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
}

/** What an engine or git leaves behind, and what holds secrets or state that Holdpoint keeps itself. */
const LEFT_OUT = new Set([".git", ".terraform", "terraform.tfstate", "terraform.tfstate.backup", "crash.log"]);

/** Whether a file or folder of this name is left out, with everything below it. */
export function isLeftOut(part: string): boolean {
  return LEFT_OUT.has(part);
}

/** A name without `.` and doubled slashes, "" for the root itself. Throws where it leads out of the root. */
export function safeName(name: string): string {
  const parts = name.split("/");
  if (name.startsWith("/") || parts.includes("..") || /[\0-\x1f\x7f\\\ufffd]/.test(name)) {
    throw new SourceRefused(`holds the name ${JSON.stringify(name)}, which leads out of it or cannot be used.`);
  }
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

/**
 * The entries that are packed, in the order of a walk through folders, so that the same content has the same digest.
 * Throws where names come twice, where something lies below a file or a link, or where a link leads out.
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
 * The target with `..` at its beginning only: the parents of a link are real folders, so the dots mean what they seem
 * to mean, and what follows them goes through links that were checked in the same way.
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
