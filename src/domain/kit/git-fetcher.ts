import type { GitSource, Variable } from "../../model/workspace/workspace.ts";

/** A configuration, packed. */
export interface PackedSource {
  /** SHA-256 (hex) of the archive. */
  digest: string;
  /** tar.gz */
  archive: Buffer;
}

export interface GitFetcher extends AsyncDisposable {
  /**
   * The folder of the commit that the branch points to now. Throws INVALID_INPUT naming the field below `source.git`,
   * with what git said where it failed; never a credential.
   */
  fetch(source: GitSource, variables: readonly Variable[]): Promise<PackedSource & { commit: string }>;
}
