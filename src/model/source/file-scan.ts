/** The parts of a configuration file that name other files of the repository. */
import { storable } from "../kit/storable.ts";

/** `MODULE`: relative to the folder of the file. `ROOT`: relative to the folder in which the engine runs. */
export type PathBase = "MODULE" | "ROOT";

export interface PathRead {
  base: PathBase;
  /** A file, or a folder that is read with everything below it; normalised, with `..` only at its start. */
  path: string;
}

export interface FileScan {
  /** Local sources of modules, normalised: `../network`. */
  modules: string[];
  reads: PathRead[];
  /** Expressions whose paths only the engine knows, as written. */
  unresolved: string[];
  /** Whether the file may read any part of the repository: it could not be parsed, or a module's source is no literal. */
  readsAll: boolean;
}

/** Changes whenever a file could be scanned with another result, so that no older result is used. */
export const SCANNER_VERSION = 1;

/** Files above this size are not scanned. */
export const SCANNED_BYTES = 1024 * 1024;

/** The number of names of each kind that are taken from one file; with more, it may read any part. */
const NAMES_PER_FILE = 5000;

/** Collects the names of one file without repetitions. */
export class ScanCollector {
  readonly #modules = new Set<string>();
  readonly #reads = new Map<string, PathRead>();
  readonly #unresolved = new Set<string>();
  #readsAll = false;

  /** Adds the literal source of a module; other than local ones are left to the engine. */
  addModule(source: string): void {
    if (isLocalSource(source)) this.#modules.add(normalisePath(storable(source)));
  }

  addRead(base: PathBase, path: string): void {
    const normalised = normalisePath(storable(path));
    this.#reads.set(`${base} ${normalised}`, { base, path: normalised });
  }

  addUnresolved(text: string): void {
    this.#unresolved.add(shorten(storable(text)));
  }

  readAll(reason: string): void {
    this.addUnresolved(reason);
    this.#readsAll = true;
  }

  result(): FileScan {
    const [modules, reads, unresolved] = [[...this.#modules], [...this.#reads.values()], [...this.#unresolved]];
    const tooMany = [modules, reads, unresolved].some(({ length }) => length > NAMES_PER_FILE);
    if (tooMany) return unreadable("more paths than can be followed");
    return { modules, reads, unresolved, readsAll: this.#readsAll };
  }
}

/** The scan of a file that cannot be read: it may read any part. */
export function unreadable(reason: string): FileScan {
  return { modules: [], reads: [], unresolved: [reason], readsAll: true };
}

/** Whether the engine takes the source of a module from the same repository. */
export function isLocalSource(source: string): boolean {
  return source.startsWith("./") || source.startsWith("../");
}

/** Normalises a relative path by its text alone, as the engine does; `.` is the base itself. */
export function normalisePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/") || ".";
}

/** Joins a folder of a repository and a relative path; `null` if the path leads out of the repository. */
export function joinPath(folder: string, path: string): string | null {
  const joined = normalisePath(`${folder}/${path}`);
  return joined === ".." || joined.startsWith("../") ? null : joined;
}

const SHOWN_CHARACTERS = 120;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}...` : line;
}
