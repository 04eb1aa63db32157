import type { ActorCaller } from "../../model/people/permission.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { findRunnerPools, listRunnerPools } from "../../persistence/runner/runner-pool-store.ts";
import { findRunners, listRunnerJobs, listRunners, type RunnersOf } from "../../persistence/runner/runner-store.ts";
import { findRunnerTokens, listRunnerTokens } from "../../persistence/runner/runner-token-store.ts";
import type { Reads } from "../access/reads.ts";
import { queryOrNull, queryLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

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

export function createRunnerQueries(deps: Pick<Deps, "database" | "clock">, base: Reads) {
  return runnerQueries(createRunnerReads(deps, base));
}

function runnerQueries(reads: RunnerReads) {
  return {
    runners: queryOrNull("RUNNER_READ", reads.runners),
    runnerPools: queryOrNull("RUNNER_READ", reads.pools),
    runnerTokens: queryOrNull("RUNNER_POOL_WRITE", reads.tokens),
    /** Returns pools by name. */
    runnerPoolsOfOrganizations: queryLists("RUNNER_READ", reads.poolsOfOrganizations),
    /** Returns tokens, oldest first, if the caller may write them. */
    tokensOfRunnerPools: queryLists("RUNNER_POOL_WRITE", reads.tokensOfPools),
    /** Returns the current jobs of runners. */
    jobsOfRunners: queryLists("RUNNER_READ", reads.jobsOfRunners),
    /**
     * Lists runners, oldest first; positions are ids. For an organization: those of its pools, and those shared by all.
     */
    listRunners: async (
      caller: ActorCaller,
      whose: { poolId: string } | { organizationId: string },
      page: PageRequest<string>,
    ) => (await reads.listRunners(whose, page))?.permit(caller, "RUNNER_READ") ?? toPage(page, []),
  };
}
