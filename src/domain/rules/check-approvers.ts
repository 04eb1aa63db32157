import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { mostApprovals, type People } from "../../model/approval/satisfiable.ts";
import { readAccessVersion } from "../../persistence/people/access-store.ts";
import {
  listActorIdsReaching,
  listApproversReaching,
  listScopesWithGrants,
} from "../../persistence/people/reach-store.ts";
import { scopesReaching } from "../../model/people/grant.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { Place } from "../../model/people/place.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
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
  const people = await readPeople(reader, deps, place, own);
  for (const [index, rule] of own.entries()) {
    const path = `approvalRules.${index}`;
    const known = new Set(people.approvers.flatMap(({ gates, actorId }) => (gates.includes(rule.gate) ? actorId : [])));
    // Ids that are no actor's are reported already.
    const named = rule.approverIds.slice(0, LIMITS.approversPerRule);
    const strangers = named.flatMap((id, position) => (known.has(id) || !isActor(id) ? [] : [position]));
    for (const position of strangers) {
      check.refuse(
        `${path}.approverIds.${position}`,
        "must be an actor that may approve at this gate, and can sign in or has a live token.",
      );
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

/** For a whole organization: the actors that have the permissions anywhere in it. */
async function readPeople(
  reader: Reader,
  { rights, clock }: Pick<Deps, "rights" | "clock">,
  place: Place,
  rules: readonly ApprovalRule[],
): Promise<People> {
  const at = clock().toISOString();
  const isOrganization = place.workspaceId === null && place.projectId === null;
  const scopeIds = isOrganization
    ? await listScopesWithGrants(reader, place.organizationId ?? "")
    : scopesReaching(place, await rights.treeAt(await readAccessVersion(reader)));
  const asked = [{ key: "", scopeIds }];
  const [approvers = []] = await listApproversReaching(reader, asked, at, LIMITS.peopleCounted);
  const creators = new Map<Permission, readonly string[]>();
  // Only these rules ask for the people who create runs.
  const kinds = rules.filter(({ excludeRequester }) => excludeRequester).flatMap((rule) => rule.kinds);
  for (const permission of new Set(kinds.map(permissionToRun))) {
    const [ids = []] = await listActorIdsReaching(reader, permission, asked, at, LIMITS.peopleCounted);
    creators.set(permission, ids);
  }
  return { approvers, creatorsOf: (kind) => creators.get(permissionToRun(kind)) ?? [] };
}

function isActor(id: string): boolean {
  const kind = idKind(id);
  return kind === "user" || kind === "machineUser";
}
