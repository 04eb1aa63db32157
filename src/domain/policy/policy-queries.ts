import { idKind } from "../../model/kit/id.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { EvaluationCounts, EvaluationStatus } from "../../model/policy/policy-evaluation.ts";
import type { PolicySimulation, SimulationCounts } from "../../model/policy/policy-simulation.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import { listPolicyFixtures } from "../../persistence/policy/policy-fixture-store.ts";
import {
  findPolicySets,
  listPolicySets,
  listPolicySetsOf,
  listSelectedWorkspaces,
} from "../../persistence/policy/policy-set-store.ts";
import {
  countSimulatedPlans,
  findSimulations,
  listSimulatedPlans,
} from "../../persistence/policy/policy-simulation-store.ts";
import {
  findPolicyVersions,
  findVersionContents,
  listCurrentVersions,
  listPolicyVersions,
  type PlacedVersion,
} from "../../persistence/policy/policy-version-store.ts";
import {
  countEvaluationsOfVersions,
  listEvaluationsOfVersion,
} from "../../persistence/policy/version-evaluation-store.ts";
import { queryLists, queryOrNull, queryPlacedLists } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import { permitPage } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { requirePlanDocument } from "./plan-subject.ts";
import { placeOfPolicySet } from "./policy-set-command.ts";
import { createTryPolicy, type PolicyTrial, type TryPolicyInput } from "./try-policy.ts";

type QueryDeps = Pick<Deps, "database" | "blobs" | "cipher" | "evaluator" | "clock">;

/** Queries about policy sets, for callers who may read those of the whole organization. */
export function createPolicyQueries(deps: QueryDeps, reads: Reads) {
  const { database } = deps;
  const tryPolicy = createTryPolicy(deps);
  const ofSet = (set: PolicySet) => placeOfPolicySet(set);
  const ofVersion = (version: PlacedVersion) => placeOfPolicySet(version);
  const sets = reads.byId((ids) => findPolicySets(database, ids), ofSet);
  const versions = reads.byId((ids) => findPolicyVersions(database, ids), ofVersion);
  const simulations = reads.byId(
    (ids) => findSimulations(database, ids),
    (row) => placeOfPolicySet(row),
  );
  return {
    policySets: queryOrNull("POLICY_READ", sets),
    policyVersions: queryOrNull("POLICY_READ", versions),
    /** Returns the sources and the tests of versions. */
    policyVersionContents: queryOrNull(
      "POLICY_READ",
      reads.below(versions, (ids) => findVersionContents(database, ids)),
    ),
    /** Returns the fixtures of sets, oldest first. */
    policyFixturesOfSets: queryLists(
      "POLICY_READ",
      reads.below(sets, (ids) => listPolicyFixtures(database, ids)),
    ),
    /** Judges a document that is not stored. Throws INVALID_INPUT, and NOT_FOUND for a set or a version. */
    tryPolicy: async (caller: ActorCaller, input: TryPolicyInput): Promise<PolicyTrial> => {
      const [set = null] = idKind(input.policySetId) === "policySet" ? await sets([input.policySetId]) : [];
      const seen = set?.permit(caller, "POLICY_READ") ?? null;
      if (seen === null) throw notFound("policy set");
      const { versionId } = input;
      const [version = null] = idKind(versionId ?? "") === "policySetVersion" ? await versions([versionId ?? ""]) : [];
      const isOfSet = version?.permit(caller, "POLICY_READ")?.setId === seen.id;
      if (versionId !== null && !isOfSet) throw invalidField("versionId", "must be the id of a version of the set.");
      if (input.planId !== null) await requirePlanDocument(database, caller, input.planId);
      return tryPolicy(seen, input);
    },
    /** Returns the versions of sets that are active or a shadow. */
    currentPolicyVersions: queryLists(
      "POLICY_READ",
      reads.below(sets, (ids) => listCurrentVersions(database, ids)),
    ),
    /** Returns the enabled sets that select workspaces which the caller was shown. */
    policySetsOfWorkspaces: queryPlacedLists(
      "POLICY_READ",
      reads.lists((ids) => listPolicySetsOf(database, ids), ofSet),
    ),
    /** Counts the evaluations of versions, which the caller was shown, about runs that it may read. */
    evaluationCounts: (caller: ActorCaller, versionIds: readonly string[]): Promise<EvaluationCounts[]> =>
      countEvaluationsOfVersions(database, scopeOf(caller, "RUN_READ"), versionIds),
    /** Lists the evaluations of a version about runs that the caller may read, newest first. `statuses`: empty for all. */
    listEvaluationsOfVersion: async (
      caller: ActorCaller,
      given: { versionId: string; statuses: readonly EvaluationStatus[] },
      page: PageRequest<string>,
    ) => {
      const scope = scopeOf(caller, "RUN_READ");
      const read = () => listEvaluationsOfVersion(database, scope, given, page);
      return permitPage(caller, "RUN_READ", await reads.page(read, (row) => row));
    },
    policySimulations: queryOrNull("POLICY_READ", simulations),
    /** Counts the plans of simulations, which the caller was shown, whose runs it may read. */
    simulationCounts: (caller: ActorCaller, asked: readonly PolicySimulation[]): Promise<SimulationCounts[]> =>
      countSimulatedPlans(
        database,
        scopeOf(caller, "RUN_READ"),
        asked.map(({ id }) => id),
      ),
    /** Lists the plans of a simulation whose runs the caller may read; positions are theirs. */
    listSimulatedPlans: async (caller: ActorCaller, simulationId: string, page: PageRequest<number>) => {
      const scope = scopeOf(caller, "RUN_READ");
      const read = () => listSimulatedPlans(database, scope, simulationId, page);
      const found = await reads.pageBelow(simulations, simulationId, read);
      return found?.permit(caller, "POLICY_READ") ?? toPage(page, []);
    },
    /** Lists the sets of an organization, oldest first; positions are ids. */
    listPolicySets: async (caller: ActorCaller, organizationId: string, page: PageRequest<string>) => {
      if (!isStorable(organizationId)) return toPage(page, []);
      const read = () => listPolicySets(database, organizationId, page);
      const found = await reads.pageBelow(reads.organizations, organizationId, read);
      return found?.permit(caller, "POLICY_READ") ?? toPage(page, []);
    },
    /** Lists the versions of a set, newest first; positions are numbers. */
    listPolicyVersions: async (caller: ActorCaller, policySetId: string, page: PageRequest<number>) => {
      const found = await reads.pageBelow(sets, policySetId, () => listPolicyVersions(database, policySetId, page));
      return found?.permit(caller, "POLICY_READ") ?? toPage(page, []);
    },
    /** Lists the workspaces that a set selects and that the caller may read, by name. */
    listWorkspacesOfPolicySet: async (caller: ActorCaller, set: PolicySet, page: PageRequest<string>) => {
      const scope = scopeOf(caller, "WORKSPACE_READ");
      const found = await reads.page(() => listSelectedWorkspaces(database, scope, set, page), workspacePlace);
      return permitPage(caller, "WORKSPACE_READ", found);
    },
  };
}
