/** Commits in memory, as git would have them. */
import { createHash } from "node:crypto";
import { type CommitObjects, FOLDER, LINK, SUBMODULE, type TreeEntry } from "../../src/domain/kit/commit-objects.ts";

export type FilesInMemory = Record<string, string | { link: string } | { submodule: string }>;

interface Folder {
  folders: Map<string, Folder>;
  files: Map<string, TreeEntry>;
}

/** Makes the objects of a commit with these files. `reads` counts the objects that were asked for. */
export function commitOf(files: FilesInMemory): CommitObjects & { reads: string[] } {
  const trees = new Map<string, TreeEntry[]>();
  const blobs = new Map<string, Buffer>();
  const reads: string[] = [];
  const root: Folder = { folders: new Map(), files: new Map() };
  for (const [path, file] of Object.entries(files)) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let at = root;
    for (const part of parts) {
      const below = at.folders.get(part) ?? { folders: new Map(), files: new Map() };
      at.folders.set(part, below);
      at = below;
    }
    at.files.set(name, entryOf(name, file, blobs));
  }
  const rootTree = write(root, trees);
  return {
    commit: rootTree,
    rootTree,
    reads,
    async readTree(oid) {
      reads.push(oid);
      return trees.get(oid) ?? [];
    },
    async readBlob(oid, maxBytes) {
      reads.push(oid);
      const body = blobs.get(oid);
      if (body === undefined) throw new Error(`There is no ${oid}.`);
      return body.length > maxBytes ? null : body;
    },
  };
}

function entryOf(name: string, file: FilesInMemory[string], blobs: Map<string, Buffer>): TreeEntry {
  if (typeof file === "object" && "submodule" in file) return { name, mode: SUBMODULE, oid: file.submodule };
  const body = Buffer.from(typeof file === "string" ? file : file.link);
  const oid = hash(body.toString("latin1"));
  blobs.set(oid, body);
  return { name, mode: typeof file === "string" ? "100644" : LINK, oid };
}

function write({ folders, files }: Folder, trees: Map<string, TreeEntry[]>): string {
  const below = [...folders].map(([name, folder]) => ({ name, mode: FOLDER, oid: write(folder, trees) }));
  const entries = [...files.values(), ...below].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const oid = hash(JSON.stringify(entries));
  trees.set(oid, entries);
  return oid;
}

function hash(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
