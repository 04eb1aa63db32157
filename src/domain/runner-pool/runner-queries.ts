import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { organizationPlace } from "../../model/people/grant.ts";
import { findRunnerPools, listRunnerPools } from "../../persistence/runner/runner-pool-store.ts";
import { findRunners, listRunnerJobs, listRunners, type RunnersOf } from "../../persistence/runner/runner-store.ts";
import { findRunnerTokens, listRunnerTokens } from "../../persistence/runner/runner-token-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitLists, permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import type { RunnerQueries } from "./runner-domain.ts";

type RunnerReads = ReturnType<typeof createRunnerReads>;

function createRunnerReads({ database, clock }: Pick<Deps, "database" | "clock">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const runners = reads.byId((ids) => findRunners(database, ids, clock()), itself);
  const pools = reads.byId(
    (ids) => findRunnerPools(database, ids),
    ({ organizationId }) => organizationPlace({ id: organizationId }),
  );
  return {
    runners,
    pools,
    tokens: reads.byId((ids) => findRunnerTokens(database, ids), itself),
    poolsOfOrganizations: reads.below(reads.organizations, (ids) => listRunnerPools(database, ids), itself),
    tokensOfPools: reads.below(pools, (ids) => listRunnerTokens(database, ids), itself),
    jobsOfRunners: reads.below(runners, (ids) => listRunnerJobs(database, ids)),
    /** Runners shared by all organizations are listed at the place of the given organization. */
    listRunners: (whose: RunnersOf, page: PageRequest<string>) => {
      const [parents, parentId] =
        "poolId" in whose ? [pools, whose.poolId] : [reads.organizations, whose.organizationId];
      return reads.pageBelow(parents, parentId, () => listRunners(database, whose, page, clock()));
    },
  };
}

export function createRunnerQueries(deps: Pick<Deps, "database" | "clock">, base: Reads): RunnerQueries {
  return runnerQueries(createRunnerReads(deps, base));
}

function runnerQueries(reads: RunnerReads): RunnerQueries {
  return {
    runners: async (caller, ids) => permitOrNull(caller, "runner:read", await reads.runners(ids)),
    runnerPools: async (caller, ids) => permitOrNull(caller, "runner:read", await reads.pools(ids)),
    runnerTokens: async (caller, ids) => permitOrNull(caller, "runnerPool:write", await reads.tokens(ids)),
    runnerPoolsOfOrganizations: async (caller, ids) =>
      permitLists(caller, "runner:read", await reads.poolsOfOrganizations(ids)),
    tokensOfRunnerPools: async (caller, ids) => permitLists(caller, "runnerPool:write", await reads.tokensOfPools(ids)),
    jobsOfRunners: async (caller, ids) => permitLists(caller, "runner:read", await reads.jobsOfRunners(ids)),
    listRunners: async (caller, whose, page) =>
      (await reads.listRunners(whose, page))?.permit(caller, "runner:read") ?? toPage(page, []),
  };
}
