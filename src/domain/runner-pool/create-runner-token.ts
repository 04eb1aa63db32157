import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RunnerToken } from "../../model/runner/runner.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { insertRunnerToken, listRunnerTokens } from "../../persistence/runner/runner-token-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { newRunnerSecret } from "../token/credentials.ts";
import { hashSecret } from "../token/secret.ts";
import { commandPool, nameTaken } from "./pool-command.ts";
import type { CreateRunnerTokenInput } from "./runner-domain.ts";

/** Creates a credential for runners of a pool. The secret is returned only here. */
export function createRunnerToken(
  deps: Deps,
  caller: ActorCaller,
  { poolId, name, expiresAt }: CreateRunnerTokenInput,
): Promise<{ token: RunnerToken; secret: string }> {
  const createdAt = deps.clock().toISOString();
  const spec = {
    name: "createRunnerToken",
    poolId,
    words: "creating runner tokens",
    check: (input: InputCheck) => {
      input.label("name", name);
      input.require(expiresAt === null || expiresAt > createdAt, "expiresAt", "must be in the future.");
    },
  };
  return commandPool(deps, caller, spec, async (tx) => {
    const [tokens = []] = await listRunnerTokens(tx, [poolId]);
    if (tokens.length >= LIMITS.runnerTokensPerPool) {
      throw invalidField("poolId", `has ${LIMITS.runnerTokensPerPool} tokens already, which is the limit.`);
    }
    const secret = newRunnerSecret(deps.randomBytes);
    const made = { id: deps.newId("runnerToken"), poolId, name, createdAt, expiresAt, lastUsedAt: null };
    const token: RunnerToken = { ...made, createdById: caller.actor.id };
    await insertRunnerToken(tx, token, hashSecret(secret)).catch((error: unknown) => {
      throw nameTaken(
        error,
        "runner_token_name",
        `The pool already has a token "${name}". Revoke it, or choose another name.`,
      );
    });
    return { token, secret };
  });
}
