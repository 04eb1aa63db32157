import { bulkRunAction } from "./bulk-run-action.ts";
import { stopBulkOperation } from "./stop-bulk-operation.ts";

/** The commands about bulk operations, by name. */
export const BULK_COMMANDS = {
  bulkRunAction,
  stopBulkOperation,
};
