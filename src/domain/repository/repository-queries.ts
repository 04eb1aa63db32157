import type { PageRequest } from "../../model/kit/page.ts";
import { toPage } from "../../model/kit/page.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type GitHost, shownHost } from "../../model/repository/git-host.ts";
import { hookHealth, pollMs } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { findGitHosts, listGitHostsOfOrganizations } from "../../persistence/repository/git-host-store.ts";
import { findLooks } from "../../persistence/repository/look-store.ts";
import { findRefChanges, listRefChanges } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories, listRepositoriesOfOrganizations } from "../../persistence/repository/repository-store.ts";
import { listDecisions, type PlacedDecision } from "../../persistence/repository/trigger-store.ts";
import { findSupersedingRuns } from "../../persistence/run/superseded-run-store.ts";
import { permitPage } from "../access/unchecked.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

/** A decision with its run. */
export type ShownDecision = PlacedDecision;

/** The looks of a repository, for people. */
export type RepositoryHealth = ReturnType<typeof healthOf>;

function healthOf(
  host: GitHost | null,
  look: { endedAt: string | null; error: string | null; foundBy: string } | null,
) {
  const health = hookHealth(host?.kind ?? "GIT", look?.foundBy ?? "");
  return {
    hookHealth: health,
    pollSeconds: pollMs(health) / 1000,
    polledAt: look?.endedAt ?? null,
    pollError: look?.error ?? null,
  };
}

/**
 * Queries about hosts and their repositories. Hosts are visible to callers who may change them; repositories, which
 * sources name, to those who may read all workspaces of the organization.
 */
export function createRepositoryQueries(deps: Pick<Deps, "database" | "publicUrl">, reads: Reads) {
  const { database, publicUrl } = deps;
  const shown = (host: GitHost) => shownHost(host, publicUrl);
  const findHosts = async (ids: readonly string[]) =>
    (await findGitHosts(database, ids)).map((host) => (host === null ? null : shown(host)));
  const listHosts = async (ids: readonly string[]) =>
    (await listGitHostsOfOrganizations(database, ids)).map((hosts) => hosts.map(shown));
  const ofHost = ({ organizationId }: GitHost) => organizationPlace({ id: organizationId });
  const ofRepository = ({ organizationId }: Repository) => organizationPlace({ id: organizationId });
  const ofChange = ({ organizationId }: RefChange) => organizationPlace({ id: organizationId });

  async function findHealths(ids: readonly string[]): Promise<RepositoryHealth[]> {
    const [looks, repositories] = await Promise.all([findLooks(database, ids), findRepositories(database, ids)]);
    const hosts = await findGitHosts(
      database,
      repositories.flatMap((repository) => repository?.gitHostId ?? []),
    );
    const byId = new Map(hosts.flatMap((host) => (host === null ? [] : [[host.id, host]])));
    return ids.map((_, index) =>
      healthOf(byId.get(repositories[index]?.gitHostId ?? "") ?? null, looks[index] ?? null),
    );
  }

  const hosts = reads.byId(findHosts, ofHost);
  const repositories = reads.byId((ids) => findRepositories(database, ids), ofRepository);
  const hostsBelow = reads.below(reads.organizations, listHosts);
  const repositoriesBelow = reads.below(reads.organizations, (ids) => listRepositoriesOfOrganizations(database, ids));
  const healths = reads.below(repositories, findHealths);
  const changes = reads.byId((ids) => findRefChanges(database, ids), ofChange);
  return {
    gitHosts: queryOrNull("ORGANIZATION_UPDATE", hosts),
    gitHostsOfOrganizations: queryLists("ORGANIZATION_UPDATE", hostsBelow),
    repositories: queryOrNull("WORKSPACE_READ", repositories),
    repositoriesOfOrganizations: queryLists("WORKSPACE_READ", repositoriesBelow),
    repositoryHealths: queryOrNull("WORKSPACE_READ", healths),
    refChanges: queryOrNull("WORKSPACE_READ", changes),
    /** Lists the stored decisions of a change that concern workspaces whose runs the caller may read. */
    listTriggerDecisions: async (caller: ActorCaller, refChangeId: string, page: PageRequest<string>) =>
      permitPage(
        caller,
        "RUN_READ",
        await reads.page(
          () => listDecisions(database, refChangeId, page),
          (row) => row,
        ),
      ),
    /** Returns the runs for which runs were ended. */
    supersedingRuns: queryOrNull(
      "RUN_READ",
      reads.below(reads.runSummaries, (ids) => findSupersedingRuns(database, ids)),
    ),
    /** Lists changes, newest first; positions are their numbers. `ref`: `null` for those of all refs. */
    listRefChanges: async (
      caller: ActorCaller,
      repositoryId: string,
      ref: string | null,
      page: PageRequest<number>,
    ) => {
      const read = () => listRefChanges(database, repositoryId, ref, page);
      const found = await reads.pageBelow(repositories, repositoryId, read);
      return found?.permit(caller, "WORKSPACE_READ") ?? toPage(page, []);
    },
  };
}
