import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { countPolicySets, insertPolicySet } from "../../persistence/policy/policy-set-store.ts";
import { lockOrganizationIfAny } from "../../persistence/organization/organization-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { holdListedTeams } from "../rules/check-approvers.ts";
import { idKind } from "../../model/kit/id.ts";
import { type PolicySetChange, policySetNameTaken, withWarnings } from "./policy-set-command.ts";
import { checkPolicySet, type PolicySetSettings } from "./policy-set-input.ts";
import { storedSelector } from "./selector-input.ts";

export type CreatePolicySetInput = PolicySetSettings & Pick<PolicySet, "organizationId" | "language" | "dialect">;

/** Creates a set of policies. It judges nothing until one of its versions is active. */
export function createPolicySet(
  deps: Deps,
  caller: ActorCaller,
  input: CreatePolicySetInput,
): Promise<PolicySetChange> {
  const { organizationId, language, dialect, ...settings } = input;
  const spec = {
    name: "createPolicySet",
    subjectId: organizationId,
    noun: "organization",
    find: async (tx: Transaction) =>
      idKind(organizationId) === "organization" ? lockOrganizationIfAny(tx, organizationId) : null,
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    permission: "POLICY_WRITE",
    words: "creating policy sets",
    check: async (check: InputCheck, _organization: Organization, tx: Transaction) => {
      const fits = language !== "CEL" || dialect === "HOLDPOINT";
      check.require(fits, "dialect", "must be HOLDPOINT with the language CEL.");
      await checkPolicySet(tx, deps, check, settings, { caller, organizationId, before: null });
    },
  } as const;
  return command(deps, caller, spec, async (tx) => {
    if ((await countPolicySets(tx, organizationId)) >= LIMITS.policySetsPerOrganization) {
      const message = `has ${LIMITS.policySetsPerOrganization} policy sets, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    await holdListedTeams(tx, [{ path: "overriders.teamIds", teamIds: settings.overriders.teamIds }]);
    const set: PolicySet = {
      id: deps.newId("policySet"),
      organizationId,
      language,
      dialect,
      ...settings,
      selector: storedSelector(settings.selector),
      overriders: { ...settings.overriders },
      createdAt: deps.clock().toISOString(),
    };
    await insertPolicySet(tx, set);
    return withWarnings(tx, caller, set);
  }).catch((error: unknown) => {
    throw policySetNameTaken(error, input.name);
  });
}
