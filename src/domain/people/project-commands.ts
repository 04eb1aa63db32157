/** Commands about the projects of an organization. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { intersection } from "../../model/people/permission-set.ts";
import { organizationPlace, type Place, projectPlace } from "../../model/people/place.ts";
import { defaultProjectId, PROJECT_DEPTH } from "../../model/people/project-tree.ts";
import { permissionsOf } from "../../model/people/role.ts";
import { setAt } from "../../model/people/rights.ts";
import type { Project } from "../../model/people/project.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import {
  countProjects,
  findDeepestLevel,
  findProjects,
  holdProject,
  insertProject,
  listContent,
  lockProject,
  markProjectDeleted,
  moveProjectRow,
  type ProjectContent,
  updateProjectRow,
} from "../../persistence/organization/project-store.ts";
import { lockOrganizationIfAny } from "../../persistence/organization/organization-store.ts";
import { requireGrantsOfRunsIn, requireOwn } from "../access/attenuation.ts";
import { revokeGrantsOfScope } from "../../persistence/people/grant-store.ts";
import { authorize, command, type Demand, type Sees } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

export interface CreateProjectInput {
  organizationId: string;
  /** `null`: directly below the organization. */
  parentId: string | null;
  name: string;
  isolated: boolean;
}

const ISOLATING: Demand = { permission: "GRANT_WRITE", words: "isolating projects" };

/** Where a project is created: an organization, or a project of it. */
interface Parent {
  project: Project | null;
  place: Place;
}

