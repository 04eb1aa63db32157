/** The part of the address of a list of workspaces behind `?`. */
export interface WorkspaceSearch {
  readonly search?: string;
  readonly after?: string;
}

/** Reads the address; what it does not know is left out. */
export function readWorkspaceSearch({ search, after }: Record<string, unknown>): WorkspaceSearch {
  return {
    // A name of digits alone is read as a number.
    ...((typeof search === "string" || typeof search === "number") && { search: String(search) }),
    ...(typeof after === "string" && { after }),
  };
}
