/** Collects the files that the engine reads for one workspace. */
import type { EngineName } from "../../model/source/configuration-file.ts";
import { joinPath, type PathBase } from "../../model/source/file-scan.ts";
import type { InputRules } from "../kit/git-fetcher.ts";
import { LINK, SUBMODULE } from "../kit/commit-objects.ts";
import { folderOfGlob, pathPattern } from "../kit/patterns.ts";
import type { FolderScan, FolderScanner } from "./folder-scan.ts";
import type { FileEntry, RepositoryTree, Resolved } from "./repository-tree.ts";

/** The folder of a workspace in its repository. */
export interface TrackedFolder extends InputRules {
  /** `.` is the whole repository. */
  path: string;
  engine: EngineName;
}

export interface CollectedInputs {
  /** The folder in which the engine runs, without links. */
  workFolder: string;
  entries: ReadonlyMap<string, FileEntry>;
  folders: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  unresolved: ReadonlySet<string>;
  /** Whether the whole repository counts. */
  readsAll: boolean;
  /** Links that lead out of the repository. */
  outside: ReadonlySet<string>;
}

/** The workspace's folder does not exist in the commit. The message continues the name of the field. */
export class FolderMissing extends Error {
  override readonly name = "FolderMissing";
}

interface Options {
  tree: RepositoryTree;
  scanner: FolderScanner;
  /** Returns the folders of workspaces below a folder, which are no part of it. */
  workspacesBelow: (path: string) => readonly string[];
  /** An archive takes the own folder as it is, without ignored files and other workspaces' folders left out. */
  forArchive: boolean;
}

/** Follows modules, links and paths from the folder of a workspace. Throws FolderMissing. */
export async function collectInputs(folder: TrackedFolder, options: Options): Promise<CollectedInputs> {
  const collector = new Collector(folder, options);
  return collector.collect();
}

class Collector {
  readonly #folder: TrackedFolder;
  readonly #options: Options;
  readonly #isIgnored: (path: string) => boolean;
  readonly #entries = new Map<string, FileEntry>();
  readonly #folders = new Set<string>();
  readonly #paths = new Set<string>();
  readonly #unresolved = new Set<string>();
  readonly #outside = new Set<string>();
  /** Folders whose configuration was followed, and folders of which all files were added. */
  readonly #visited = new Set<string>();
  readonly #followed = new Set<string>();
  #readsAll = false;

  constructor(folder: TrackedFolder, options: Options) {
    this.#folder = folder;
    this.#options = options;
    const ignored = folder.ignores.map(pathPattern);
    this.#isIgnored = options.forArchive ? () => false : (path) => ignored.some((matches) => matches(path));
  }

  async collect(): Promise<CollectedInputs> {
    const { path, engine, reported } = this.#folder;
    const own = await this.#options.scanner.scan(path, engine);
    if (own.found.type !== "folder") throw new FolderMissing(`is not there: the branch has no folder "${path}".`);
    const workFolder = own.found.path;
    await this.#addModule(workFolder, workFolder);
    await this.#addResolved(own.found, null);
    for (const module of reported) await this.#addModule(module, workFolder);
    await this.#addDeclared();
    return {
      workFolder,
      entries: this.#entries,
      folders: this.#folders,
      paths: new Set([...this.#paths].filter((path) => !this.#isBelowFolders(path))),
      unresolved: this.#unresolved,
      readsAll: this.#readsAll,
      outside: this.#outside,
    };
  }

  /**
   * Adds the folder of a module, its configuration's paths, and its own modules. The engine takes the folder that links
   * lead to, and joins further paths to that one.
   */
  async #addModule(path: string, workFolder: string): Promise<void> {
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    const scan = await this.#options.scanner.scan(path, this.#folder.engine);
    await this.#addResolved(scan.found, null);
    if (scan.found.type !== "folder") return;
    const { path: real, oid } = scan.found;
    if (real !== path) return this.#addModule(real, workFolder);
    this.#folders.add(real);
    this.#note(scan);
    await this.#addFiles(real, oid, real === workFolder);
    const bases: Record<PathBase, string> = { MODULE: real, ROOT: workFolder };
    await Promise.all([
      ...scan.modules.map((source) => this.#addSource(real, source, workFolder)),
      ...scan.reads.map((read) => this.#addPath(bases[read.base], read.path)),
    ]);
  }

  #note({ unresolved, readsAll }: FolderScan): void {
    for (const text of unresolved) this.#unresolved.add(text);
    this.#readsAll ||= readsAll;
  }

  async #addSource(from: string, source: string, workFolder: string): Promise<void> {
    const path = joinPath(from, source);
    if (path === null) this.#unresolved.add(`${from}: the module ${source} is not in the repository`);
    else await this.#addModule(path, workFolder);
  }

  /** Adds a path that the configuration names; a folder with everything in it. */
  async #addPath(base: string, relative: string): Promise<void> {
    const path = joinPath(base, relative);
    if (path === ".") this.#readsAll = true;
    if (path === null || path === ".") return;
    await this.#addResolved(await this.#options.tree.resolve(path), path);
  }

