import type { Repository } from "../../model/repository/repository.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  GitHostRef,
  gitHostLoader,
  OrganizationRef,
  organizationLoader,
  RepositoryRef,
  repositoryLoader,
} from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";

const repositoriesOfOrganizationLoader = loaderOf((domain, caller, ids) =>
  domain.repositoriesOfOrganizations(caller, ids),
);

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
