import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { mostApprovals, type People } from "../../model/approval/satisfiable.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import { listActorIdsIn, listActorIdsReaching } from "../../persistence/people/grant-store.ts";
import { scopesReaching } from "../../model/people/grant.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { Place } from "../../model/people/place.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { type ApprovalRuleInput, toApprovalRules } from "./approval-rule-input.ts";

/** The context of rules that are to be saved. */
export interface RulesContext {
  /** The rules of the organization, if the checked ones are a workspace's. */
  others: readonly ApprovalRule[];
  /** The plan gate asks for approval even without a rule. */
  planAlways: boolean;
  /** Where the rules count: an organization and all below it, or one workspace. */
  place: Place;
}

/**
 * Checks that the named approvers may approve, and that enough people can satisfy each rule. Without `inputs` there is
 * nothing to check.
 */
export async function checkApprovers(
  reader: Reader,
  deps: Pick<Deps, "rights" | "clock">,
  check: InputCheck,
  inputs: readonly ApprovalRuleInput[] | null | undefined,
  { others, planAlways, place }: RulesContext,
): Promise<void> {
  if (!inputs || inputs.length === 0 || inputs.length > LIMITS.approvalRules) return;
  const own = toApprovalRules(inputs);
  const people: People = {
    approverIds: await actorsWith(reader, deps, "RUN_APPROVE", place),
    creatorIds: await actorsWith(reader, deps, "RUN_CREATE", place),
  };
  const known = new Set(people.approverIds);
  for (const [index, rule] of own.entries()) {
    const path = `approvalRules.${index}`;
    // Ids that are no actor's are reported already.
    const named = rule.approverIds.slice(0, LIMITS.approversPerRule);
    const strangers = named.flatMap((id, position) => (known.has(id) || !isActor(id) ? [] : [position]));
    for (const position of strangers) {
      check.refuse(`${path}.approverIds.${position}`, "must be an actor with a live token that may approve.");
    }
    if (named.some((id) => !known.has(id)) || rule.kinds.length === 0) continue;
    const most = mostApprovals(rule, { rules: [...others, ...own], people, planAlways });
    const words = most <= 0 ? "no one can approve here" : `at most ${most} can approve here`;
    check.require(
      rule.minimum <= most,
      `${path}.minimum`,
      `must not be more than the people who can approve: ${words}.`,
    );
  }
}

/** For a whole organization: the actors that have the permission anywhere in it. */
async function actorsWith(
  reader: Reader,
  { rights, clock }: Pick<Deps, "rights" | "clock">,
  permission: Permission,
  place: Place,
): Promise<string[]> {
  const at = clock().toISOString();
  if (place.workspaceId === null && place.projectId === null) {
    return listActorIdsIn(reader, permission, place.organizationId ?? "", at, LIMITS.peopleCounted);
  }
  const tree = await rights.treeAt(await readAccessVersion(reader));
  const asked = { key: "", scopeIds: scopesReaching(place, tree) };
  const [found = []] = await listActorIdsReaching(reader, permission, [asked], at, LIMITS.peopleCounted);
  return found;
}

function isActor(id: string): boolean {
  const kind = idKind(id);
  return kind === "user" || kind === "machineUser";
}
