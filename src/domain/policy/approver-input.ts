/** Checks lists of people who decide about the results of policies. */
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkNamedApprovers } from "../rules/check-approvers.ts";

/** People of whom a number must agree. */
export interface Deciders {
  approverIds: readonly string[];
  teamIds: readonly string[];
  minimum: number;
  excludeRequester: boolean;
}

/** Checks what can be checked without reading; `path` names the field. */
export function checkDeciders(check: InputCheck, path: string, { approverIds, teamIds, minimum }: Deciders): void {
  const most = LIMITS.policyApprovers;
  check.require(minimum >= 1 && minimum <= most, `${path}.minimum`, `must be from 1 to ${most}.`);
  checkIds(check, `${path}.approverIds`, approverIds);
  checkIds(check, `${path}.teamIds`, teamIds);
  for (const [index, id] of approverIds.slice(0, most).entries()) {
    check.require(idKind(id) === "user", `${path}.approverIds.${index}`, "must be the id of a user.");
  }
}

function checkIds(check: InputCheck, path: string, ids: readonly string[]): void {
  const most = LIMITS.policyApprovers;
  check.require(ids.length <= most, path, `must have at most ${most} entries.`);
  check.require(new Set(ids).size === ids.length, path, "must name each once.");
}

/** Checks that the named people can approve plans in the organization, and that the caller may name the teams. */
export async function checkNamedDeciders(
  reader: Reader,
  deps: Pick<Deps, "rights" | "clock" | "hasIdentityProvider">,
  check: InputCheck,
  context: { path: string; caller: ActorCaller; organizationId: string; deciders: Deciders; before: Deciders | null },
): Promise<void> {
  const { path, caller, organizationId, deciders, before } = context;
  const most = LIMITS.policyApprovers;
  if (deciders.approverIds.length > most || deciders.teamIds.length > most) return;
  await checkNamedApprovers(reader, deps, check, {
    path,
    caller,
    place: organizationPlace({ id: organizationId }),
    rule: ruleOf(deciders),
    before: before === null ? [] : [ruleOf(before)],
  });
}

function ruleOf({ approverIds, teamIds, minimum, excludeRequester }: Deciders): ApprovalRule {
  return {
    name: "policies",
    gate: "PLAN",
    kinds: ["DEPLOY", "DESTROY", "APPLY"],
    minimum,
    approverIds: [...approverIds],
    teamIds: [...teamIds],
    excludeRequester,
    distinctFromPlanApprover: false,
    commentRequired: false,
    machinesCount: false,
    requirePresence: false,
  };
}
