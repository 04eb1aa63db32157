import type { Commands } from "../kit/bind-commands.ts";
import { bulkRunAction } from "./bulk-run-action.ts";
import { stopBulkOperation } from "./stop-bulk-operation.ts";

/** The commands about bulk operations, by name. */
export const BULK_COMMANDS = {
  bulkRunAction: { run: bulkRunAction, errors: ["INVALID_INPUT", "FORBIDDEN"] },
  stopBulkOperation: { run: stopBulkOperation, errors: ["NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
