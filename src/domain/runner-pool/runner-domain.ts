/** The inputs of commands about runners, and the reads of runners. */

export interface CreateRunnerPoolInput {
  organizationId: string;
  name: string;
  description: string | null;
  reserved: boolean;
  driftCheckLimit: number | null;
}

/** Absent fields stay unchanged; `null` clears `description` and `driftCheckLimit`, and is invalid elsewhere. */
export interface UpdateRunnerPoolInput {
  poolId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  reserved?: boolean | null | undefined;
  driftCheckLimit?: number | null | undefined;
}

export interface CreateRunnerTokenInput {
  poolId: string;
  name: string;
  expiresAt: string | null;
}