  /** Adds the links on a way and, with a name, its end. */
  async #addResolved(found: Resolved, name: string | null): Promise<void> {
    for (const link of found.links) this.#addEntry(link);
    if (found.type === "outside") {
      this.#outside.add(found.link);
      this.#unresolved.add(`${found.link}: the link leads out of the repository`);
    }
    if (name === null) return;
    if (found.type === "file") {
      this.#paths.add(found.entry.path);
      this.#addEntry(found.entry);
    }
    if (found.type !== "folder" || this.#followed.has(found.path)) return;
    if (found.path === ".") {
      this.#readsAll = true;
      return;
    }
    this.#followed.add(found.path);
    this.#paths.add(found.path);
    await this.#addEntries(await this.#options.tree.files(found.path, found.oid));
  }

  /** Whether a path is in one of the folders, which are listed anyway. */
  #isBelowFolders(path: string): boolean {
    return [...this.#folders].some((folder) => path === folder || isBelow(path, folder));
  }

  /** Adds the folder of a module, without what others have in it. */
  async #addFiles(path: string, oid: string, isOwn: boolean): Promise<void> {
    const files = await this.#options.tree.files(path, oid);
    const isWhole = isOwn && this.#options.forArchive;
    const others = isWhole ? [] : this.#options.workspacesBelow(path);
    const counted = files.filter(
      (file) => !this.#isIgnored(file.path) && !others.some((other) => isBelow(file.path, other)),
    );
    await this.#addEntries(counted);
  }

  async #addEntries(entries: readonly FileEntry[]): Promise<void> {
    for (const entry of entries) this.#addEntry(entry);
    const links = entries.filter(({ mode }) => mode === LINK);
    await Promise.all(links.map(async ({ path }) => this.#addResolved(await this.#options.tree.resolve(path), path)));
  }

  #addEntry(entry: FileEntry): void {
    this.#entries.set(entry.path, entry);
    if (entry.mode === SUBMODULE) this.#paths.add(entry.path);
  }

  /** Adds the files that the workspace declares. */
  async #addDeclared(): Promise<void> {
    const { tree } = this.#options;
    for (const glob of this.#folder.alsoReads) {
      const matches = pathPattern(glob);
      const folder = folderOfGlob(glob);
      const found = await tree.resolve(joinPath(".", folder ?? glob) ?? ".");
      if (folder === null) await this.#addResolved(found, joinPath(".", glob));
      else if (found.type === "folder") {
        const files = (await tree.files(found.path, found.oid)).filter(({ path }) => matches(path));
        for (const { path } of files) this.#paths.add(path);
        await this.#addEntries(files);
      }
    }
  }
}

/** Whether a path is below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "." ? path !== "." : path.startsWith(`${folder}/`);
}
