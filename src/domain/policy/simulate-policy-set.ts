import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import type { PolicySimulation } from "../../model/policy/policy-simulation.ts";
import type { CelRule } from "../../model/policy/policy-source.ts";
import type { Reader } from "../../persistence/database/database.ts";
import {
  countRunningSimulations,
  endSimulation,
  insertSimulatedPlans,
  insertSimulation,
} from "../../persistence/policy/policy-simulation-store.ts";
import { findPolicyVersions } from "../../persistence/policy/policy-version-store.ts";
import { commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import type { RunFilter } from "../kit/run-filter.ts";
import { selectionAt } from "../rules/run-selection.ts";
import { onPolicySetInSteps } from "./policy-set-command.ts";
import { checkRules } from "./rule-input.ts";

export interface SimulatePolicySetInput {
  policySetId: string;
  /** Either a version of the set, or rules. */
  versionId: string | null;
  rules: readonly CelRule[] | null;
  filter: RunFilter;
  last: number;
}

/**
 * Starts a simulation of a version, or of rules, over the newest plans that match, of workspaces that the set selects and
 * whose plans the caller may approve. It changes nothing.
 */
export function simulatePolicySet(
  deps: Deps,
  caller: ActorCaller,
  input: SimulatePolicySetInput,
): Promise<PolicySimulation> {
  const { policySetId, versionId, rules, filter, last } = input;
  const spec = {
    ...onPolicySetInSteps(policySetId),
    name: "simulatePolicySet",
    words: "simulating policy sets",
    check: (check: InputCheck, set: PolicySet) => checkInput(check, set, input),
  } as const;
  return commandInSteps(deps, caller, spec, async (set, check) => {
    check.done();
    if (versionId !== null) await requireVersionOf(deps.database, set, versionId);
    const source = rules === null ? null : ({ language: "CEL", rules } as const);
    if (source !== null) {
      const { problems } = await deps.evaluator.check(source);
      if (problems.length > 0) {
        throw new UserError("POLICY_INVALID", "The rules do not compile. Correct their problems.", { problems });
      }
    }
    const now = deps.clock();
    const at = now.toISOString();
    return deps.database.transaction(async (tx) => {
      const most = LIMITS.simulationsAtOnce;
      if ((await countRunningSimulations(tx, set.organizationId)) >= most) {
        const words = `belongs to an organization with ${most} simulations that run: wait for one, or stop one.`;
        throw invalidField("policySetId", words);
      }
      const simulation: PolicySimulation = {
        id: deps.newId("policySimulation"),
        setId: set.id,
        versionId,
        state: "RUNNING",
        createdById: caller.actor.id,
        createdAt: at,
        finishedAt: null,
      };
      await insertSimulation(tx, simulation, source);
      const scope = scopeOf(caller, "PLAN_APPROVE");
      const selection = await selectionAt(tx, filter, now);
      const count = await insertSimulatedPlans(tx, simulation.id, { scope, filter: selection, set, last });
      tx.announce("bulk");
      if (count > 0) return simulation;
      await endSimulation(tx, simulation.id, { state: "FINISHED", at });
      return { ...simulation, state: "FINISHED", finishedAt: at };
    });
  });
}

function checkInput(
  check: InputCheck,
  set: PolicySet,
  { versionId, rules, filter, last }: SimulatePolicySetInput,
): void {
  check.require((rules === null) !== (versionId === null), "rules", "must be given, or else `versionId`.");
  check.require(
    rules === null || set.language === "CEL",
    "rules",
    "must be absent: the set is not in the language CEL.",
  );
  if (rules !== null) checkRules(check, "rules", rules, set);
  const most = LIMITS.simulatedPlans;
  check.require(last >= 1 && last <= most, "last", `must be from 1 to ${most}.`);
  const { organizationId = set.organizationId, workspaceId = "", labels = [], metadata = [] } = filter;
  check.require(organizationId === set.organizationId, "filter.organizationId", "must be that of the policy set.");
  const text = [
    workspaceId,
    filter.changesetId ?? "",
    ...labels,
    ...metadata.flatMap(({ key, value }) => [key, value]),
  ];
  const words = text.join("");
  check.require(isStorable(words) && words.isWellFormed(), "filter", "must not contain the character U+0000.");
}

async function requireVersionOf(reader: Reader, set: PolicySet, versionId: string): Promise<void> {
  const [version = null] =
    idKind(versionId) === "policySetVersion" ? await findPolicyVersions(reader, [versionId]) : [];
  if (version?.setId !== set.id) throw invalidField("versionId", "must be the id of a version of the set.");
}
