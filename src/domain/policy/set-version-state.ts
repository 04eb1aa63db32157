import { idKind } from "../../model/kit/id.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicyVersionState } from "../../model/policy/policy-set.ts";
import type { PolicySetVersion } from "../../model/policy/policy-set-version.ts";
import { failedTests, type PolicyTestReport } from "../../model/policy/policy-test.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { holdTeams } from "../../persistence/people/team-store.ts";
import {
  listDemandedTeams,
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
    if (state !== "RETIRED") await holdDemandedTeams(tx, version.id);
    const at = deps.clock().toISOString();
    await setPolicyVersionState(tx, version, { state, at, byId: caller.actor.id });
    const activation = state === "ACTIVE" ? { activatedAt: at, activatedById: caller.actor.id } : {};
    return { ...version, state, ...activation };
  });
}

/** Throws INVALID_INPUT if a rule demands approvals of a team that was deleted. Locks the others against it. */
async function holdDemandedTeams(tx: Transaction, versionId: string): Promise<void> {
  const demanded = await listDemandedTeams(tx, versionId);
  const ids = [...new Set(demanded.map(({ teamId }) => teamId))];
  const held = new Set(ids.length === 0 ? [] : await holdTeams(tx, ids));
  const gone = new Set(demanded.flatMap(({ rule, teamId }) => (held.has(teamId) ? [] : [JSON.stringify(rule)])));
  if (gone.size === 0) return;
  const rules = gone.size === 1 ? "the rule" : "the rules";
  const message = `must demand approvals of teams that exist: ${rules} ${[...gone].join(", ")} names one that was deleted. Push a version without it.`;
  throw invalidField("versionId", message);
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
