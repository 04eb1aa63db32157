/** Scans the configuration of folders. Results are kept by the oid of a file, whose content never changes. */
import { configurationFiles, type EngineName, scanConfiguration } from "../../model/source/configuration-file.ts";
import { type FileScan, SCANNED_BYTES, unreadable } from "../../model/source/file-scan.ts";
import { isLeftOut } from "../../model/source/left-out.ts";
import type { ScanCache } from "../kit/git-fetcher.ts";
import { LINK } from "../kit/commit-objects.ts";
import { remembered, type RepositoryTree, type Resolved } from "./repository-tree.ts";

/** The scan of all configuration files of a folder. */
export interface FolderScan extends FileScan {
  /** The folder with the links on the way to it. */
  found: Resolved;
}

export class FolderScanner {
  readonly #tree: RepositoryTree;
  readonly #cache: ScanCache;
  readonly #maxFiles: number;
  readonly #folders = new Map<string, Promise<FolderScan>>();
  readonly #files = new Map<string, Promise<FileScan>>();
  readonly #made = new Map<string, FileScan>();
  #asked: string[] = [];
  #answer: Promise<ReadonlyMap<string, FileScan>> | null = null;

  constructor(tree: RepositoryTree, cache: ScanCache, maxFiles: number) {
    this.#tree = tree;
    this.#cache = cache;
    this.#maxFiles = maxFiles;
  }

  /** Scans a folder, whose path may lead through links. */
  scan(path: string, engine: EngineName): Promise<FolderScan> {
    return remembered(this.#folders, `${engine} ${path}`, () => this.#scanFolder(path, engine));
  }

  /** Keeps what was scanned. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#made.size > 0) await this.#cache.keep(this.#made);
  }

  async #scanFolder(path: string, engine: EngineName): Promise<FolderScan> {
    const found = await this.#tree.resolve(path);
    const scan: FolderScan = { found, modules: [], reads: [], unresolved: [], readsAll: false };
    if (found.type !== "folder") return scan;
    const entries = await this.#tree.entries(found.oid);
    const names = configurationFiles([...entries.keys()], engine).filter((name) => !isLeftOut(name));
    const scans = await Promise.all(names.map((name) => this.#scanEntry(`${found.path}/${name}`)));
    for (const [index, file] of scans.entries()) {
      if (file === null) continue;
      const at = found.path === "." ? names[index] : `${found.path}/${names[index]}`;
      scan.modules.push(...file.modules);
      scan.reads.push(...file.reads);
      scan.unresolved.push(...file.unresolved.map((text) => `${at}: ${text}`));
      scan.readsAll ||= file.readsAll;
    }
    return scan;
  }

  /** Scans a file, or the target of a link; `null` if there is none. */
  async #scanEntry(path: string): Promise<FileScan | null> {
    const found = await this.#tree.resolve(path);
    if (found.type !== "file" || found.entry.mode === LINK) return null;
    const { oid } = found.entry;
    const isJson = path.endsWith(".json");
    return remembered(this.#files, isJson ? `${oid}.json` : oid, () => this.#scanFile(oid, isJson));
  }

  async #scanFile(oid: string, isJson: boolean): Promise<FileScan> {
    if (this.#files.size > this.#maxFiles) return unreadable(`more than ${this.#maxFiles} files of configuration`);
    const key = isJson ? `${oid}.json` : oid;
    const known = (await this.#ask(key)).get(key);
    if (known !== undefined) return known;
    const body = await this.#tree.objects.readBlob(oid, SCANNED_BYTES);
    const scan =
      body === null
        ? unreadable(`more than ${SCANNED_BYTES} bytes`)
        : scanConfiguration(isJson ? "main.tf.json" : "main.tf", body);
    this.#made.set(key, scan);
    return scan;
  }

  /** Looks up a key together with all others of the same turn. */
  #ask(key: string): Promise<ReadonlyMap<string, FileScan>> {
    this.#asked.push(key);
    this.#answer ??= new Promise<void>((resolve) => {
      setImmediate(resolve);
    }).then(() => {
      const keys = this.#asked;
      this.#asked = [];
      this.#answer = null;
      return this.#cache.find(keys);
    });
    return this.#answer;
  }
}
