/** Counters of changes that rights depend on. Equal counters mean equal rights. */
export interface AccessVersion {
  /** Counts changes of grants, roles, teams, projects and limits of tokens, and moves. */
  readonly version: number;
  /** Counts projects and workspaces that went to another place in the tree. */
  readonly moves: number;
}
