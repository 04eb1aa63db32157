import type { GitSource, Variable } from "../../model/workspace/workspace.ts";

/** A configuration as an archive. */
export interface PackedSource {
  /** SHA-256 (hex) of the archive. */
  digest: string;
  /** The archive as tar.gz. */
  archive: Buffer;
}

export interface GitFetcher extends AsyncDisposable {
  /**
   * Packs the configured folder of the branch's current commit. Throws INVALID_INPUT naming the field below
   * `source.git`, with the error of git but never a credential.
   */
  fetch(source: GitSource, variables: readonly Variable[]): Promise<PackedSource & { commit: string }>;
}
