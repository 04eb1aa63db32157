/** Queries of the judgements of policies about runs. */
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicyEvaluation, PolicyResult, StoredResultStatus } from "../../model/policy/policy-evaluation.ts";
import { findEvaluations, listEvaluationsOfRuns } from "../../persistence/policy/evaluation-store.ts";
import { findOverridersOfResults } from "../../persistence/policy/policy-override-store.ts";
import { findResults, listResults } from "../../persistence/policy/result-store.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

export function createJudgementQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const evaluations = reads.byId(
    (ids) => findEvaluations(database, ids),
    (row) => row,
  );
  const results = reads.byId(
    (ids) => findResults(database, ids),
    (row) => row,
  );
  const ofRuns = reads.below(reads.runSummaries, (ids) => listEvaluationsOfRuns(database, ids));
  return {
    policyEvaluations: queryOrNull<string, PolicyEvaluation>("RUN_READ", evaluations),
    policyResults: queryOrNull<string, PolicyResult>("RUN_READ", results),
    /** Returns by result the id of the actor that overrode it first. */
    overridersOfResults: queryOrNull<string, string | null>(
      "RUN_READ",
      reads.below(results, (ids) => findOverridersOfResults(database, ids)),
    ),
    /** Returns the evaluations of each run, oldest first. */
    policyEvaluationsOfRuns: queryLists("RUN_READ", ofRuns),
    /** Lists the results of an evaluation; positions are theirs. `statuses`: empty for all. */
    listPolicyResults: async (
      caller: ActorCaller,
      evaluationId: string,
      statuses: readonly StoredResultStatus[],
      page: PageRequest<number>,
    ) => {
      const read = () => listResults(database, evaluationId, statuses, page);
      const found = await reads.pageBelow(evaluations, evaluationId, read);
      return found?.permit(caller, "RUN_READ") ?? toPage(page, []);
    },
  };
}
