import type { BulkOperation } from "../../model/bulk/bulk.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { idKind } from "../../model/kit/id.ts";
import { lockBulkOperation, setBulkStopped } from "../../persistence/bulk/bulk-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded } from "../kit/guard.ts";
import { isInCharge } from "./bulk-queries.ts";

/** Nothing is begun after it; what is being done for one run at this moment is done to its end. */
export function stopBulkOperation(
  deps: Deps,
  caller: TokenCaller,
  { operationId }: { operationId: string },
): Promise<BulkOperation> {
  return recorded(deps, caller, "stopBulkOperation", operationId, () =>
    deps.database.transaction(async (tx) => {
      const found = idKind(operationId) === "bulkOperation" ? await lockBulkOperation(tx, operationId) : null;
      if (found === null || !isInCharge(caller, found)) throw notFound("bulk operation");
      return found.state === "RUNNING" ? setBulkStopped(tx, operationId, deps.clock().toISOString()) : found;
    }),
  );
}
