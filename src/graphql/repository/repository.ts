import type { RepositoryHealth } from "../../domain/repository/repository-queries.ts";
import type { HookHealth } from "../../model/repository/look.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { type Loaders, loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  GitHostRef,
  gitHostLoader,
  OrganizationRef,
  organizationLoader,
  RefChangeRef,
  RepositoryRef,
  repositoryLoader,
} from "../kit/refs.ts";
import { readRefChanges, RefChangeConnectionRef, refChangeArgs } from "./ref-change.ts";
import { deletedSuccess } from "../kit/success.ts";

const repositoriesOfOrganizationLoader = loaderOf((domain, caller, ids) =>
  domain.repositoriesOfOrganizations(caller, ids),
);

const repositoryHealthLoader = loaderOf((domain, caller, ids) => domain.repositoryHealths(caller, ids));

async function loadHealth(loaders: Loaders, id: string): Promise<RepositoryHealth> {
  return present(await loaders.load(repositoryHealthLoader, id), `Looks of ${id}`);
}

const HookHealthEnum = describedEnum<HookHealth>("HookHealth", "Whether the hooks of a host arrive.", {
  MISSING: "They do not: three of the last five changes were found by polling.",
  UNPROVEN: "It is not known yet. A host of the kind GIT sends none.",
  WORKING: "They do: the last three changes were found by them.",
});

addNode("repository", "Repository", repositoryLoader);
RepositoryRef.implement({
  extensions: requiredPermissions("WORKSPACE_READ"),
  description: "A repository of a git host. Visible to callers who may read all workspaces of the organization.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the repository.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    host: t.field({
      type: GitHostRef,
      nullable: true,
      description: "The host of the repository. `null` unless the caller is an admin.",
      resolve: ({ gitHostId }, _args, { loaders }) => loaders.load(gitHostLoader, gitHostId),
    }),
    name: t.exposeString("name", { description: "The path at its host, such as `acme/infrastructure`." }),
    url: t.exposeString("url", { description: "The address from which it is fetched, without credentials." }),
    defaultBranch: t.exposeString("defaultBranch", {
      nullable: true,
      description: "The default branch. `null` until the server has read the repository.",
    }),
    hookHealth: t.field({
      type: HookHealthEnum,
      description: "Whether the hooks of the host arrive.",
      resolve: async ({ id }, _args, { loaders }) => (await loadHealth(loaders, id)).hookHealth,
    }),
    pollSeconds: t.int({
      description: "How often its refs are read without a hook: every minute until hooks are proven, then every ten.",
      resolve: async ({ id }, _args, { loaders }) => (await loadHealth(loaders, id)).pollSeconds,
    }),
    polledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When its refs were last read. `null` before the first time.",
      resolve: async ({ id }, _args, { loaders }) => (await loadHealth(loaders, id)).polledAt,
    }),
    pollError: t.string({
      nullable: true,
      description: "Why its refs could not be read the last time. `null` if they were.",
      resolve: async ({ id }, _args, { loaders }) => (await loadHealth(loaders, id)).pollError,
    }),
    changes: t.field({
      type: RefChangeConnectionRef,
      description: "The branches and tags that moved, newest first.",
      args: refChangeArgs(),
      resolve: ({ id }, args, context) => readRefChanges(context, id, args),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

builder.objectField(OrganizationRef, "repositories", (t) =>
  t.field({
    type: [RepositoryRef],
    extensions: requiredPermissions("WORKSPACE_READ"),
    description: "The repositories of its git hosts, by name. Empty unless the caller may read all its workspaces.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(repositoriesOfOrganizationLoader, id),
  }),
);

builder.queryField("repository", (t) =>
  t.field({
    type: RepositoryRef,
    nullable: true,
    description: "The repository with this id. `null` if it does not exist, or the caller may not read it.",
    args: { id: t.arg.id({ required: true, description: "The id of the repository." }) },
    resolve: (_root, { id }, { loaders }) => loaders.load(repositoryLoader, id),
  }),
);

const NAME = "The path of the repository at its host, such as `acme/infrastructure`.";

/** Builds the success type of a command on a repository. */
function repositorySuccess(description: string): Success<Repository> {
  return {
    description,
    fields: (t) => ({
      repository: t.field({ type: RepositoryRef, description: "The repository.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createRepository", {
  description: "Makes a repository of a git host known, so that sources of workspaces can name it.",
  argument: "The repository.",
  input: {
    description: "The repository to create.",
    fields: (t) => ({
      gitHostId: t.id({ required: true, description: "The host of the repository." }),
      name: t.string({ required: true, description: NAME }),
    }),
  },
  success: repositorySuccess("The repository was created. The server reads its refs within seconds."),
  run: ({ createRepository }, caller, { input }) => createRepository(caller, input),
});

mutation("updateRepository", {
  description: "Follows a repository that was renamed at its host. Workspaces that use it follow.",
  argument: "The repository and its new name.",
  input: {
    description: "The repository to change.",
    fields: (t) => ({
      repositoryId: t.id({ required: true, description: "The repository." }),
      name: t.string({ required: true, description: NAME }),
    }),
  },
  success: repositorySuccess("The repository has the new name."),
  run: ({ updateRepository }, caller, { input }) => updateRepository(caller, input),
});

mutation("lookAtRepository", {
  description: "Reads the refs of a repository now, as a hook of its host would, and waits for the result.",
  argument: "The repository to read.",
  input: {
    description: "The repository to read.",
    fields: (t) => ({ repositoryId: t.id({ required: true, description: "The repository." }) }),
  },
  success: {
    description: "The refs were read.",
    fields: (t) => ({
      changes: t.field({
        type: [RefChangeRef],
        description: "The refs that moved since they were last read; of many the first 100.",
        resolve: ({ value }) => value,
      }),
    }),
  },
  run: ({ lookAtRepository }, caller, { input }) => lookAtRepository(caller, input),
});

mutation("deleteRepository", {
  description: "Removes a repository that no workspace uses. At its host it stays.",
  argument: "The repository to delete.",
  input: {
    description: "The repository to delete.",
    fields: (t) => ({ repositoryId: t.id({ required: true, description: "The repository." }) }),
  },
  success: deletedSuccess("The repository is not known any more.", "The id of the repository."),
  run: ({ deleteRepository }, caller, { input }) => deleteRepository(caller, input),
});
