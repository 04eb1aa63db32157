import type { BulkOperation } from "../../model/bulk/bulk.ts";
import { mayAnywhere, type TokenCaller } from "../../model/people/permission.ts";
import { toPage } from "../../model/kit/page.ts";
import { findBulkOperations, listBulkOperations, listBulkResults } from "../../persistence/bulk/bulk-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { BulkQueries } from "./bulk-domain.ts";

/** Whether the caller may see an operation, and stop it. */
function isInCharge(caller: TokenCaller, { createdById }: Pick<BulkOperation, "createdById">): boolean {
  return createdById === caller.actor.id || mayAnywhere(caller, "bulk:ofOthers");
}

export function createBulkQueries({ database }: Deps): BulkQueries {
  return {
    async bulkOperations(caller, ids) {
      if (ids.length === 0) return [];
      const found = await findBulkOperations(database, ids);
      return found.map((operation) => (operation !== null && isInCharge(caller, operation) ? operation : null));
    },
    listBulkOperations: (caller, page) => listBulkOperations(database, caller.actor.id, page),
    listBulkResults: async (caller, operation, page) =>
      isInCharge(caller, operation) ? listBulkResults(database, operation.id, page) : toPage(page, []),
  };
}
