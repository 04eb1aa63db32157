import type { RulesInput } from "../rules/rules-input.ts";
import type { RetentionChange } from "../../model/workspace/retention.ts";
import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { changedRetention } from "../../model/workspace/retention.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { ringOrganization } from "../../persistence/run/alarm-store.ts";
import { offerSlots } from "../../persistence/dispatch/dispatch-store.ts";
import {
  lockOrganizationIfAny,
  updateOrganizationSettings,
} from "../../persistence/organization/organization-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkApprovers, holdNamedTeams } from "../rules/check-approvers.ts";
import { checkRules, changedRules, removesApprovalRules, rulesAfter } from "../rules/rules-input.ts";
import { organizationSettingsDigest, type ReadSettings, requireRead } from "../rules/settings-digest.ts";
import { checkConcurrencyLimit, checkMaxRunsPerPush, checkOrganizationName } from "./organization-input.ts";
import { checkRetention } from "./retention-input.ts";

/** Absent fields stay unchanged; `null` is invalid. */
export interface UpdateOrganizationInput extends RulesInput, ReadSettings {
  organizationId: string;
  name?: string | null | undefined;
  concurrencyLimit?: number | null | undefined;
  maxRunsPerPush?: number | null | undefined;
  retention?: RetentionChange | null | undefined;
}

/**
 * Updates the given fields. Throws INVALID_INPUT if the caller has read other settings. A lower limit does not stop runs
 * that are executing. Other effects on live runs follow with the next round of alarms.
 */
export function updateOrganization(
  deps: Deps,
  caller: ActorCaller,
  input: UpdateOrganizationInput,
): Promise<Organization> {
  const { organizationId, name, concurrencyLimit, maxRunsPerPush } = input;
  const spec = {
    name: "updateOrganization",
    presence: ({ rules }: Organization) => (removesApprovalRules(rules, input) ? "ALWAYS" : undefined),
    subjectId: organizationId,
    noun: "organization",
    find: async (tx: Transaction) =>
      idKind(organizationId) === "organization" ? lockOrganizationIfAny(tx, organizationId) : null,
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    permission: "ORGANIZATION_UPDATE",
    words: "changing organizations",
    check: (check: InputCheck, before: Organization, tx: Transaction) =>
      checkInput(tx, deps, check, { caller, input, before }),
  } as const;
  return command(deps, caller, spec, async (tx, before) => {
    requireRead(input, organizationSettingsDigest(before));
    await holdNamedTeams(tx, input.approvalRules);
    const after = {
      ...before,
      name: name ?? before.name,
      concurrencyLimit: concurrencyLimit ?? before.concurrencyLimit,
      maxRunsPerPush: maxRunsPerPush ?? before.maxRunsPerPush,
      retention: changedRetention(before.retention, input.retention ?? {}),
      rules: rulesAfter(before.rules, input),
    };
    await updateOrganizationSettings(tx, organizationId, after);
    if (changedRules(before.rules, after.rules).length > 0) {
      await ringOrganization(tx, organizationId, deps.clock().toISOString());
      tx.announce("inbox");
    }
    if (after.concurrencyLimit !== before.concurrencyLimit) offerSlots(tx, organizationId);
    return after;
  });
}

async function checkInput(
  tx: Transaction,
  deps: Deps,
  check: InputCheck,
  { caller, input, before }: { caller: ActorCaller; input: UpdateOrganizationInput; before: Organization },
): Promise<void> {
  const { name, concurrencyLimit, maxRunsPerPush } = input;
  check.require(name !== null, "name", "cannot be cleared.");
  check.require(concurrencyLimit !== null, "concurrencyLimit", "cannot be cleared.");
  check.require(maxRunsPerPush !== null, "maxRunsPerPush", "cannot be cleared.");
  if (typeof name === "string") checkOrganizationName(check, name);
  if (typeof concurrencyLimit === "number") checkConcurrencyLimit(check, concurrencyLimit);
  if (typeof maxRunsPerPush === "number") checkMaxRunsPerPush(check, maxRunsPerPush);
  checkRetention(check, input.retention);
  checkRules(check, input, deps.clock());
  const place = organizationPlace({ id: input.organizationId });
  const context = { caller, before: before.rules.approvalRules, others: [], planAlways: false, place };
  await checkApprovers(tx, deps, check, input.approvalRules, context);
}
