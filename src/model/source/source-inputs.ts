/** Everything that the engine reads of a repository for one workspace. */
export interface SourceInputs {
  /** SHA-256 (hex) of all files that are read, with their paths: equal if and only if nothing changed. */
  digest: string;
  commit: string;
  /** Folders that are read as configuration: the workspace's own and those of its local modules. */
  folders: string[];
  /** Further files and folders: targets of links, paths in the configuration, declared ones, submodules. */
  paths: string[];
  /** Expressions whose paths only the engine knows, with their files. */
  unresolved: string[];
}
