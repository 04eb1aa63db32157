import type { Project } from "../../model/people/project.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { loaderByKey, loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, organizationLoader, ProjectRef, projectLoader, WorkspaceRef } from "../kit/refs.ts";
import { deletedSuccess, workspaceSuccess } from "../kit/success.ts";

const projectsLoader = loaderOf((domain, caller, ids) => domain.projectsOfOrganizations(caller, ids));
const pathLoader = loaderByKey<Project, string>(
  (domain, _caller, projects) => domain.projectPaths(projects),
  ({ id }) => id,
);

addNode("project", "Project", projectLoader);
ProjectRef.implement({
  extensions: requiredPermissions("PROJECT_READ"),
  description: "A part of an organization, with workspaces and further projects in it. Rights flow down from it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique among the projects beside it." }),
    path: t.string({
      description: "The names from the top of the tree to this project, with slashes between them.",
      resolve: (project, _args, { loaders }) => loaders.load(pathLoader, project),
    }),
    parent: t.field({
      type: ProjectRef,
      nullable: true,
      description:
        "The project above it. `null` if it is directly below the organization, or the caller may not read it.",
      resolve: ({ parentId }, _args, { loaders }) => (parentId === null ? null : loaders.load(projectLoader, parentId)),
    }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the project.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    isolated: t.exposeBoolean("isolated", {
      description:
        "Whether grants from above do not reach into it. Who may grant above it still sees that it exists, and may grant here.",
    }),
    projects: t.field({
      type: [ProjectRef],
      description: "The projects directly below it that the caller may read, by name.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        (await loaders.load(projectsLoader, organizationId)).filter(({ parentId }) => parentId === id),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

builder.objectField(OrganizationRef, "projects", (t) =>
  t.field({
    type: [ProjectRef],
    description: "All projects of the organization that the caller may read, by name. `default` exists from the start.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(projectsLoader, id),
  }),
);

builder.objectField(WorkspaceRef, "project", (t) =>
  t.field({
    type: ProjectRef,
    nullable: true,
    description: "The project of the workspace. `null` if the caller may not read it.",
    resolve: ({ projectId }, _args, { loaders }) => loaders.load(projectLoader, projectId),
  }),
);

function projectSuccess(description: string): Success<Project> {
  return {
    description,
    fields: (t) => ({
      project: t.field({ type: ProjectRef, description: "The project.", resolve: ({ value }) => value }),
    }),
  };
}

const NAME = "The name, unique among the projects beside it, without a slash.";

mutation("createProject", {
  description: "Creates a project in an organization, or below another project. Five levels are the most.",
  argument: "The project.",
  input: {
    description: "The project to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization." }),
      parentId: t.id({ description: "The project above it. If absent, it is directly below the organization." }),
      name: t.string({ required: true, description: NAME }),
      isolated: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether grants from above do not reach into it.",
      }),
    }),
  },
  success: projectSuccess("The project was created."),
  run: ({ createProject }, caller, { input }) => createProject(caller, { ...input, parentId: input.parentId ?? null }),
});

mutation("updateProject", {
  description: "Renames a project, isolates it, or ends its isolation.",
  argument: "The project and its changes.",
  input: {
    description: "The changes to a project. An absent field is not changed.",
    fields: (t) => ({
      projectId: t.id({ required: true, description: "The project." }),
      name: t.string({ description: NAME }),
      isolated: t.boolean({ description: "Whether grants from above do not reach into it." }),
    }),
  },
  success: projectSuccess("The project was changed."),
  run: ({ updateProject }, caller, { input }) => updateProject(caller, input),
});

mutation("deleteProject", {
  description: "Deletes an empty project, with the grants on it. The project `default` stays.",
  argument: "The project to delete.",
  input: {
    description: "The project to delete. It is refused while there is a workspace or a project in it.",
    fields: (t) => ({ projectId: t.id({ required: true, description: "The project." }) }),
  },
  success: deletedSuccess("The project is deleted, and its name is free.", "The id of the project."),
  run: ({ deleteProject }, caller, { input }) => deleteProject(caller, input),
});

mutation("moveProject", {
  description:
    "Moves a project, with all that is in it, below another project of its organization. It takes PROJECT_WRITE in both places and GRANT_WRITE on the project, because other grants reach into it then.",
  argument: "The project, and where it goes.",
  input: {
    description: "The project to move. The project `default` stays, and five levels are the most.",
    fields: (t) => ({
      projectId: t.id({ required: true, description: "The project." }),
      toProjectId: t.id({
        description: "The project above it from then on. If absent, it is directly below the organization.",
      }),
    }),
  },
  success: projectSuccess("The project is in its new place."),
  run: ({ moveProject }, caller, { input }) =>
    moveProject(caller, { ...input, toProjectId: input.toProjectId ?? null }),
});

mutation("moveWorkspace", {
  description:
    "Moves a workspace with its runs into another project of its organization. It takes WORKSPACE_DELETE where it is and WORKSPACE_CREATE where it goes.",
  argument: "The workspace and the project.",
  input: {
    description: "The workspace to move. Its runs continue.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace." }),
      toProjectId: t.id({ required: true, description: "The project into which it goes." }),
    }),
  },
  success: workspaceSuccess("The workspace is in the project."),
  run: ({ moveWorkspace }, caller, { input }) => moveWorkspace(caller, input),
});
