/** What the commands about a pool of runners have in common. */
import { idKind } from "../../model/kit/id.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { RunnerPool } from "../../model/runner/runner.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { lockRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";

export interface PoolCommandSpec {
  name: string;
  poolId: string;
  /** For the error of somebody who may not. */
  words: string;
  check?: (input: InputCheck) => void;
}

/** Authorises, checks, locks the row of the pool and does the work in one transaction. Refusals are recorded. */
export function commandPool<T>(
  deps: Deps,
  caller: TokenCaller,
  { name, poolId, words, check }: PoolCommandSpec,
  work: (tx: Transaction, pool: RunnerPool) => Promise<T>,
): Promise<T> {
  return recorded(deps, caller, name, poolId, () =>
    deps.database.transaction(async (tx) => {
      const pool = idKind(poolId) === "runnerPool" ? await lockRunnerPool(tx, poolId) : null;
      if (pool === null || !can(caller, "runner:read")) throw notFound("runner pool");
      authorize(caller, "runnerPool:write", words);
      const input = new InputCheck();
      check?.(input);
      input.done();
      return work(tx, pool);
    }),
  );
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function checkPoolName(check: InputCheck, name: string): void {
  const words = "must have 1 to 63 small letters, digits and hyphens, beginning with a letter or digit.";
  check.require(NAME.test(name), "name", words);
}

/** Turns the error of a name that is in use into one that a caller can act on. */
export function nameTaken(error: unknown, index: string, message: string): unknown {
  return violates(error, index) ? new UserError("NAME_TAKEN", message) : error;
}
