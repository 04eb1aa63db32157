/** The template of commands about a pool of runners. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RunnerPool } from "../../model/runner/runner.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { lockRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";

export interface PoolCommandSpec {
  name: string;
  poolId: string;
  /** The action in the error FORBIDDEN. */
  words: string;
  check?: (input: InputCheck) => void;
}

/** Runs a command about a pool, under the lock of its row (`command`). */
export function commandPool<T>(
  deps: Deps,
  caller: ActorCaller,
  { name, poolId, words, check }: PoolCommandSpec,
  work: (tx: Transaction, pool: RunnerPool) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      name,
      subjectId: poolId,
      noun: "runner pool",
      find: async (tx) => (idKind(poolId) === "runnerPool" ? lockRunnerPool(tx, poolId) : null),
      placeOf: ({ organizationId }) => organizationPlace({ id: organizationId }),
      sight: "RUNNER_READ",
      permission: "RUNNER_POOL_WRITE",
      words,
      check: (input) => check?.(input),
    },
    work,
  );
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function checkPoolName(check: InputCheck, name: string): void {
  const words = "must have 1 to 63 small letters, digits and hyphens, beginning with a letter or digit.";
  check.require(NAME.test(name), "name", words);
}

export function checkDriftLimit(check: InputCheck, limit: number | null | undefined): void {
  const { driftCheckLimit: most } = LIMITS;
  const ok = limit === null || limit === undefined || (limit >= 1 && limit <= most);
  check.require(ok, "driftCheckLimit", `must be from 1 to ${most}, or null for no limit.`);
}

/** Turns a violated unique index on names into an error for the caller. */
export function nameTaken(error: unknown, index: string, message: string): unknown {
  return violates(error, index) ? new UserError("NAME_TAKEN", message) : error;
}
