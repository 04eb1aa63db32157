import type { GitHost } from "../../../src/model/repository/git-host.ts";
import type { Repository } from "../../../src/model/repository/repository.ts";
import * as hosts from "../../../src/persistence/repository/git-host-store.ts";
import * as repositories from "../../../src/persistence/repository/repository-store.ts";
import { exampleStore, LATER } from "./world.ts";

const TOKEN = { type: "TOKEN", username: "git", token: "secret" } as const;

export const REPOSITORY_STORES = {
  "git-host-store": exampleStore(hosts, ({ tx, cipher, workspace, actorId, at, id }) => {
    const host = aHost({
      id: id("gitHost"),
      organizationId: workspace.organizationId,
      createdById: actorId,
      createdAt: at,
    });
    const replace = (formerUntil: string | null) => () =>
      hosts.replaceHookSecret(tx, cipher, host.id, { secret: "new", formerUntil });
    return {
      insertGitHost: () => hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }),
      lockGitHost: () => hosts.lockGitHost(tx, host.id),
      updateGitHostRow: () => hosts.updateGitHostRow(tx, cipher, host, null),
      "updateGitHostRow: another credential": () => hosts.updateGitHostRow(tx, cipher, host, { type: "NONE" }),
      replaceHookSecret: replace(LATER),
      "replaceHookSecret: the former one ends now": replace(null),
      findHostCredential: () => hosts.findHostCredential(tx, cipher, host.id),
      findHookDoor: () => hosts.findHookDoor(tx, cipher, host.hookPath, at),
      findGitHosts: () => hosts.findGitHosts(tx, [host.id]),
      listGitHostsOfOrganizations: () => hosts.listGitHostsOfOrganizations(tx, [host.organizationId]),
      countGitHosts: () => hosts.countGitHosts(tx, host.organizationId),
      markGitHostDeleted: () => hosts.markGitHostDeleted(tx, host.id, at),
    };
  }),
  "repository-store": exampleStore(repositories, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const { organizationId } = workspace;
    const common = { organizationId, createdById: actorId, createdAt: at };
    const host = aHost({ id: id("gitHost"), ...common });
    const repository = aRepository({ id: id("repository"), gitHostId: host.id, ...common });
    return {
      insertRepository: async () => {
        await prepare(hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }));
        await repositories.insertRepository(tx, repository);
      },
      lockRepository: () => repositories.lockRepository(tx, repository.id),
      holdRepository: () => repositories.holdRepository(tx, repository.id),
      updateRepositoryRow: () => repositories.updateRepositoryRow(tx, repository),
      findRepositories: () => repositories.findRepositories(tx, [repository.id]),
      listRepositoriesOfOrganizations: () => repositories.listRepositoriesOfOrganizations(tx, [organizationId]),
      listRepositoriesOfHost: () => repositories.listRepositoriesOfHost(tx, host.id),
      countRepositories: () => repositories.countRepositories(tx, organizationId),
      listWorkspacesUsing: () => repositories.listWorkspacesUsing(tx, repository.id, 3),
      markRepositoryDeleted: () => repositories.markRepositoryDeleted(tx, repository.id, at),
    };
  }),
};

function aHost(facts: Pick<GitHost, "id" | "organizationId" | "createdById" | "createdAt">): GitHost {
  return {
    kind: "GITHUB",
    name: "github",
    url: "https://github.com",
    credential: "TOKEN",
    hookPath: "path",
    formerHookSecretUntil: null,
    formerHookSecretUsedAt: null,
    ...facts,
  };
}

function aRepository(
  facts: Pick<Repository, "id" | "organizationId" | "gitHostId" | "createdById" | "createdAt">,
): Repository {
  const name = "acme/infrastructure";
  return { name, url: `https://github.com/${name}.git`, remoteId: null, defaultBranch: null, ...facts };
}
