import type { Commands } from "../kit/bind-commands.ts";
import { createRunnerPool } from "./create-runner-pool.ts";
import { createRunnerToken } from "./create-runner-token.ts";
import { deleteRunnerPool } from "./delete-runner-pool.ts";
import { cycleRunner, drainRunner, resumeRunner } from "./order-runner.ts";
import { revokeRunner } from "./revoke-runner.ts";
import { revokeRunnerToken } from "./revoke-runner-token.ts";
import { updateRunnerPool } from "./update-runner-pool.ts";

/** The commands about runners, their pools and tokens, by name. */
export const RUNNER_COMMANDS = {
  createRunnerPool: { run: createRunnerPool, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  createRunnerToken: { run: createRunnerToken, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  cycleRunner: { run: cycleRunner, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  deleteRunnerPool: {
    run: deleteRunnerPool,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"],
  },
  drainRunner: { run: drainRunner, errors: ["NOT_FOUND", "FORBIDDEN"] },
  resumeRunner: { run: resumeRunner, errors: ["NOT_FOUND", "FORBIDDEN"] },
  revokeRunner: { run: revokeRunner, errors: ["NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"] },
  revokeRunnerToken: { run: revokeRunnerToken, errors: ["NOT_FOUND", "FORBIDDEN"] },
  updateRunnerPool: { run: updateRunnerPool, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
} as const satisfies Commands;
