/** Checks the tests of versions. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyTest } from "../../model/policy/policy-test.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { checkContext, checkDocument, NO_DOCUMENT } from "./document-input.ts";
import { checkPolicyName } from "./rule-input.ts";

/** Checks tests; `policies`: the names of the policies of the version. */
export function checkTests(check: InputCheck, tests: readonly PolicyTest[], policies: readonly string[]): void {
  const most = LIMITS.policyTests;
  if (tests.length > most) return check.refuse("tests", `must have at most ${most} tests.`);
  const names = new Set<string>();
  for (const [index, test] of tests.entries()) {
    const path = `tests.${index}`;
    checkPolicyName(check, `${path}.name`, test.name);
    check.require(!names.has(test.name), `${path}.name`, "must differ from the names of the other tests.");
    names.add(test.name);
    checkGiven(check, `${path}.given`, test.given);
    checkExpectations(check, `${path}.expect`, test.expect, policies);
  }
}

function checkGiven(check: InputCheck, path: string, given: PolicyTest["given"]): void {
  const { point, document, fixtureId, context } = given;
  if (point === "RUN_CREATE") {
    check.require(document === null, `${path}.document`, NO_DOCUMENT);
  } else {
    const isOne = (document === null) !== (fixtureId === null);
    check.require(isOne, path, "must have either a document or a fixture.");
  }
  if (document !== null) checkDocument(check, `${path}.document`, document);
  checkContext(check, `${path}.context`, context);
}

function checkExpectations(
  check: InputCheck,
  path: string,
  { failed, passed }: PolicyTest["expect"],
  policies: readonly string[],
): void {
  const most = LIMITS.policyExpectations;
  const count = failed.length + passed.length;
  if (count < 1 || count > most) return check.refuse(path, `must name 1 to ${most} policies that fail or pass.`);
  const rule = `must be a policy of the version: ${policies.slice(0, 10).join(", ")}.`;
  for (const [index, { policy, rule: named, addresses }] of failed.entries()) {
    const text = [named ?? "", ...(addresses ?? [])].join("");
    const fits = isStorable(text) && text.isWellFormed() && text.length <= LIMITS.textLength;
    check.require(
      fits,
      `${path}.failed.${index}`,
      `must have at most ${LIMITS.textLength} characters, and not U+0000.`,
    );
    check.require(policies.includes(policy), `${path}.failed.${index}.policy`, rule);
    const bounded = (addresses ?? []).length <= LIMITS.policyExpectations;
    check.require(bounded, `${path}.failed.${index}.addresses`, `must have at most ${most} addresses.`);
  }
  for (const [index, policy] of passed.entries()) {
    check.require(policies.includes(policy), `${path}.passed.${index}`, rule);
  }
}
