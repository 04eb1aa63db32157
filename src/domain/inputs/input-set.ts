import { createHash } from "node:crypto";
import type { FileEntry } from "./repository-tree.ts";

/** Returns the digest of entries: equal if and only if they have the same paths, modes and contents. */
export function digestEntries(entries: Iterable<FileEntry>): string {
  const hash = createHash("sha256");
  for (const { path, mode, oid } of sorted(entries)) hash.update(`${mode} ${oid} ${path}\0`);
  return hash.digest("hex");
}

/** Returns the paths that are in one of the two sets alone, or with another mode or content, in order. */
export function changedPaths(before: Iterable<FileEntry>, after: Iterable<FileEntry>): string[] {
  const former = new Map([...before].map((entry) => [entry.path, entry]));
  const changed = new Set<string>();
  for (const { path, mode, oid } of after) {
    const same = former.get(path);
    former.delete(path);
    if (same?.mode !== mode || same.oid !== oid) changed.add(path);
  }
  return [...changed, ...former.keys()].toSorted();
}

function sorted(entries: Iterable<FileEntry>): FileEntry[] {
  return [...entries].toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}
