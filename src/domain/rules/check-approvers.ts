import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { mostApprovals, type People } from "../../model/approval/satisfiable.ts";
import { listActorIdsWith } from "../../persistence/people/grant-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { InputCheck } from "../kit/input.ts";
import { type ApprovalRuleInput, toApprovalRules } from "./approval-rule-input.ts";

/** The context of rules that are to be saved. */
export interface RulesContext {
  /** The rules of the organization, if the checked ones are a workspace's. */
  others: readonly ApprovalRule[];
  /** The plan gate asks for approval even without a rule. */
  planAlways: boolean;
}

/**
 * Checks that the named approvers may approve, and that enough people can satisfy each rule. Without `inputs` there is
 * nothing to check.
 */
export async function checkApprovers(
  reader: Reader,
  at: Date,
  check: InputCheck,
  inputs: readonly ApprovalRuleInput[] | null | undefined,
  { others, planAlways }: RulesContext,
): Promise<void> {
  if (!inputs || inputs.length === 0 || inputs.length > LIMITS.approvalRules) return;
  const own = toApprovalRules(inputs);
  const people: People = {
    approverIds: await listActorIdsWith(reader, "RUN_APPROVE", at.toISOString(), LIMITS.peopleCounted),
    creatorIds: await listActorIdsWith(reader, "RUN_CREATE", at.toISOString(), LIMITS.peopleCounted),
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

function isActor(id: string): boolean {
  const kind = idKind(id);
  return kind === "user" || kind === "machineUser";
}
