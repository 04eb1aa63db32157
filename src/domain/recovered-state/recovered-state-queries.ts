import { LIMITS } from "../../model/kit/limits.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { countRefusedRequests, listRefusedRequests } from "../../persistence/runner/refused-request-store.ts";
import {
  findRecoveredStates,
  listRecoveredStates,
  listUndecidedStates,
} from "../../persistence/state/recovered-state-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitEach, permitLists, permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import type { RecoveredStateQueries } from "./recovered-state-domain.ts";

type RecoveredStateReads = ReturnType<typeof createRecoveredStateReads>;

function createRecoveredStateReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const { runs, workspaces } = reads;
  return {
    states: reads.byId((ids) => findRecoveredStates(database, ids), itself),
    undecided: reads.below(workspaces, (ids) => listUndecidedStates(database, ids, LIMITS.recoveredShown)),
    ofRuns: reads.below(runs, (ids) => listRecoveredStates(database, ids)),
    refusedOf: (runId: string, page: PageRequest<number>) =>
      reads.pageBelow(runs, runId, () => listRefusedRequests(database, runId, page)),
    refusedCounts: reads.below(runs, (ids) => countRefusedRequests(database, ids)),
  };
}

export function recoveredStateQueries(deps: Pick<Deps, "database">, base: Reads): RecoveredStateQueries {
  return queries(createRecoveredStateReads(deps, base));
}

function queries(reads: RecoveredStateReads): RecoveredStateQueries {
  return {
    recoveredStates: async (caller, ids) => permitOrNull(caller, "workspace:read", await reads.states(ids)),
    undecidedStatesOfWorkspaces: async (caller, ids) =>
      permitLists(caller, "workspace:read", await reads.undecided(ids)),
    recoveredStatesOfRuns: async (caller, ids) => permitLists(caller, "run:read", await reads.ofRuns(ids)),
    listRefusedRequests: async (caller, runId, page) =>
      (await reads.refusedOf(runId, page))?.permit(caller, "run:read") ?? toPage(page, []),
    countRefusedRequests: async (caller, ids) =>
      permitEach(caller, "run:read", await reads.refusedCounts(ids), () => 0),
  };
}
