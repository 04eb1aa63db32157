import { organizationPlace } from "../../model/people/place.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RunnerPool } from "../../model/runner/runner.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { countRunnerPools, insertRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandInSteps } from "../access/command.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { checkDriftLimit, checkPoolName, nameTaken } from "./pool-command.ts";
import type { CreateRunnerPoolInput } from "./runner-domain.ts";

/** Creates a pool. Its runners join by its tokens. */
export function createRunnerPool(deps: Deps, caller: ActorCaller, input: CreateRunnerPoolInput): Promise<RunnerPool> {
  const { organizationId, name, description, reserved, driftCheckLimit } = input;
  const spec = {
    name: "createRunnerPool",
    subjectId: organizationId,
    noun: "organization",
    find: (reader: Reader) => lookUpOrganization(reader, organizationId),
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    permission: "RUNNER_POOL_WRITE",
    words: "creating runner pools",
  } as const;
  return commandInSteps(deps, caller, spec, async (_organization, check) => {
    checkPoolName(check, name);
    check.text("description", description);
    checkDriftLimit(check, driftCheckLimit);
    check.done();
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countRunnerPools(deps.database, organizationId)) >= LIMITS.runnerPoolsPerOrganization) {
      const message = `has ${LIMITS.runnerPoolsPerOrganization} runner pools, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const createdAt = deps.clock().toISOString();
    const pool = {
      id: deps.newId("runnerPool"),
      organizationId,
      name,
      description,
      reserved,
      driftCheckLimit,
      createdAt,
    };
    await deps.database
      .transaction((tx) => insertRunnerPool(tx, pool))
      .catch((error: unknown) => {
        throw nameTaken(
          error,
          "runner_pool_name",
          `The organization already has a runner pool "${name}". Choose another name.`,
        );
      });
    return pool;
  });
}
