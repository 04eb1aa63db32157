import type { ActorCaller } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { countRefusedRequests, listRefusedRequests } from "../../persistence/runner/refused-request-store.ts";
import {
  findRecoveredStates,
  listRecoveredStates,
  listUndecidedStates,
} from "../../persistence/state/recovered-state-store.ts";
import { listRecoveredStateReadings } from "../../persistence/state/state-reading-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitEach } from "../access/unchecked.ts";
import { queryOrNull, queryLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

type RecoveredStateReads = ReturnType<typeof createRecoveredStateReads>;

function createRecoveredStateReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const { runSummaries: runs, workspaces } = reads;
  const states = reads.byId((ids) => findRecoveredStates(database, ids), itself);
  return {
    states,
    readings: reads.below(states, (ids) => listRecoveredStateReadings(database, ids, LIMITS.stateReadingsShown)),
    undecided: reads.below(workspaces, (ids) => listUndecidedStates(database, ids, LIMITS.recoveredShown)),
    ofRuns: reads.below(runs, (ids) => listRecoveredStates(database, ids)),
    refusedOf: (runId: string, page: PageRequest<number>) =>
      reads.pageBelow(runs, runId, () => listRefusedRequests(database, runId, page)),
    refusedCounts: reads.below(runs, (ids) => countRefusedRequests(database, ids)),
  };
}

export function createRecoveredStateQueries(deps: Pick<Deps, "database">, base: Reads) {
  return queries(createRecoveredStateReads(deps, base));
}

function queries(reads: RecoveredStateReads) {
  return {
    recoveredStates: queryOrNull("WORKSPACE_READ", reads.states),
    /** Returns the recent readers of each recovered state, newest first. */
    recoveredStateReadings: queryLists("WORKSPACE_READ", reads.readings),
    /** Returns states that need a decision, newest first. */
    undecidedStatesOfWorkspaces: queryLists("WORKSPACE_READ", reads.undecided),
    /** Returns all recovered states of each run, oldest first. */
    recoveredStatesOfRuns: queryLists("RUN_READ", reads.ofRuns),
    /** Lists refused requests, oldest first; positions are ids. */
    listRefusedRequests: async (caller: ActorCaller, runId: string, page: PageRequest<number>) =>
      (await reads.refusedOf(runId, page))?.permit(caller, "RUN_READ") ?? toPage(page, []),
    /** Counts refused requests, including those that are not stored. */
    countRefusedRequests: async (caller: ActorCaller, ids: readonly string[]) =>
      permitEach(caller, "RUN_READ", await reads.refusedCounts(ids), () => 0),
  };
}
