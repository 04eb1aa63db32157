import type { ActorCaller } from "../../model/people/permission.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandCheckInSteps, lockAgain, originOf, readHmacKey } from "./check-command.ts";
import type { CheckTest } from "./check-domain.ts";
import { testAddress } from "./test-address.ts";

/** Tests the address of a check now. */
export function testExternalCheck(deps: Deps, caller: ActorCaller, input: { checkId: string }): Promise<CheckTest> {
  const { checkId } = input;
  return commandCheckInSteps(deps, caller, { name: "testExternalCheck", checkId }, async (check, issues) => {
    issues.done();
    const origin = originOf(deps, "checkId");
    const [organization = null] = await findOrganizations(deps.database, [check.organizationId]);
    if (organization === null) throw new Error(`The organization of ${checkId} is missing.`);
    const hmacKey = await readHmacKey(deps, checkId);
    const tested = await testAddress(deps, origin, organization, { ...check, hmacKey });
    // The service may have taken a while: its answer is for those who may still have it.
    await deps.database.transaction((tx) => lockAgain(tx, caller, checkId));
    return tested;
  });
}
