import type { FileScan } from "../../model/source/file-scan.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { GitSource, Variable } from "../../model/workspace/workspace.ts";

/** A configuration as an archive. */
export interface PackedSource {
  /** SHA-256 (hex) of the archive. */
  digest: string;
  /** The archive as tar.gz. */
  archive: Buffer;
}

/** Keeps scans of configuration files between commits, by keys of files. */
export interface ScanCache {
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, FileScan>>;
  keep: (scans: ReadonlyMap<string, FileScan>) => Promise<void>;
}

/** The rules by which files of a commit count for a workspace. */
export interface InputRules {
  /** Globs of files that do not count, unless a configuration names them. */
  ignores: readonly string[];
  /** Globs of further files that count. */
  alsoReads: readonly string[];
  /** Folders that an engine read although no scan had found them. */
  reported: readonly string[];
}

export interface FetchOptions extends InputRules {
  /** Folders of other workspaces of the repository, which are no part of a folder around them. */
  others: readonly string[];
  /** Returns the cache for a repository with its credential. */
  scansOf: (mirror: string) => ScanCache;
}

/** A configuration of a repository: with the layout of the repository, but only the files that are read. */
export interface FetchedSource extends PackedSource {
  commit: string;
  /** The folder of the archive in which the engine runs. */
  workFolder: string;
  inputs: SourceInputs;
}

export interface GitFetcher extends AsyncDisposable {
  /**
   * Packs what the configured folder of the branch's current commit reads. Throws INVALID_INPUT naming the field below
   * `source.git`, with the error of git but never a credential.
   */
  fetch(source: GitSource, variables: readonly Variable[], options: FetchOptions): Promise<FetchedSource>;
}
