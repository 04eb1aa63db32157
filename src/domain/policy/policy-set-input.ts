/** Checks the settings of policy sets. */
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkDeciders, checkNamedDeciders } from "./approver-input.ts";
import { checkSelectedWorkspaces, checkSelector } from "./selector-input.ts";

/** Settings that a person may change. */
export type PolicySetSettings = Pick<
  PolicySet,
  "name" | "description" | "selector" | "onError" | "judgesUnchanged" | "needsWholePlan" | "overriders" | "enabled"
>;

/** The set that is created or changed. `before`: its settings; `null` for a new one. */
interface SettingsContext {
  caller: ActorCaller;
  organizationId: string;
  before: PolicySetSettings | null;
}

/** Checks the settings as they will be. Ids that the set has already stay valid. */
export async function checkPolicySet(
  tx: Transaction,
  deps: Pick<Deps, "rights" | "clock" | "hasIdentityProvider">,
  check: InputCheck,
  { name, description, selector, overriders }: PolicySetSettings,
  { caller, organizationId, before }: SettingsContext,
): Promise<void> {
  check.label("name", name);
  check.text("description", description);
  checkSelector(check, "selector", selector);
  checkDeciders(check, "overriders", overriders);
  if (check.hasIssues) return;
  const selected = { caller, organizationId, before: before?.selector ?? null };
  await checkSelectedWorkspaces(tx, check, { path: "selector", selector }, selected);
  const people = { deciders: overriders, before: before?.overriders ?? null };
  await checkNamedDeciders(tx, deps, check, { path: "overriders", caller, organizationId, ...people });
}
