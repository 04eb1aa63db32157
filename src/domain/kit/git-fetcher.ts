import type { FileScan } from "../../model/source/file-scan.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { CommitObjects, ReadBudget } from "./commit-objects.ts";
import type { GitLogin } from "../../model/repository/git-host.ts";
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

/** A commit of a ref. */
export interface SourceCommit {
  ref: string;
  commit: string;
}

export interface FetchOptions extends InputRules {
  /** Folders of other workspaces of the repository, which are no part of a folder around them. */
  others: readonly string[];
  /** The commit, and the ref that it was on; absent: the current one of the branch. */
  at?: SourceCommit | undefined;
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

/** The objects of a commit, for an archive. */
export interface PackableObjects extends CommitObjects {
  /** Returns `null` for a file that is larger than the budget, which is used up by then. */
  readWithin: (oid: string, budget: ReadBudget) => Promise<Buffer | null>;
  /** Fetches those that are missing together, so that they are not fetched one after the other. */
  prefetch: (oids: readonly string[]) => Promise<void>;
}

/** A repository as it was at a look. Valid until the work with it has ended. */
export interface RepositoryView {
  /** The name of the mirror, as a key for what is kept about its contents. */
  mirror: string;
  /** The commits of those refs that exist. An annotated tag has the commit that it names. */
  commits: ReadonlyMap<string, string>;
  /** The objects of a commit, also of one that no ref names any more, if the host still gives it. */
  objects: (commit: string) => Promise<PackableObjects>;
  /** Whether a commit is the other one, or among those before it. Both must be before commits of this look. */
  isAncestor: (older: string, newer: string) => Promise<boolean>;
  /** The message of a commit, of which the first 64 KiB. */
  messageOf: (commit: string) => Promise<string>;
}

/** The server shuts down: what was asked for is left to the next one. */
export class GitClosed extends Error {
  override readonly name = "GitClosed";
}

/** The access to a repository of a git host. */
export interface HostAccess {
  login: GitLogin;
  /** The owner of the mirror, for a login that is replaced every hour; `null`: the login owns it. */
  holder: string | null;
}

/** How git authenticates: by the variables of a workspace, or by a git host. */
export type GitAccess = readonly Variable[] | HostAccess;

export interface GitFetcher extends AsyncDisposable {
  /**
   * Packs what the configured folder of the branch's current commit reads. Throws INVALID_INPUT naming the field below
   * `source.git`, with the error of git but never a credential.
   */
  fetch(source: GitSource, access: GitAccess, options: FetchOptions): Promise<FetchedSource>;
  /**
   * Reads the refs of a repository (`refs/heads/main`) and gives `work` their commits. Looks of one repository never overlap;
   * requests that wait for one share it. Without refs there is no look: the host is asked for missing objects alone. With a
   * commit there is one only if the mirror does not have it. Throws as `fetch` does. `work` is called again if the mirror
   * proves to be broken.
   */
  read<Result>(
    source: Pick<GitSource, "url" | "branch">,
    access: GitAccess,
    refs: readonly string[] | SourceCommit,
    work: (view: RepositoryView) => Promise<Result>,
  ): Promise<Result>;
}
