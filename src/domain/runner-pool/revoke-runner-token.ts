import type { Place } from "../../model/people/place.ts";
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRunnerTokens, revokeRunnerTokenRow } from "../../persistence/runner/runner-token-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

/** Revokes a token of a pool, which gives no more jobs. Running jobs have tokens of their own and continue. */
export function revokeRunnerToken(deps: Deps, caller: ActorCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  const spec = {
    name: "revokeRunnerToken",
    subjectId: tokenId,
    noun: "runner token",
    find: async (tx: Transaction) => {
      const [token = null] = idKind(tokenId) === "runnerToken" ? await findRunnerTokens(tx, [tokenId]) : [];
      return token;
    },
    placeOf: (token: Place) => token,
    sight: "RUNNER_POOL_WRITE",
    permission: "RUNNER_POOL_WRITE",
    words: "revoking runner tokens",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    // Ends the requests that wait for work with this token.
    tx.announce("work");
    const revoked = await revokeRunnerTokenRow(tx, tokenId, deps.clock().toISOString());
    if (!revoked) throw notFound("runner token");
    return tokenId;
  });
}
