import type { BulkOperation } from "../../model/bulk/bulk.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import { idKind } from "../../model/kit/id.ts";
import { lockBulkOperation, setBulkStopped } from "../../persistence/bulk/bulk-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

/** Stops a bulk operation. No further run is started; the run in progress is finished. */
export function stopBulkOperation(
  deps: Deps,
  caller: ActorCaller,
  { operationId }: { operationId: string },
): Promise<BulkOperation> {
  const spec = {
    name: "stopBulkOperation",
    subjectId: operationId,
    noun: "bulk operation",
    find: async (tx: Transaction) =>
      idKind(operationId) === "bulkOperation" ? lockBulkOperation(tx, operationId) : null,
    placeOf: () => INSTALLATION,
    isOwn: ({ createdById }: BulkOperation) => createdById === caller.actor.id,
    sight: "BULK_OTHERS",
    permission: "BULK_OTHERS",
    words: "stopping the operations of others",
  } as const;
  return command(deps, caller, spec, async (tx, found) =>
    found.state === "RUNNING" ? setBulkStopped(tx, operationId, deps.clock().toISOString()) : found,
  );
}
