import type { GitLogin } from "../../model/repository/git-host.ts";

/** The refs that a look needs. */
export interface WantedRefs {
  /** Names without `refs/heads/`. */
  branches: readonly string[];
  /** Whether all tags are wanted. */
  tags: boolean;
}

export interface RemoteRefs {
  /** The commits of the wanted refs that are there, by their full names. An annotated tag has the commit that it names. */
  commits: ReadonlyMap<string, string>;
  /** The default branch; `null` if the host did not show it. */
  defaultBranch: string | null;
}

/** The host could not be read. The message is for people and holds no credential. */
export class RefsUnreadable extends Error {
  override readonly name = "RefsUnreadable";
}

export interface RefReader extends AsyncDisposable {
  /** Reads the wanted refs of a repository. Throws RefsUnreadable. */
  read: (url: string, credential: GitLogin, wanted: WantedRefs) => Promise<RemoteRefs>;
}
