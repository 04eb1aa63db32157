/** Finds paths in the tree of a commit, through links as the file system would. Everything is read once. */
import { isLeftOut } from "../../model/source/left-out.ts";
import { type CommitObjects, FOLDER, LINK, type TreeEntry } from "../kit/commit-objects.ts";

/** A file, link or submodule at its path from the root of the repository. */
export interface FileEntry {
  path: string;
  mode: string;
  oid: string;
}

export type Resolved = {
  /** The links on the way, each at its own path. */
  links: readonly FileEntry[];
} & (
  | { type: "folder"; path: string; oid: string }
  | { type: "file"; entry: FileEntry }
  | { type: "missing" }
  /** `link`: the one that leads out of the repository. */
  | { type: "outside"; link: string }
);

/** As many links as Linux follows. */
const MAX_LINKS = 40;
/** The longest target of a link on Linux. */
const TARGET_BYTES = 4096;

export class RepositoryTree {
  readonly objects: CommitObjects;
  readonly #folders = new Map<string, Promise<ReadonlyMap<string, TreeEntry>>>();
  readonly #targets = new Map<string, Promise<string>>();
  readonly #files = new Map<string, Promise<readonly FileEntry[]>>();

  constructor(objects: CommitObjects) {
    this.objects = objects;
  }

  /** Lists the entries of one folder. */
  entries(oid: string): Promise<ReadonlyMap<string, TreeEntry>> {
    return remembered(this.#folders, oid, async () => {
      const entries = await this.objects.readTree(oid);
      return new Map(entries.map((entry) => [entry.name, entry]));
    });
  }

  /** Returns the text of a link; the empty text if it is too long to be one. */
  target(oid: string): Promise<string> {
    return remembered(this.#targets, oid, async () => {
      return (await this.objects.readBlob(oid, TARGET_BYTES))?.toString() ?? "";
    });
  }

  /** Finds a path, which must not begin with `..`; its links are followed. */
  async resolve(path: string): Promise<Resolved> {
    const links = new Map<string, FileEntry>();
    const found = (): FileEntry[] => [...links.values()];
    let rest = partsOf(path);
    /** The folders down to the current one, the root first. */
    const way: { name: string; oid: string }[] = [{ name: "", oid: this.objects.rootTree }];
    let followed = 0;
    let lastLink = path;
    for (;;) {
      const [part, ...following] = rest;
      const folder = way.at(-1);
      if (folder === undefined) return { type: "outside", link: lastLink, links: found() };
      const at = way.slice(1).map(({ name }) => name);
      if (part === undefined) return { type: "folder", path: at.join("/") || ".", oid: folder.oid, links: found() };
      rest = following;
      if (part === "..") {
        way.pop();
        continue;
      }
      const entry = (await this.entries(folder.oid)).get(part);
      if (entry === undefined) return { type: "missing", links: found() };
      const own = [...at, part].join("/");
      if (entry.mode === FOLDER) {
        way.push({ name: part, oid: entry.oid });
      } else if (entry.mode === LINK) {
        followed += 1;
        lastLink = own;
        const target = await this.target(entry.oid);
        links.set(own, { path: own, mode: entry.mode, oid: entry.oid });
        // A circle leads nowhere.
        if (followed > MAX_LINKS) return { type: "missing", links: found() };
        if (target === "" || target.startsWith("/")) {
          return { type: "outside", link: own, links: found() };
        }
        rest = [...partsOf(target), ...rest];
      } else if (rest.length === 0) {
        return { type: "file", entry: { path: own, mode: entry.mode, oid: entry.oid }, links: found() };
      } else {
        return { type: "missing", links: found() };
      }
    }
  }

  /** Lists everything below a folder, without what is never packed. */
  files(path: string, oid: string): Promise<readonly FileEntry[]> {
    return remembered(this.#files, `${path}\0${oid}`, async () => {
      const files: FileEntry[] = [];
      const below: Promise<readonly FileEntry[]>[] = [];
      for (const { name, mode, oid: own } of (await this.entries(oid)).values()) {
        if (isLeftOut(name)) continue;
        const at = path === "." ? name : `${path}/${name}`;
        if (mode === FOLDER) below.push(this.files(at, own));
        else files.push({ path: at, mode, oid: own });
      }
      return [...files, ...(await Promise.all(below)).flat()];
    });
  }
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

/** Returns the value of a key, which is made once. */
export function remembered<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
