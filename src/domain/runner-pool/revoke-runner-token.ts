import { idKind } from "../../model/kit/id.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { revokeRunnerTokenRow } from "../../persistence/runner/runner-token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";

/** Nobody gets work by it any more. Jobs that runners have by it go on: they have tokens of their own. */
export function revokeRunnerToken(deps: Deps, caller: TokenCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  return recorded(deps, caller, "revokeRunnerToken", tokenId, async () => {
    // Before it is looked up: whoever may not read tokens must not learn which there are.
    authorize(caller, "runnerPool:write", "revoking runner tokens");
    const at = deps.clock().toISOString();
    const revoked =
      idKind(tokenId) === "runnerToken" &&
      (await deps.database.transaction((tx) => {
        // Whoever waits for work by it is told.
        tx.announce("work");
        return revokeRunnerTokenRow(tx, tokenId, at);
      }));
    if (!revoked) throw notFound("runner token");
    return tokenId;
  });
}
