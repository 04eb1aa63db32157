/** Counters of changes that rights depend on. Equal counters mean equal rights. */
export interface AccessVersion {
  /** Counts changes of grants, roles, teams, projects and limits of tokens. */
  readonly version: number;
  /** Counts changes of the tree: projects that are added, moved or isolated, and workspaces that are moved. */
  readonly moves: number;
}
