/** Commands about repositories of hosts. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { isRepositoryName, repositoryUrl } from "../../model/repository/git-host.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { findGitHosts } from "../../persistence/repository/git-host-store.ts";
import {
  countRepositories,
  insertRepository,
  listWorkspacesUsing,
  lockRepository,
  markRepositoryDeleted,
  updateRepositoryRow,
} from "../../persistence/repository/repository-store.ts";
import { command } from "../access/command.ts";
import { nameWorkspaces, WORKSPACES_FOR_NAMES } from "../access/name-workspaces.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookAtRepository } from "./look-at-repository.ts";
import { commandGitHost, WITH_GIT_HOSTS } from "./git-host-command.ts";

function checkName(check: InputCheck, name: string): void {
  check.require(
    isRepositoryName(name),
    "name",
    'must be the path of the repository at its host, such as "acme/infrastructure".',
  );
}

interface CreateRepositoryInput {
  gitHostId: string;
  name: string;
}

/** Creates a repository of a host. Its first look follows within seconds. */
function createRepository(deps: Deps, caller: ActorCaller, input: CreateRepositoryInput): Promise<Repository> {
  const { gitHostId, name } = input;
  const spec = { name: "createRepository", gitHostId, check: (check: InputCheck) => checkName(check, name) };
  return commandGitHost(deps, caller, spec, async (tx, host) => {
    const { organizationId } = host;
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countRepositories(tx, organizationId)) >= LIMITS.repositoriesPerOrganization) {
      const message = `is of an organization with ${LIMITS.repositoriesPerOrganization} repositories, which is the limit.`;
      throw invalidField("gitHostId", message);
    }
    const repository: Repository = {
      id: deps.newId("repository"),
      organizationId,
      gitHostId,
      name,
      url: repositoryUrl(host, name),
      remoteId: null,
      defaultBranch: null,
      createdById: caller.actor.id,
      createdAt: deps.clock().toISOString(),
    };
    await insertRepository(tx, repository);
    tx.announce("repositories");
    return repository;
  }).catch((error: unknown) => {
    throw repositoryNameTaken(error, name);
  });
}

interface UpdateRepositoryInput {
  repositoryId: string;
  name: string;
}

/** Follows a repository that was renamed or moved at its host. Workspaces that use it follow. */
function updateRepository(deps: Deps, caller: ActorCaller, input: UpdateRepositoryInput): Promise<Repository> {
  const { repositoryId, name } = input;
  const check = (checked: InputCheck): void => checkName(checked, name);
  return commandRepository(deps, caller, { name: "updateRepository", repositoryId, check }, async (tx, before) => {
    const [host = null] = await findGitHosts(tx, [before.gitHostId]);
    if (host === null) throw new Error(`The host of ${repositoryId} does not exist.`);
    const after = { ...before, name, url: repositoryUrl(host, name) };
    // The id is learned again, so that a repository that was deleted and made again can be used.
    await updateRepositoryRow(tx, { ...after, remoteId: null });
    tx.announce("repositories");
    return { ...after, remoteId: null };
  }).catch((error: unknown) => {
    throw repositoryNameTaken(error, name);
  });
}

/** Deletes a repository that no workspace uses. */
function deleteRepository(deps: Deps, caller: ActorCaller, input: { repositoryId: string }): Promise<string> {
  const { repositoryId } = input;
  return commandRepository(deps, caller, { name: "deleteRepository", repositoryId }, async (tx) => {
    const workspaces = await listWorkspacesUsing(tx, repositoryId, WORKSPACES_FOR_NAMES);
    if (workspaces.length > 0) {
      const names = nameWorkspaces(caller, workspaces);
      throw invalidField("repositoryId", `is the source of these workspaces; give them another one first: ${names}.`);
    }
    await markRepositoryDeleted(tx, repositoryId, deps.clock().toISOString());
    return repositoryId;
  });
}

interface RepositoryCommandSpec {
  name: string;
  repositoryId: string;
  check?: (input: InputCheck) => void;
}

/** Runs a command about a repository, under the lock of its row (`command`). */
function commandRepository<T>(
  deps: Deps,
  caller: ActorCaller,
  { name, repositoryId, check }: RepositoryCommandSpec,
  work: (tx: Transaction, repository: Repository) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...WITH_GIT_HOSTS,
      sight: "WORKSPACE_READ",
      name,
      subjectId: repositoryId,
      noun: "repository",
      find: async (tx) => (idKind(repositoryId) === "repository" ? lockRepository(tx, repositoryId) : null),
      placeOf: ({ organizationId }) => organizationPlace({ id: organizationId }),
      check: (input) => check?.(input),
    },
    work,
  );
}

function repositoryNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "repository_name")) return error;
  return new UserError("NAME_TAKEN", `The git host already has the repository "${name}". Use that one.`);
}

/** The commands about repositories, by name. */
export const REPOSITORY_COMMANDS = {
  createRepository: { run: createRepository, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deleteRepository: { run: deleteRepository, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  lookAtRepository: { run: lookAtRepository, errors: ["NOT_FOUND", "FORBIDDEN", "HOST_UNREACHABLE"] },
  updateRepository: { run: updateRepository, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
} as const satisfies Commands;
