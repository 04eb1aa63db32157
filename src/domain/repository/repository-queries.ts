import { organizationPlace } from "../../model/people/place.ts";
import { type GitHost, shownHost } from "../../model/repository/git-host.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { findGitHosts, listGitHostsOfOrganizations } from "../../persistence/repository/git-host-store.ts";
import { findRepositories, listRepositoriesOfOrganizations } from "../../persistence/repository/repository-store.ts";
import { queryLists, queryOrNull } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Queries about hosts and their repositories. Hosts are visible to callers who may change them; repositories, which
 * sources name, to those who may read all workspaces of the organization.
 */
export function createRepositoryQueries(deps: Pick<Deps, "database" | "publicUrl">, reads: Reads) {
  const { database, publicUrl } = deps;
  const shown = (host: GitHost) => shownHost(host, publicUrl);
  const ofHost = ({ organizationId }: GitHost) => organizationPlace({ id: organizationId });
  const ofRepository = ({ organizationId }: Repository) => organizationPlace({ id: organizationId });
  const findHosts = async (ids: readonly string[]) =>
    (await findGitHosts(database, ids)).map((host) => (host === null ? null : shown(host)));
  const listHosts = async (ids: readonly string[]) =>
    (await listGitHostsOfOrganizations(database, ids)).map((hosts) => hosts.map(shown));
  const hosts = reads.byId(findHosts, ofHost);
  const repositories = reads.byId((ids) => findRepositories(database, ids), ofRepository);
  const hostsBelow = reads.below(reads.organizations, listHosts);
  const repositoriesBelow = reads.below(reads.organizations, (ids) => listRepositoriesOfOrganizations(database, ids));
  return {
    gitHosts: queryOrNull("ORGANIZATION_UPDATE", hosts),
    gitHostsOfOrganizations: queryLists("ORGANIZATION_UPDATE", hostsBelow),
    repositories: queryOrNull("WORKSPACE_READ", repositories),
    repositoriesOfOrganizations: queryLists("WORKSPACE_READ", repositoriesBelow),
  };
}
