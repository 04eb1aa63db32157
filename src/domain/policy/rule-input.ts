/** Checks the rules and the policies of versions. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicyPoint, PolicySet } from "../../model/policy/policy-set.ts";
import type { CelRule, WasmPolicy } from "../../model/policy/policy-source.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { checkDeciders, checkNamedDeciders } from "./approver-input.ts";

/** The policy set whose policies are checked. */
type OfSet = Pick<PolicySet, "dialect">;

/** Checks what can be checked without compiling; `path` names the list. */
export function checkRules(check: InputCheck, path: string, rules: readonly CelRule[], set: OfSet): void {
  const most = LIMITS.policyRules;
  const isBounded = rules.length >= 1 && rules.length <= most;
  if (!isBounded) return check.refuse(path, `must have 1 to ${most} rules.`);
  for (const [index, rule] of rules.entries()) checkRule(check, `${path}.${index}`, rule, set);
}

function checkRule(check: InputCheck, path: string, rule: CelRule, set: OfSet): void {
  const { name, point, when, message, remediation, types, actions, approvers } = rule;
  checkPolicyName(check, `${path}.name`, name);
  checkPoint(check, `${path}.point`, point, set);
  checkText(check, `${path}.when`, when);
  checkText(check, `${path}.message`, message);
  if (remediation !== null) checkText(check, `${path}.remediation`, remediation);
  if (types !== null) checkTypes(check, `${path}.types`, types);
  check.require(
    actions === null || actions.length > 0,
    `${path}.actions`,
    "must have an action, or be absent for all.",
  );
  if (approvers === null) return;
  const words = "must be absent at RUN_CREATE: a run that does not exist has no gate. Use the point PLAN.";
  check.require(point !== "RUN_CREATE", `${path}.approvers`, words);
  checkPolicyName(check, `${path}.approvers.name`, approvers.name);
  checkDeciders(check, `${path}.approvers`, approvers);
}

/** Refuses RUN_CREATE for policies of other products: their inputs are made of a plan, which does not exist then. */
export function checkPoint(check: InputCheck, path: string, point: PolicyPoint, { dialect }: OfSet): void {
  const words = `must be PLAN or PRE_APPLY: the input of the dialect ${dialect} is a plan. RUN_CREATE is for the dialect HOLDPOINT.`;
  check.require(point !== "RUN_CREATE" || dialect === "HOLDPOINT", path, words);
}

/** Checks a name that is stored as JSON, which has no lone surrogates in Postgres. */
export function checkPolicyName(check: InputCheck, path: string, name: string): void {
  if (name.isWellFormed()) check.label(path, name);
  else check.refuse(path, "must be well-formed Unicode.");
}

function checkText(check: InputCheck, path: string, text: string): void {
  const most = LIMITS.policyExpressionLength;
  const fits = text.trim() !== "" && text.length <= most && isStorable(text) && text.isWellFormed();
  check.require(fits, path, `must have 1 to ${most} characters, and not U+0000.`);
}

function checkTypes(check: InputCheck, path: string, types: readonly string[]): void {
  const most = LIMITS.policyTypes;
  if (types.length < 1 || types.length > most) {
    return check.refuse(path, `must have 1 to ${most} types, or be absent for all.`);
  }
  for (const [index, type] of types.entries()) {
    check.require(/^[A-Za-z0-9_-]{1,200}$/.test(type), `${path}.${index}`, "must be a type, such as aws_s3_bucket.");
  }
}

/** Checks the people whose approval rules demand. */
export async function checkDemands(
  reader: Reader,
  deps: Pick<Deps, "rights" | "clock" | "hasIdentityProvider">,
  check: InputCheck,
  { rules, ...context }: { rules: readonly CelRule[]; caller: ActorCaller; organizationId: string },
): Promise<void> {
  for (const [index, { approvers }] of rules.entries()) {
    if (approvers === null) continue;
    const path = `rules.${index}.approvers`;
    await checkNamedDeciders(reader, deps, check, { path, ...context, deciders: approvers, before: null });
  }
}

/** Checks the policies of a compiled module; `path` names the list. */
export function checkModulePolicies(
  check: InputCheck,
  path: string,
  policies: readonly WasmPolicy[],
  set: OfSet,
): void {
  const most = LIMITS.policyRules;
  if (policies.length < 1 || policies.length > most) return check.refuse(path, `must have 1 to ${most} policies.`);
  const names = new Set<string>();
  for (const [index, { name, point, entrypoint }] of policies.entries()) {
    checkPolicyName(check, `${path}.${index}.name`, name);
    check.require(!names.has(name), `${path}.${index}.name`, "must differ from the names of the other policies.");
    names.add(name);
    checkPoint(check, `${path}.${index}.point`, point, set);
    const fits = /^[\w.-]+(?:\/[\w.-]+)*$/.test(entrypoint) && entrypoint.length <= LIMITS.keyLength;
    check.require(fits, `${path}.${index}.entrypoint`, "must be the path of a rule, such as terraform/deny.");
  }
}
