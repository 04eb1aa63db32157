import { LIMITS } from "../../model/kit/limits.ts";
import { toPage } from "../../model/kit/page.ts";
import { mayAnywhere } from "../../model/people/permission.ts";
import {
  findRecoveredStates,
  listRecoveredStates,
  listUndecidedStates,
} from "../../persistence/state/recovered-state-store.ts";
import { countRefusedRequests, listRefusedRequests } from "../../persistence/runner/refused-request-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { RecoveredStateQueries } from "./recovered-state-domain.ts";

export function recoveredStateQueries({ database }: Deps): RecoveredStateQueries {
  return {
    recoveredStates: async (caller, ids) =>
      ids.length === 0 || !mayAnywhere(caller, "workspace:read")
        ? ids.map(() => null)
        : findRecoveredStates(database, ids),
    undecidedStatesOfWorkspaces: async (caller, ids) =>
      ids.length === 0 || !mayAnywhere(caller, "workspace:read")
        ? ids.map(() => [])
        : listUndecidedStates(database, ids, LIMITS.recoveredShown),
    recoveredStatesOfRuns: async (caller, ids) =>
      ids.length === 0 || !mayAnywhere(caller, "run:read") ? ids.map(() => []) : listRecoveredStates(database, ids),
    listRefusedRequests: async (caller, runId, page) =>
      mayAnywhere(caller, "run:read") ? listRefusedRequests(database, runId, page) : toPage(page, []),
    countRefusedRequests: async (caller, ids) =>
      ids.length === 0 || !mayAnywhere(caller, "run:read") ? ids.map(() => 0) : countRefusedRequests(database, ids),
  };
}
