/** Queries of projects, teams, roles, grants and machine users. */
import type { Actor } from "../../model/people/actor.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { type ActorCaller, can, scopeOf } from "../../model/people/permission.ts";
import { listInvitations } from "../../persistence/people/invitation-store.ts";
import { INSTALLATION, organizationPlace, projectPlace } from "../../model/people/place.ts";
import type { Project } from "../../model/people/project.ts";
import { BUILT_IN, type Role } from "../../model/people/role.ts";
import { findProjects, listProjects } from "../../persistence/organization/project-store.ts";
import {
  findActors,
  listMembers as listMembersOfInstallation,
  listOrganizationMembers,
  listOrganizationsOfActors,
  listServiceAccounts,
} from "../../persistence/people/actor-store.ts";
import {
  findGrants,
  listGrants,
  listGrantsOfPrincipals,
  listGrantsOfScopes,
} from "../../persistence/people/grant-store.ts";
import { findRoles, listRoles } from "../../persistence/people/role-store.ts";
import { findWorkspacesOfActors } from "../../persistence/people/run-caller-store.ts";
import { findTeams, listMembers, listTeams } from "../../persistence/people/team-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { queryLists, queryOrNull, queryPlacedLists } from "../access/query.ts";
import { permitLists, permitPage, Unchecked } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import { type AccessQuestion, explainAccess } from "./explain-access.ts";

type PeopleReads = ReturnType<typeof createPeopleReads>;

function createPeopleReads({ database, clock }: Pick<Deps, "database" | "clock">, reads: Reads) {
  const now = (): string => clock().toISOString();
  const projects = reads.byId(batched(database, findProjects), projectPlace);
  const teams = reads.byId(
    (ids) => findTeams(database, ids),
    ({ organizationId }) => organizationPlace({ id: organizationId }),
  );
  const { organizations, workspaces } = reads;
  const actors = batched(database, findActors);
  const actorWorkspaces = batched(database, findWorkspacesOfActors);
  const organizationsOfActors = batched(database, listOrganizationsOfActors);
  return {
    projects,
    teams,
    grants: reads.byId(
      (ids) => findGrants(database, ids),
      (grant) => grant,
    ),
    /** Each project is checked at its own place, since it may be isolated. */
    projectsOfOrganizations: reads.lists((ids) => listProjects(database, ids), projectPlace),
    invitationsOfOrganizations: reads.below(organizations, (ids) => listInvitations(database, ids, now())),
    teamsOfOrganizations: reads.below(organizations, (ids) => listTeams(database, ids)),
    membersOfTeams: reads.below(teams, (ids) => listMembers(database, ids, now())),
    roles: reads.byId(
      (ids) => findRoles(database, ids),
      ({ organizationId }) => (organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId })),
    ),
    rolesOfOrganizations: reads.below(organizations, (ids) => listRoles(database, ids)),
    membersOfOrganizations: reads.below(organizations, (ids) => listOrganizationMembers(database, ids)),
    accountsOfOrganizations: reads.below(organizations, (ids) => listServiceAccounts(database, ids)),
    grantsOfOrganizations: reads.below(organizations, (ids) => listGrantsOfScopes(database, ids, now())),
    grantsOfProjects: reads.below(projects, (ids) => listGrantsOfScopes(database, ids, now())),
    grantsOfWorkspaces: reads.below(workspaces, (ids) => listGrantsOfScopes(database, ids, now())),
    grantsOfRuns: reads.below(workspaces, (ids) => listGrantsOfPrincipals(database, ids, now())),
    workspacesOfActors: async (ids: readonly string[]) => {
      const workspaceIds = await actorWorkspaces(ids);
      const known = [...new Set(workspaceIds.filter((id) => id !== null))];
      const found = new Map((await workspaces(known)).map((one, index) => [known[index] ?? "", one]));
      return workspaceIds.map((id) => (id === null ? null : (found.get(id) ?? null)));
    },
    grantsOfTeams: reads.below(teams, (ids) => listGrantsOfPrincipals(database, ids, now())),
    people: async (ids: readonly string[]): Promise<Unchecked<Actor>[][]> => {
      const [found, places] = await Promise.all([actors(ids), organizationsOfActors(ids)]);
      return found.map((actor, index) => (actor === null ? [] : placesOf(actor, places[index] ?? [])));
    },
    /** Without a check: the names of projects above one are shown to all who see it. */
    names: batched(database, findProjects),
  };
}

/** An actor at each of its places. All are on the installation. */
function placesOf(actor: Actor, organizationIds: readonly (string | null)[]): Unchecked<Actor>[] {
  const places = organizationIds.flatMap((id) => (id === null ? [] : organizationPlace({ id })));
  return [INSTALLATION, ...places].map((place) => new Unchecked(actor, place));
}

