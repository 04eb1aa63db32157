import type { CheckOutcome, ExternalCheck } from "../../model/check/external-check.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { findOutcomes, findResults, listResultsOfRuns } from "../../persistence/check/check-result-store.ts";
import { findChecks, findChecksEver, listChecks, listChecksOfWorkspaces } from "../../persistence/check/check-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";
import { placeOfCheck } from "./check-command.ts";

type CheckReads = ReturnType<typeof createCheckReads>;

function createCheckReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const results = reads.byId(batched(database, findResults), (row) => row);
  return {
    checks: reads.byId<ExternalCheck>(batched(database, findChecks), placeOfCheck),
    everyCheck: reads.byId<ExternalCheck>(batched(database, findChecksEver), placeOfCheck),
    ofOrganizations: reads.below(reads.organizations, batched(database, listChecks)),
    ofWorkspaces: reads.below(reads.workspaces, batched(database, listChecksOfWorkspaces)),
    results,
    ofRuns: reads.below(reads.runSummaries, batched(database, listResultsOfRuns), (rows) => rows),
    outcomes: reads.below(results, batched(database, findOutcomes)),
  };
}

/** Creates the queries of external checks and of their results. */
export function createCheckQueries(deps: Pick<Deps, "database">, base: Reads) {
  return checkQueries(createCheckReads(deps, base));
}

function checkQueries(reads: CheckReads) {
  const outcomes = queryLists<string, CheckOutcome>("RUN_READ", reads.outcomes);
  return {
    externalChecks: queryOrNull("ORGANIZATION_READ", reads.checks),
    /** Returns checks, deleted ones included: results name them. */
    checksOfResults: queryOrNull("ORGANIZATION_READ", reads.everyCheck),
    /** Returns checks to callers who may change them, and so see their addresses. */
    changeableChecks: queryOrNull("CHECK_WRITE", reads.everyCheck),
    /** Returns the checks of organizations, oldest first. */
    checksOfOrganizations: queryLists("ORGANIZATION_READ", reads.ofOrganizations),
    /** Returns the enabled checks that are asked about runs of workspaces, oldest first. */
    checksOfWorkspaces: queryLists("WORKSPACE_READ", reads.ofWorkspaces),
    checkResults: queryOrNull("RUN_READ", reads.results),
    /** Returns the results of runs, oldest first. */
    checkResultsOfRuns: queryLists("RUN_READ", reads.ofRuns),
    /** Returns the outcomes of a result, in the order of its service. */
    checkOutcomes: async (caller: ActorCaller, resultId: string) => {
      const [found = []] = await outcomes(caller, [resultId]);
      return found;
    },
  };
}
