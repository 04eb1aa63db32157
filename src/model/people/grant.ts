import type { Permission, PermissionSet } from "./permission-set.ts";
import { INSTALLATION, type Place } from "./place.ts";
import { lineOf, type ProjectTree } from "./project-tree.ts";

/** The part of the tree that a grant covers: a node and everything below it. */
export type Scope =
  | { readonly type: "installation" }
  | { readonly type: "organization"; readonly organizationId: string }
  | { readonly type: "project"; readonly organizationId: string; readonly projectId: string }
  | {
      readonly type: "workspace";
      readonly organizationId: string;
      readonly projectId: string;
      readonly workspaceId: string;
    };

/** Permissions within a scope. */
export interface Grant {
  readonly permissions: PermissionSet;
  readonly scope: Scope;
}

/** The permission to see each kind of scope. */
export const SIGHT_OF_SCOPE: Readonly<Record<Scope["type"], Permission>> = {
  installation: "GRANT_WRITE",
  organization: "ORGANIZATION_READ",
  project: "PROJECT_READ",
  workspace: "WORKSPACE_READ",
};

/** Returns the place at which a scope begins. */
export function placeOfScope(scope: Scope): Place {
  switch (scope.type) {
    case "installation":
      return INSTALLATION;
    case "organization":
      return { organizationId: scope.organizationId, projectId: null, workspaceId: null };
    case "project":
      return { organizationId: scope.organizationId, projectId: scope.projectId, workspaceId: null };
    case "workspace":
      return { organizationId: scope.organizationId, projectId: scope.projectId, workspaceId: scope.workspaceId };
  }
}

/** Returns whether a place lies within a scope. */
export function isWithin(place: Place, scope: Scope, tree: ProjectTree): boolean {
  switch (scope.type) {
    case "installation":
      return true;
    case "organization":
      return place.organizationId === scope.organizationId;
    case "project":
      return place.projectId !== null && lineOf(tree, place.projectId).some(({ id }) => id === scope.projectId);
    case "workspace":
      return place.workspaceId === scope.workspaceId;
  }
}

/** Returns the scopes whose grants reach a place: the ids of nodes, and `null` for the installation. */
export function scopesReaching(place: Place, tree: ProjectTree): (string | null)[] {
  const line = place.projectId === null ? [] : lineOf(tree, place.projectId);
  const cut = line.findLastIndex(({ isolated }) => isolated);
  const above = cut === -1 ? [null, place.organizationId] : [];
  const below = line.slice(Math.max(cut, 0)).map(({ id }) => id);
  return [...new Set([...above, ...below, ...(place.workspaceId === null ? [] : [place.workspaceId])])];
}
