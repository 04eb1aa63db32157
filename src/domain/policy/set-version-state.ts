import { idKind } from "../../model/kit/id.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicyVersionState } from "../../model/policy/policy-set.ts";
import type { PolicySetVersion } from "../../model/policy/policy-set-version.ts";
import { failedTests, type PolicyTestReport } from "../../model/policy/policy-test.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  lockPolicyVersion,
  type PlacedVersion,
  setPolicyVersionState,
} from "../../persistence/policy/policy-version-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { placeOfPolicySet } from "./policy-set-command.ts";

export interface SetVersionStateInput {
  versionId: string;
  state: PolicyVersionState;
}

/** The file in problems about tests. */
const TESTS = "tests";

/**
 * Changes the state of a version. A set has one active version and one shadow version at most: the former one is retired. A
 * version whose tests fail is not activated.
 */
export function setPolicySetVersionState(
  deps: Deps,
  caller: ActorCaller,
  { versionId, state }: SetVersionStateInput,
): Promise<PolicySetVersion> {
  const spec = {
    name: "setPolicySetVersionState",
    subjectId: versionId,
    noun: "version of a policy set",
    // Commands that change two versions of one set come one after the other.
    find: async (tx: Transaction) =>
      idKind(versionId) === "policySetVersion" ? lockPolicyVersion(tx, versionId) : null,
    placeOf: placeOfPolicySet,
    sight: "POLICY_READ",
    permission: "POLICY_WRITE",
    words: "changing the states of policy versions",
    presence: "ALWAYS",
  } as const;
  return command(deps, caller, spec, async (tx, version: PlacedVersion) => {
    if (state === "DRAFT") throw invalidField("state", "must be SHADOW, ACTIVE or RETIRED: a draft begins as one.");
    if (state === "ACTIVE") requirePassed(version.testReport);
    const at = deps.clock().toISOString();
    await setPolicyVersionState(tx, version, { state, at, byId: caller.actor.id });
    const activation = state === "ACTIVE" ? { activatedAt: at, activatedById: caller.actor.id } : {};
    return { ...version, state, ...activation };
  });
}

/** Throws POLICY_INVALID if tests failed when the version was pushed. They are determined by the version. */
export function requirePassed(report: PolicyTestReport | null): void {
  const failed = report === null ? [] : failedTests(report);
  if (failed.length === 0) return;
  const names = failed.map(({ name }) => `"${name}"`).join(", ");
  const problems = failed.flatMap(({ name, problems: found }) =>
    found.map((message) => ({ file: TESTS, line: null, column: null, message: `${name}: ${message}` })),
  );
  const message = `The version is not activated, because its tests fail: ${names}. Push one that passes them.`;
  throw new UserError("POLICY_INVALID", message, { problems });
}
