import type { DeploymentStatus } from "../generated/graphql.ts";

/** The statuses by which a list of workspaces is filtered. */
export const STATUSES: readonly DeploymentStatus[] = [
  "RUNNING",
  "DEPLOYING",
  "FAILED",
  "DEGRADED",
  "UNREACHABLE",
  "PAUSED",
  "PENDING",
  "DESTROYED",
];

/** The part of the address of a list of workspaces behind `?`. */
export interface WorkspaceSearch {
  readonly search?: string;
  readonly status?: DeploymentStatus;
  readonly after?: string;
}

/** Reads the address; what it does not know is left out. */
export function readWorkspaceSearch({ search, status, after }: Record<string, unknown>): WorkspaceSearch {
  const known = STATUSES.find((one) => one === status);
  return {
    // A name of digits alone is read as a number.
    ...((typeof search === "string" || typeof search === "number") && { search: String(search) }),
    ...(known !== undefined && { status: known }),
    ...(typeof after === "string" && { after }),
  };
}
