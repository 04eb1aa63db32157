import type { Commands } from "../kit/bind-commands.ts";
import { createExternalCheck } from "./create-external-check.ts";
import { deleteExternalCheck } from "./delete-external-check.ts";
import { retryExternalCheck } from "./retry-external-check.ts";
import { testExternalCheck } from "./test-external-check.ts";
import { updateExternalCheck } from "./update-external-check.ts";

/** The commands about external checks, by name. */
export const CHECK_COMMANDS = {
  createExternalCheck: { run: createExternalCheck, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deleteExternalCheck: { run: deleteExternalCheck, errors: ["NOT_FOUND", "FORBIDDEN"] },
  retryExternalCheck: { run: retryExternalCheck, errors: ["NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"] },
  testExternalCheck: { run: testExternalCheck, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  updateExternalCheck: { run: updateExternalCheck, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
} as const satisfies Commands;