export function createPeopleQueries(deps: Pick<Deps, "database" | "clock" | "rights">, base: Reads) {
  const queries = peopleQueries(createPeopleReads(deps, base));
  return {
    ...queries,
    /**
     * Lists the grants in force that the caller may read, newest first; positions are ids. `organizationId`: on that
     * organization and all below it.
     */
    listGrants: async (caller: ActorCaller, organizationId: string | null, page: PageRequest<string>) => {
      const filter = { scope: scopeOf(caller, "MEMBER_READ"), organizationId, at: deps.clock().toISOString() };
      const found = await base.page(
        () => listGrants(deps.database, filter, page),
        (grant) => grant,
      );
      return permitPage(caller, "MEMBER_READ", found);
    },
    /**
     * Lists people, then machine users, each newest first; positions are ids. Empty without MEMBER_READ on the installation.
     * `search`: only those with this text in their name.
     */
    listMembers: async (caller: ActorCaller, page: PageRequest<string>, search: string | null = null) =>
      can(caller, "MEMBER_READ", INSTALLATION)
        ? listMembersOfInstallation(deps.database, page, search)
        : toPage(page, []),
    /** Explains why an actor has a permission somewhere, or why not. */
    explainAccess: (caller: ActorCaller, question: AccessQuestion) =>
      explainAccess(deps, queries.people, caller, question),
  };
}

const BUILT_IN_BY_ID = new Map(BUILT_IN.map((role) => [role.id, role]));

function peopleQueries(reads: PeopleReads) {
  return {
    projects: queryOrNull("PROJECT_READ", reads.projects),
    /** Returns the projects of organizations that the caller may see, by name. */
    projectsOfOrganizations: queryPlacedLists("PROJECT_READ", reads.projectsOfOrganizations),
    teams: queryOrNull("MEMBER_READ", reads.teams),
    /** Returns the invitations of organizations that can still be accepted, oldest first. */
    invitationsOfOrganizations: queryLists("MEMBER_READ", reads.invitationsOfOrganizations),
    teamsOfOrganizations: queryLists("MEMBER_READ", reads.teamsOfOrganizations),
    membersOfTeams: queryLists("MEMBER_READ", reads.membersOfTeams),
    /** Returns built-in roles, and those of organizations that the caller may see. */
    roles: async (caller: ActorCaller, ids: readonly string[]): Promise<(Role | null)[]> => {
      const own = ids.filter((id) => !BUILT_IN_BY_ID.has(id));
      const found = own.length === 0 ? [] : await reads.roles(own);
      const permitted = found.flatMap((role) => role?.permit(caller, "ORGANIZATION_READ") ?? []);
      const byId = new Map(permitted.map((role) => [role.id, role]));
      return ids.map((id) => BUILT_IN_BY_ID.get(id) ?? byId.get(id) ?? null);
    },
    /** Returns the roles that can be granted in organizations: the built-in ones, then their own. */
    rolesOfOrganizations: async (caller: ActorCaller, ids: readonly string[]): Promise<Role[][]> =>
      permitLists(caller, "ORGANIZATION_READ", await reads.rolesOfOrganizations(ids)).map((own) => [
        ...BUILT_IN,
        ...own,
      ]),
    /** Returns actors that the caller may look up: itself, and the members of organizations whose people it may read. */
    people: async (caller: ActorCaller, ids: readonly string[]): Promise<(Actor | null)[]> =>
      ids.length === 0
        ? []
        : (await reads.people(ids)).map(
            (places) =>
              places.map((one) => one.permitOwn(caller, "MEMBER_READ", ({ id }) => id)).find((actor) => actor) ?? null,
          ),
    membersOfOrganizations: queryLists("MEMBER_READ", reads.membersOfOrganizations),
    serviceAccountsOfOrganizations: queryLists("MEMBER_READ", reads.accountsOfOrganizations),
    grants: queryOrNull("MEMBER_READ", reads.grants),
    grantsOfOrganizations: queryLists("MEMBER_READ", reads.grantsOfOrganizations),
    grantsOfProjects: queryLists("MEMBER_READ", reads.grantsOfProjects),
    grantsOfWorkspaces: queryLists("MEMBER_READ", reads.grantsOfWorkspaces),
    /** Returns the grants of the runs of workspaces, oldest first. */
    grantsOfRuns: queryLists("MEMBER_READ", reads.grantsOfRuns),
    /** Returns the workspaces for whose runs machine users act; `null` for all others. */
    workspacesOfActors: queryOrNull("WORKSPACE_READ", reads.workspacesOfActors),
    grantsOfTeams: queryLists("MEMBER_READ", reads.grantsOfTeams),
    /** Returns the path of each project: the names from the top of the tree to it. The caller was shown the project. */
    projectPaths: async (asked: readonly Project[]): Promise<string[]> => {
      const ids = [...new Set(asked.flatMap(({ path }) => path))];
      const found = ids.length === 0 ? [] : await reads.names(ids);
      const names = new Map(ids.map((id, index) => [id, found[index]?.name ?? id]));
      return asked.map(({ path }) => path.map((id) => names.get(id) ?? id).join("/"));
    },
  };
}
