import { createRunnerPool } from "./create-runner-pool.ts";
import { createRunnerToken } from "./create-runner-token.ts";
import { deleteRunnerPool } from "./delete-runner-pool.ts";
import { cycleRunner, drainRunner, resumeRunner } from "./order-runner.ts";
import { revokeRunner } from "./revoke-runner.ts";
import { revokeRunnerToken } from "./revoke-runner-token.ts";
import { updateRunnerPool } from "./update-runner-pool.ts";

/** The commands about runners, their pools and tokens, by name. */
export const RUNNER_COMMANDS = {
  createRunnerPool,
  createRunnerToken,
  cycleRunner,
  deleteRunnerPool,
  drainRunner,
  resumeRunner,
  revokeRunner,
  revokeRunnerToken,
  updateRunnerPool,
};
