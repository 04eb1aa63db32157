import { idKind } from "../../model/id.ts";
import { can, type TokenCaller } from "../../model/permission.ts";
import { notFound } from "../../model/user-error.ts";
import { findRunnerTokens, revokeRunnerTokenRow } from "../../persistence/runner-token-store.ts";
import type { Deps } from "../deps.ts";
import { authorize, recorded } from "../guard.ts";

/** Nobody gets work by it any more. Jobs that runners have by it go on: they have tokens of their own. */
export function revokeRunnerToken(deps: Deps, caller: TokenCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  return recorded(deps, caller, "revokeRunnerToken", tokenId, async () => {
    const known = idKind(tokenId) === "runnerToken" && can(caller, "runner:read");
    const [token = null] = known ? await findRunnerTokens(deps.database, [tokenId]) : [];
    if (token === null) throw notFound("runner token");
    authorize(caller, "runnerPool:write", "revoking runner tokens");
    const at = deps.clock().toISOString();
    const revoked = await deps.database.transaction((tx) => {
      // Whoever waits for work by it is told.
      tx.announce("work");
      return revokeRunnerTokenRow(tx, tokenId, at);
    });
    if (!revoked) throw notFound("runner token");
    return tokenId;
  });
}
