import type { Actor } from "../../model/people/actor.ts";
import { idKind } from "../../model/kit/id.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  GrantRef,
  grantLoader,
  OrganizationRef,
  organizationLoader,
  ProjectRef,
  projectLoader,
  RoleRef,
  roleLoader,
  TeamRef,
  teamLoader,
  WorkspaceRef,
  workspaceLoader,
} from "../kit/refs.ts";
import { revokedSuccess } from "../kit/success.ts";
import { ActorRef, actorLoader } from "./actor.ts";

const grantsOfOrganizationLoader = loaderOf((domain, caller, ids) => domain.grantsOfOrganizations(caller, ids));
const grantsOfProjectLoader = loaderOf((domain, caller, ids) => domain.grantsOfProjects(caller, ids));
const grantsOfWorkspaceLoader = loaderOf((domain, caller, ids) => domain.grantsOfWorkspaces(caller, ids));
const grantsOfRunsLoader = loaderOf((domain, caller, ids) => domain.grantsOfRuns(caller, ids));
const grantsOfTeamLoader = loaderOf((domain, caller, ids) => domain.grantsOfTeams(caller, ids));

addNode("grant", "Grant", grantLoader);
GrantRef.implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description:
    "A role that a person, a machine user, a team or the runs of a workspace have within a scope. It reaches everything below.",
  interfaces: [NodeRef],
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person or the machine user. `null` if a team or the runs of a workspace have the grant.",
      resolve: ({ principalId }, _args, { loaders }): Promise<Actor | null> | null =>
        ["team", "workspace"].includes(idKind(principalId) ?? "") ? null : loaders.load(actorLoader, principalId),
    }),
    team: t.field({
      type: TeamRef,
      nullable: true,
      description: "The team. `null` if no team has the grant.",
      resolve: ({ principalId }, _args, { loaders }) =>
        idKind(principalId) === "team" ? loaders.load(teamLoader, principalId) : null,
    }),
    runsOf: t.field({
      type: WorkspaceRef,
      nullable: true,
      extensions: requiredPermissions("WORKSPACE_READ"),
      description:
        "The workspace whose runs have the grant. `null` if others have it, or the caller may not read the workspace.",
      resolve: ({ principalId }, _args, { loaders }) =>
        idKind(principalId) === "workspace" ? loaders.load(workspaceLoader, principalId) : null,
    }),
    role: t.field({
      type: RoleRef,
      description: "The role.",
      resolve: async ({ id, roleId }, _args, { loaders }) =>
        present(await loaders.load(roleLoader, roleId), `Role of ${id}`),
    }),
    organization: t.field({
      type: OrganizationRef,
      nullable: true,
      description: "The organization in which the grant holds. `null` if it holds on the installation.",
      resolve: ({ organizationId }, _args, { loaders }) =>
        organizationId === null ? null : loaders.load(organizationLoader, organizationId),
    }),
    project: t.field({
      type: ProjectRef,
      nullable: true,
      description: "The project in which the grant holds. `null` if its scope is no project.",
      resolve: ({ scopeId }, _args, { loaders }) =>
        scopeId !== null && idKind(scopeId) === "project" ? loaders.load(projectLoader, scopeId) : null,
    }),
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      description: "The workspace in which the grant holds. `null` if its scope is no workspace.",
      resolve: ({ scopeId }, _args, { loaders }) =>
        scopeId !== null && idKind(scopeId) === "workspace" ? loaders.load(workspaceLoader, scopeId) : null,
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why it was granted. `null` if nothing was given.",
    }),
    grantedBy: t.field({
      type: ActorRef,
      description: "The actor that granted it.",
      resolve: async ({ id, grantedById }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, grantedById), `Granter of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was granted." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ends. `null` if it has no end.",
    }),
  }),
});

const GRANTS =
  "that begin here, oldest first; those from above reach here too. Empty without the permission MEMBER_READ.";

builder.objectField(OrganizationRef, "grants", (t) =>
  t.field({
    type: [GrantRef],
    description: `The grants ${GRANTS}`,
    resolve: ({ id }, _args, { loaders }) => loaders.load(grantsOfOrganizationLoader, id),
  }),
);
builder.objectField(ProjectRef, "grants", (t) =>
  t.field({
    type: [GrantRef],
    description: `The grants ${GRANTS}`,
    resolve: ({ id }, _args, { loaders }) => loaders.load(grantsOfProjectLoader, id),
  }),
);
builder.objectField(WorkspaceRef, "grants", (t) =>
  t.field({
    type: [GrantRef],
    description: `The grants ${GRANTS}`,
    resolve: ({ id }, _args, { loaders }) => loaders.load(grantsOfWorkspaceLoader, id),
  }),
);
builder.objectField(WorkspaceRef, "grantsOfRuns", (t) =>
  t.field({
    type: [GrantRef],
    description:
      "The grants of the runs of the workspace, oldest first: what they may do on this API. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(grantsOfRunsLoader, id),
  }),
);
builder.objectField(TeamRef, "grants", (t) =>
  t.field({
    type: [GrantRef],
    description: "The grants of the team, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(grantsOfTeamLoader, id),
  }),
);

const LIST = "grants";
const EdgeRef = edgeRef<RoleGrant>("Grant", "grant");
const ConnectionRef = connectionRef<RoleGrant>("Grant", "A page of grants, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: GrantRef, description: "The grant.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The grants.", resolve: (connection) => connection.edges }),
);

builder.queryField("grants", (t) =>
  t.field({
    type: ConnectionRef,
    description:
      "The grants in force, newest first, at all places where the caller has the permission MEMBER_READ, or in one organization.",
    args: {
      ...pageArgs(),
      organizationId: t.arg.id({
        description: "The organization: grants on it, its projects and its workspaces. If absent, all are listed.",
      }),
    },
    resolve: async (_root, { organizationId, ...args }, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      return toConnection(LIST, await domain.listGrants(caller, organizationId ?? null, request), ({ id }) => id);
    },
  }),
);

mutation("createGrant", {
  description:
    "Gives a role to a person, a machine user, a team or the runs of a workspace. The caller must have the permissions of the role itself in that scope.",
  argument: "The grant.",
  input: {
    description: "The role to grant, to whom and where.",
    fields: (t) => ({
      principalId: t.id({
        required: true,
        description:
          "The person, the machine user or the team. A workspace gives the role to its runs, which takes WORKSPACE_UPDATE on it.",
      }),
      roleId: t.id({ required: true, description: "A built-in role, or one of the organization." }),
      scopeId: t.id({
        description: "The organization, the project or the workspace. If absent, it holds on the installation.",
      }),
      expiresAt: t.field({ type: "DateTime", description: "When it ends. If absent, it has no end." }),
      reason: t.string({ description: "Why it is granted." }),
    }),
  },
  success: {
    description: "The role was granted, and counts from the next request on.",
    fields: (t) => ({
      grant: t.field({ type: GrantRef, description: "The grant.", resolve: ({ value }): RoleGrant => value }),
    }),
  },
  run: ({ createGrant }, caller, { input }) =>
    createGrant(caller, {
      ...input,
      scopeId: input.scopeId ?? null,
      expiresAt: input.expiresAt ?? null,
      reason: input.reason ?? null,
    }),
});

mutation("revokeGrant", {
  description: "Revokes a grant: what it allowed is refused from the next request on, by every server.",
  argument: "The grant to revoke.",
  input: {
    description: "The grant to revoke. It is refused if no administrator would be left.",
    fields: (t) => ({ grantId: t.id({ required: true, description: "The grant." }) }),
  },
  success: revokedSuccess("The grant has no effect any more.", "The id of the grant."),
  run: ({ revokeGrant }, caller, { input }) => revokeGrant(caller, input),
});
