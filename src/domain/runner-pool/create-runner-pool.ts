import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { RunnerPool } from "../../model/runner/runner.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { countRunnerPools, insertRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { checkPoolName, nameTaken } from "./pool-command.ts";
import type { CreateRunnerPoolInput } from "./runner-domain.ts";

/** A pool without runners: those come with its tokens. */
export function createRunnerPool(deps: Deps, caller: TokenCaller, input: CreateRunnerPoolInput): Promise<RunnerPool> {
  const { organizationId, name, description, reserved } = input;
  return recorded(deps, caller, "createRunnerPool", organizationId, async () => {
    const known = idKind(organizationId) === "organization" && can(caller, "organization:read");
    const [organization = null] = known ? await findOrganizations(deps.database, [organizationId]) : [];
    if (organization === null) throw notFound("organization");
    authorize(caller, "runnerPool:write", "creating runner pools");
    const check = new InputCheck();
    checkPoolName(check, name);
    check.text("description", description);
    check.done();
    // Those who create at the same time may go over it: it keeps a script in bounds, nothing depends on it.
    if ((await countRunnerPools(deps.database, organizationId)) >= LIMITS.runnerPoolsPerOrganization) {
      const message = `has ${LIMITS.runnerPoolsPerOrganization} runner pools already, which is the limit.`;
      throw invalidField("organizationId", message);
    }
    const createdAt = deps.clock().toISOString();
    const pool = { id: deps.newId("runnerPool"), organizationId, name, description, reserved, createdAt };
    await deps.database
      .transaction((tx) => insertRunnerPool(tx, pool))
      .catch((error: unknown) => {
        throw nameTaken(error, "runner_pool_name", `The organization has a runner pool "${name}" already.`);
      });
    return pool;
  });
}
