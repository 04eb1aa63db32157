import type { ActorCaller } from "../../model/people/permission.ts";
import { hastenResults } from "../../persistence/check/check-result-store.ts";
import { markCheckDeleted } from "../../persistence/check/check-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandCheck } from "./check-command.ts";

/** Deletes a check. Open results of it are canceled, and their runs continue without them. */
export function deleteExternalCheck(deps: Deps, caller: ActorCaller, input: { checkId: string }): Promise<string> {
  const { checkId } = input;
  return commandCheck(deps, caller, { name: "deleteExternalCheck", checkId }, async (tx) => {
    const at = deps.clock().toISOString();
    await markCheckDeleted(tx, checkId, at);
    await hastenResults(tx, checkId, at);
    return checkId;
  });
}
