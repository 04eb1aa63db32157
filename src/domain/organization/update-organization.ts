import { idKind } from "../../model/kit/id.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import { changedRetention } from "../../model/workspace/retention.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { ringOrganization } from "../../persistence/run/alarm-store.ts";
import { offerPlaces } from "../../persistence/dispatch/dispatch-store.ts";
import {
  findOrganizations,
  lockOrganization,
  updateOrganizationSettings,
} from "../../persistence/organization/organization-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { UpdateOrganizationInput } from "../domain.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { checkApprovers } from "../policy/check-approvers.ts";
import { checkPolicy, movedPolicy, policyAfter } from "../policy/policy-input.ts";
import { checkConcurrencyLimit, checkOrganizationName } from "./organization-input.ts";
import { checkRetention } from "./retention-input.ts";

/**
 * Changes what is given. A lower limit lets runs that are at work go on; what else a change means for runs that are live
 * is looked at with the next round of alarms.
 */
export function updateOrganization(
  deps: Deps,
  caller: TokenCaller,
  input: UpdateOrganizationInput,
): Promise<Organization> {
  const { organizationId, name, concurrencyLimit } = input;
  return recorded(deps, caller, "updateOrganization", organizationId, () =>
    deps.database.transaction(async (tx) => {
      const known = idKind(organizationId) === "organization";
      const [found = null] = known ? await findOrganizations(tx, [organizationId]) : [];
      if (found === null || !can(caller, "organization:read")) throw notFound("organization");
      authorize(caller, "organization:write", "changing organizations");
      const check = new InputCheck();
      check.require(name !== null, "name", "cannot be cleared.");
      check.require(concurrencyLimit !== null, "concurrencyLimit", "cannot be cleared.");
      if (typeof name === "string") checkOrganizationName(check, name);
      if (typeof concurrencyLimit === "number") checkConcurrencyLimit(check, concurrencyLimit);
      checkRetention(check, input.retention);
      checkPolicy(check, input, deps.clock());
      await checkApprovers(tx, deps.clock(), check, input.approvalRules, { others: [], planAlways: false });
      check.done();
      const before = await lockOrganization(tx, organizationId);
      const after = {
        ...before,
        name: name ?? before.name,
        concurrencyLimit: concurrencyLimit ?? before.concurrencyLimit,
        retention: changedRetention(before.retention, input.retention ?? {}),
        policy: policyAfter(before.policy, input),
      };
      await updateOrganizationSettings(tx, organizationId, after);
      if (movedPolicy(before.policy, after.policy).length > 0) {
        await ringOrganization(tx, organizationId, deps.clock().toISOString());
      }
      if (after.concurrencyLimit !== before.concurrencyLimit) offerPlaces(tx, organizationId);
      return after;
    }),
  );
}