/** Creates a project. */
export function createProject(deps: Deps, caller: ActorCaller, input: CreateProjectInput): Promise<Project> {
  const { organizationId, parentId, name, isolated } = input;
  const spec = {
    name: "createProject",
    subjectId: parentId ?? organizationId,
    noun: parentId === null ? "organization" : "project",
    find: (tx: Transaction) => findParent(tx, input),
    placeOf: ({ place }: Parent) => place,
    sight: parentId === null ? "ORGANIZATION_READ" : "PROJECT_READ",
    permission: "PROJECT_WRITE",
    words: "creating projects",
    demands: isolated ? [ISOLATING] : [],
    check: (check: InputCheck, { project }: Parent) => {
      checkName(check, name);
      const depth = (project?.path.length ?? 0) + 1;
      const words = `is ${PROJECT_DEPTH} levels deep, which is the limit. Choose a project above it.`;
      check.require(depth <= PROJECT_DEPTH, "parentId", words);
    },
  } as const;
  return command(deps, caller, spec, async (tx, parent) => {
    if ((await countProjects(tx, organizationId)) >= LIMITS.projectsPerOrganization) {
      const message = `has ${LIMITS.projectsPerOrganization} projects, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const id = deps.newId("project");
    const path = [...(parent.project?.path ?? []), id];
    const project = { id, organizationId, parentId, name, path, isolated, createdAt: deps.clock().toISOString() };
    await insertProject(tx, project).catch((error: unknown) => {
      throw projectNameTaken(error, name);
    });
    return project;
  });
}

/** Names make paths, with a slash between them. */
function checkName(check: InputCheck, name: string): void {
  check.label("name", name);
  check.require(!name.includes("/"), "name", "must not have a slash.");
}

async function findParent(tx: Transaction, { organizationId, parentId }: CreateProjectInput): Promise<Parent | null> {
  const organization =
    idKind(organizationId) === "organization" ? await lockOrganizationIfAny(tx, organizationId) : null;
  if (parentId === null) return organization && { project: null, place: organizationPlace(organization) };
  // Also below an organization that does not exist, so that a hidden one takes no statement more.
  const project = idKind(parentId) === "project" ? await holdProject(tx, parentId) : null;
  return project?.organizationId === organizationId ? { project, place: projectPlace(project) } : null;
}

function projectNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "project_name")) return error;
  return new UserError("NAME_TAKEN", `There is a project "${name}" beside it already. Choose another name.`);
}

/** A project that is changed. */
function onProject(projectId: string) {
  return {
    subjectId: projectId,
    noun: "project",
    find: async (tx: Transaction) => (idKind(projectId) === "project" ? lockProject(tx, projectId) : null),
    placeOf: projectPlace,
    sight: "PROJECT_READ",
    permission: "PROJECT_WRITE",
  } as const;
}

export interface UpdateProjectInput {
  projectId: string;
  name?: string | null | undefined;
  isolated?: boolean | null | undefined;
}

/** Renames a project, isolates it, or ends its isolation. */
export function updateProject(deps: Deps, caller: ActorCaller, input: UpdateProjectInput): Promise<Project> {
  const { projectId, name, isolated } = input;
  const spec = {
    ...onProject(projectId),
    name: "updateProject",
    presence: isolated === undefined ? undefined : "ALWAYS",
    words: "changing projects",
    demands: isolated === undefined ? [] : [ISOLATING],
    check: (check: InputCheck, project: Project) => {
      check.require(name !== null, "name", "must not be null.");
      check.require(isolated !== null, "isolated", "must not be null.");
      if (typeof name === "string") checkName(check, name);
      const isDefault = project.id === defaultProjectId(project.organizationId);
      check.require(!isDefault || isolated !== true, "isolated", "must be false: this is the default project.");
    },
  } as const;
  return command(deps, caller, spec, async (tx, project) => {
    const changed = { ...project, name: name ?? project.name, isolated: isolated ?? project.isolated };
    if (changed.isolated) tx.announce("rights");
    await updateProjectRow(tx, projectId, changed).catch((error: unknown) => {
      throw projectNameTaken(error, changed.name);
    });
    return changed;
  });
}

export interface MoveProjectInput {
  projectId: string;
  /** `null`: directly below the organization. */
  toProjectId: string | null;
}

/**
 * Moves a project, with all that is in it, below another one of its organization. It takes the right to change it, and the
 * right to create projects where it goes.
 */
export function moveProject(deps: Deps, caller: ActorCaller, input: MoveProjectInput): Promise<Project> {
  const { projectId, toProjectId } = input;
  const spec = {
    ...onProject(projectId),
    find: (tx: Transaction, sees: Sees) => lockTree(tx, projectId, sees),
    name: "moveProject",
    presence: "ALWAYS",
    words: "moving projects",
    // The grants that reach into it change.
    demands: [{ permission: "GRANT_WRITE", words: "moving projects" }],
    check: (check: InputCheck, project: Project) => {
      const isDefault = project.id === defaultProjectId(project.organizationId);
      check.require(!isDefault, "projectId", "is the default project, which stays.");
    },
  } as const;
  return command(deps, caller, spec, async (tx, project) => {
    const parent = toProjectId === null ? null : await holdTarget(tx, toProjectId, project.organizationId);
    const place = parent === null ? organizationPlace({ id: project.organizationId }) : projectPlace(parent);
    if (parent !== null && !can(caller, "PROJECT_READ", place)) throw notFound("project");
    authorize(caller, { permission: "PROJECT_WRITE", words: "moving projects there" }, place);
    if (parent?.path.includes(projectId)) throw invalidField("toProjectId", "must not be the project, or below it.");
    if (project.parentId === toProjectId) return project;
    const level = (parent?.path.length ?? 0) + (await findDeepestLevel(tx, project)) - project.path.length + 1;
    if (level > PROJECT_DEPTH) {
      throw invalidField("toProjectId", `would make ${level} levels of projects, and ${PROJECT_DEPTH} are the limit.`);
    }
    // Who has more rights where it goes would have them in the project too.
    const gained = intersection(setAt(caller.rights, place), permissionsOf("MAINTAINER"));
    await requireOwn(tx, deps, caller, gained, projectPlace(project));
    await requireGrantsOfRunsIn(tx, deps, caller, projectId);
    tx.announce("rights");
    await moveProjectRow(tx, project, parent).catch((error: unknown) => {
      throw projectNameTaken(error, project.name);
    });
    return { ...project, parentId: toProjectId, path: [...(parent?.path ?? []), projectId] };
  });
}

/** Locks a project behind its organization, so that two moves follow one another: else they could make a cycle. */
async function lockTree(tx: Transaction, projectId: string, sees: Sees): Promise<Project | null> {
  const [found = null] = idKind(projectId) === "project" ? await findProjects(tx, [projectId]) : [];
  if (found === null || !sees(projectPlace(found))) return null;
  await lockOrganizationIfAny(tx, found.organizationId);
  return lockProject(tx, projectId);
}

/** Deletes a project that is empty, with its grants. The default one stays. */
export function deleteProject(deps: Deps, caller: ActorCaller, input: { projectId: string }): Promise<string> {
  const { projectId } = input;
  const spec = {
    ...onProject(projectId),
    name: "deleteProject",
    words: "deleting projects",
    presence: "ALWAYS",
  } as const;
  return command(deps, caller, spec, async (tx, project) => {
    if (projectId === defaultProjectId(project.organizationId)) {
      throw invalidField("projectId", "is the default project, which stays.");
    }
    refuseWithContent(caller, await listContent(tx, projectId));
    const at = deps.clock().toISOString();
    await markProjectDeleted(tx, projectId, at);
    tx.announce("rights");
    await revokeGrantsOfScope(tx, projectId, { at, byId: caller.actor.id });
    return projectId;
  });
}

function refuseWithContent(caller: ActorCaller, content: readonly ProjectContent[]): void {
  if (content.length === 0) return;
  const isSeen = ({ place }: ProjectContent) =>
    can(caller, place.workspaceId === null ? "PROJECT_READ" : "WORKSPACE_READ", place);
  const named = content.find(isSeen);
  const words = named === undefined ? "something that you may not read" : JSON.stringify(named.name);
  throw invalidField("projectId", `holds ${words}. Move or delete what is in it first.`);
}

/** Holds a project of an organization into which a workspace or a project goes. Throws NOT_FOUND if there is none. */
export async function holdTarget(tx: Transaction, projectId: string, organizationId: string): Promise<Project> {
  const project = idKind(projectId) === "project" ? await holdProject(tx, projectId) : null;
  if (project === null || project.organizationId !== organizationId) throw notFound("project");
  return project;
}
