import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { updatePolicySetRow } from "../../persistence/policy/policy-set-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { holdListedTeams } from "../rules/check-approvers.ts";
import { onPolicySet, type PolicySetChange, policySetNameTaken, withWarnings } from "./policy-set-command.ts";
import { checkPolicySet, type PolicySetSettings } from "./policy-set-input.ts";
import { storedSelector } from "./selector-input.ts";

/** Absent fields stay unchanged; `null` is invalid but for the description. */
export type UpdatePolicySetInput = { policySetId: string } & {
  [Field in keyof PolicySetSettings]?: PolicySetSettings[Field] | null | undefined;
};

const NOT_CLEARED = [
  "name",
  "selector",
  "onError",
  "judgesUnchanged",
  "needsWholePlan",
  "overriders",
  "enabled",
] as const satisfies readonly (keyof PolicySetSettings)[];

/** Changes a set. Runs are judged by its settings of the moment in which they are judged. */
export function updatePolicySet(
  deps: Deps,
  caller: ActorCaller,
  input: UpdatePolicySetInput,
): Promise<PolicySetChange> {
  const spec = {
    ...onPolicySet(input.policySetId),
    name: "updatePolicySet",
    words: "changing policy sets",
    // It may take the set from workspaces.
    presence: "ALWAYS",
    check: async (check: InputCheck, before: PolicySet, tx: Transaction) => {
      for (const field of NOT_CLEARED) check.require(input[field] !== null, field, "cannot be cleared.");
      const { organizationId } = before;
      await checkPolicySet(tx, deps, check, settingsAfter(before, input), { caller, organizationId, before });
    },
  } as const;
  return command(deps, caller, spec, async (tx, before) => {
    const after = { ...before, ...settingsAfter(before, input) };
    // The teams of a set that stay are held by it already.
    if (input.overriders)
      await holdListedTeams(tx, [{ path: "overriders.teamIds", teamIds: after.overriders.teamIds }]);
    await updatePolicySetRow(tx, after);
    return withWarnings(tx, caller, after);
  }).catch((error: unknown) => {
    throw policySetNameTaken(error, input.name ?? "");
  });
}

function settingsAfter(before: PolicySet, input: UpdatePolicySetInput): PolicySetSettings {
  return {
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    selector: storedSelector(input.selector ?? before.selector),
    onError: input.onError ?? before.onError,
    judgesUnchanged: input.judgesUnchanged ?? before.judgesUnchanged,
    needsWholePlan: input.needsWholePlan ?? before.needsWholePlan,
    overriders: { ...(input.overriders ?? before.overriders) },
    enabled: input.enabled ?? before.enabled,
  };
}
