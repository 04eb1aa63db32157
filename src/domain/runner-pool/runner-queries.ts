import { toPage } from "../../model/kit/page.ts";
import { mayAnywhere, type TokenCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { findRunnerPools, listRunnerPools } from "../../persistence/runner/runner-pool-store.ts";
import { findRunners, listRunnerJobs, listRunners } from "../../persistence/runner/runner-store.ts";
import { findRunnerTokens, listRunnerTokens } from "../../persistence/runner/runner-token-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { RunnerQueries } from "./runner-domain.ts";

export function createRunnerQueries({ database, clock }: Pick<Deps, "database" | "clock">): RunnerQueries {
  const each = async <T>(
    caller: TokenCaller,
    action: Permission,
    ids: readonly string[],
    nothing: () => T,
    read: () => Promise<T[]>,
  ) => (ids.length === 0 || !mayAnywhere(caller, action) ? ids.map(nothing) : read());
  const none = (): null => null;
  const empty = (): never[] => [];
  return {
    runners: (caller, ids) => each(caller, "runner:read", ids, none, () => findRunners(database, ids, clock())),
    runnerPools: (caller, ids) => each(caller, "runner:read", ids, none, () => findRunnerPools(database, ids)),
    runnerTokens: (caller, ids) => each(caller, "runnerPool:write", ids, none, () => findRunnerTokens(database, ids)),
    runnerPoolsOfOrganizations: (caller, ids) =>
      each(caller, "runner:read", ids, empty, () => listRunnerPools(database, ids)),
    tokensOfRunnerPools: (caller, ids) =>
      each(caller, "runnerPool:write", ids, empty, () => listRunnerTokens(database, ids)),
    jobsOfRunners: (caller, ids) => each(caller, "runner:read", ids, empty, () => listRunnerJobs(database, ids)),
    listRunners: async (caller, whose, page) =>
      mayAnywhere(caller, "runner:read") ? listRunners(database, whose, page, clock()) : toPage(page, []),
  };
}
