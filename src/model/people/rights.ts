import { type Grant, isWithin, placeOfScope, type Scope } from "./grant.ts";
import {
  covers,
  includes,
  intersection,
  isEmpty,
  NO_PERMISSIONS,
  type PermissionSet,
  permissionSet,
  union,
} from "./permission-set.ts";
import type { Place } from "./place.ts";
import { lineOf, NO_PROJECTS, type ProjectTree, subtrees } from "./project-tree.ts";

type Sets = ReadonlyMap<string, PermissionSet>;

/** Grants in a form for checks. */
export interface Rights {
  /** The permissions on the installation. */
  readonly everywhere: PermissionSet;
  /** The permissions that begin at each organization. */
  readonly organizations: Sets;
  /** All permissions at each project that has others than its organization. */
  readonly projects: Sets;
  /** The permissions that begin at each workspace. */
  readonly workspaces: Sets;
}

/** A right anywhere in an organization includes the sight of the organization, whose settings hold for all below. */
const SIGHT_OF_ORGANIZATION = permissionSet(["ORGANIZATION_READ"]);
/** The rights that reach into an isolated project from above, for those who may grant there. */
const INTO_ISOLATION = permissionSet(["PROJECT_READ", "GRANT_WRITE"]);

/** Merges grants to rights. Rights are inherited down the tree; no grant removes one. */
export function rightsOf(grants: Iterable<Grant>, tree: ProjectTree = NO_PROJECTS): Rights {
  let everywhere = NO_PERMISSIONS;
  const organizations = new Map<string, PermissionSet>();
  const granted = new Map<string, PermissionSet>();
  const workspaces = new Map<string, PermissionSet>();
  for (const { permissions, scope } of grants) {
    if (scope.type === "installation") {
      everywhere = union(everywhere, permissions);
      continue;
    }
    const isWhole = scope.type === "organization";
    const sight = isEmpty(permissions) ? NO_PERMISSIONS : SIGHT_OF_ORGANIZATION;
    add(organizations, scope.organizationId, isWhole ? permissions : sight);
    if (scope.type === "project") add(granted, scope.projectId, permissions);
    if (scope.type === "workspace") add(workspaces, scope.workspaceId, permissions);
  }
  return { everywhere, organizations, projects: atProjects(tree, { everywhere, organizations, granted }), workspaces };
}

function add(to: Map<string, PermissionSet>, id: string, permissions: PermissionSet): void {
  to.set(id, union(to.get(id) ?? NO_PERMISSIONS, permissions));
}

/** Collects the permissions at the projects below a grant or an isolation; all others have those of their organization. */
function atProjects(
  tree: ProjectTree,
  { everywhere, organizations, granted }: { everywhere: PermissionSet; organizations: Sets; granted: Sets },
): Sets {
  const sets = new Map<string, PermissionSet>();
  for (const { id, organizationId, parentId, isolated } of subtrees(tree, [...granted.keys(), ...tree.isolatedIds])) {
    const above =
      (parentId === null ? undefined : sets.get(parentId)) ??
      union(everywhere, organizations.get(organizationId) ?? NO_PERMISSIONS);
    const inherited = isolated ? intoIsolation(above) : above;
    sets.set(id, union(inherited, granted.get(id) ?? NO_PERMISSIONS));
  }
  return sets;
}

function intoIsolation(above: PermissionSet): PermissionSet {
  return includes(above, "GRANT_WRITE") ? intersection(above, INTO_ISOLATION) : NO_PERMISSIONS;
}

/** Returns all permissions at a place. */
export function setAt({ everywhere, organizations, projects, workspaces }: Rights, place: Place): PermissionSet {
  const at = (sets: Sets, id: string | null) => (id === null ? undefined : sets.get(id)) ?? NO_PERMISSIONS;
  const ofProject = place.projectId === null ? undefined : projects.get(place.projectId);
  const inherited = ofProject ?? union(everywhere, at(organizations, place.organizationId));
  return union(inherited, at(workspaces, place.workspaceId));
}

/**
 * Returns the permissions that a caller may grant at a place: those that it has there, and those that it has above. Who
 * may grant above an isolated project may grant into it, what it has itself.
 */
export function grantableAt(rights: Rights, place: Place, tree: ProjectTree): PermissionSet {
  const line = place.projectId === null ? [] : lineOf(tree, place.projectId);
  const above = line.map(({ id }) => rights.projects.get(id) ?? NO_PERMISSIONS);
  const ofOrganization = setAt(rights, { ...place, projectId: null, workspaceId: null });
  return [...above, ofOrganization].reduce(union, setAt(rights, place));
}

/**
 * Whether rights still include all of earlier ones. Where that takes the tree of projects to know, the answer is no: a
 * connection that is closed without need is opened again by its client.
 */
export function keepsAll(now: Rights, before: Rights): boolean {
  if (now === before) return true;
  const everywhere = covers(now.everywhere, before.everywhere);
  const at = (sets: Sets, id: string) => sets.get(id) ?? NO_PERMISSIONS;
  const organizations = [...before.organizations].every(([id, set]) =>
    covers(union(now.everywhere, at(now.organizations, id)), set),
  );
  const projects = [...before.projects].every(([id, set]) => covers(now.projects.get(id) ?? now.everywhere, set));
  const workspaces = [...before.workspaces].every(([id, set]) => covers(at(now.workspaces, id), set));
  // A project that is new among them may be one that was isolated.
  const above = [...before.organizations.values()].reduce(union, before.everywhere);
  const isolated = [...now.projects].some(([id, set]) => !before.projects.has(id) && !covers(set, above));
  return everywhere && organizations && projects && workspaces && !isolated;
}

/** Reduces rights to a set of permissions. */
export function restricted({ everywhere, organizations, projects, workspaces }: Rights, to: PermissionSet): Rights {
  const within = (sets: Sets): Sets =>
    new Map(
      [...sets].flatMap(([id, set]) => {
        const left = intersection(set, to);
        return isEmpty(left) ? [] : [[id, left] as const];
      }),
    );
  return {
    everywhere: intersection(everywhere, to),
    organizations: within(organizations),
    // An empty set is kept: it differs from that of the organization.
    projects: new Map([...projects].map(([id, set]) => [id, intersection(set, to)])),
    workspaces: within(workspaces),
  };
}

/** Returns rights that are these at a workspace and at its organization, and none anywhere else. */
export function rightsWithin(place: Place, ofWorkspace: PermissionSet, ofOrganization: PermissionSet): Rights {
  const only = (id: string | null, set: PermissionSet): Sets => new Map(id === null ? [] : [[id, set]]);
  return {
    everywhere: NO_PERMISSIONS,
    organizations: only(place.organizationId, ofOrganization),
    // Else the project would have those of the organization.
    projects: only(place.projectId, NO_PERMISSIONS),
    workspaces: only(place.workspaceId, ofWorkspace),
  };
}

/** Reduces grants to parts of the tree. What is outside of them gets no permission. */
export function narrowed(grants: readonly Grant[], to: readonly Scope[], tree: ProjectTree): Grant[] {
  const rights = rightsOf(grants, tree);
  return to.flatMap((scope) => [
    { permissions: setAt(rights, placeOfScope(scope)), scope },
    ...grants.filter((grant) => isWithin(placeOfScope(grant.scope), scope, tree)),
  ]);
}

/** Writes rights as a text that is equal for equal rights. */
export function fingerprint({ everywhere, organizations, projects, workspaces }: Rights): string {
  const sorted = (sets: Sets) => [...sets].map(([id, { low, high }]) => `${id} ${low} ${high}`).toSorted();
  return JSON.stringify([everywhere.low, everywhere.high, sorted(organizations), sorted(projects), sorted(workspaces)]);
}
