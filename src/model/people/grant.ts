import { intersection, isEmpty, NO_PERMISSIONS, type PermissionSet, union } from "./permission-set.ts";
import { permissionsOf } from "./role.ts";
import type { TokenRole } from "./token.ts";

/**
 * The place of an object in the tree of installation, organization and workspace, at which a permission is checked.
 * `null` in both: the installation. `null` in `workspaceId`: the organization.
 */
export interface Place {
  readonly organizationId: string | null;
  readonly workspaceId: string | null;
}

/** An entity together with its place. */
export type Placed<Entity> = Entity & Place;

export const INSTALLATION: Place = { organizationId: null, workspaceId: null };

/** Returns the place of an organization and of the objects that belong to it as a whole. */
export function organizationPlace({ id }: { id: string }): Place {
  return { organizationId: id, workspaceId: null };
}

/** Returns the place of a workspace. */
export function workspacePlace({ id, organizationId }: { id: string; organizationId: string }): Place {
  return { organizationId, workspaceId: id };
}

/** The part of the tree that a grant covers: a node and everything below it. */
export type Scope =
  | { readonly type: "installation" }
  | { readonly type: "organization"; readonly organizationId: string }
  | { readonly type: "workspace"; readonly workspaceId: string };

/** Gives a role within a scope. */
export interface Grant {
  readonly role: TokenRole;
  readonly scope: Scope;
}

/** Grants in a form for checks: the permissions that begin at each node. */
export interface Rights {
  readonly everywhere: PermissionSet;
  readonly organizations: ReadonlyMap<string, PermissionSet>;
  readonly workspaces: ReadonlyMap<string, PermissionSet>;
}

/** Merges grants to rights. Rights are inherited down the tree; no grant removes one. */
export function rightsOf(grants: Iterable<Grant>): Rights {
  let everywhere = NO_PERMISSIONS;
  const organizations = new Map<string, PermissionSet>();
  const workspaces = new Map<string, PermissionSet>();
  const add = (to: Map<string, PermissionSet>, id: string, permissions: PermissionSet): void => {
    to.set(id, union(to.get(id) ?? NO_PERMISSIONS, permissions));
  };
  for (const { role, scope } of grants) {
    const permissions = permissionsOf(role);
    switch (scope.type) {
      case "installation":
        everywhere = union(everywhere, permissions);
        break;
      case "organization":
        add(organizations, scope.organizationId, permissions);
        break;
      case "workspace":
        add(workspaces, scope.workspaceId, permissions);
        break;
    }
  }
  return { everywhere, organizations, workspaces };
}

const onInstallation = (role: TokenRole): Rights => rightsOf([{ role, scope: { type: "installation" } }]);

const RIGHTS_OF_ROLE: Record<TokenRole, Rights> = {
  READER: onInstallation("READER"),
  WRITER: onInstallation("WRITER"),
  APPROVER: onInstallation("APPROVER"),
  ADMIN: onInstallation("ADMIN"),
};

/** Returns the rights of a token: its role is a grant on the installation. */
export function rightsOfRole(role: TokenRole): Rights {
  return RIGHTS_OF_ROLE[role];
}

/** Reduces rights to a set of permissions. */
export function restricted({ everywhere, organizations, workspaces }: Rights, to: PermissionSet): Rights {
  const within = (sets: Rights["organizations"]): Rights["organizations"] =>
    new Map(
      [...sets].flatMap(([id, set]) => {
        const left = intersection(set, to);
        return isEmpty(left) ? [] : [[id, left] as const];
      }),
    );
  return {
    everywhere: intersection(everywhere, to),
    organizations: within(organizations),
    workspaces: within(workspaces),
  };
}

/** Writes rights as a text that is equal for equal rights. */
export function fingerprint({ everywhere, organizations, workspaces }: Rights): string {
  const sorted = (sets: Rights["organizations"]) =>
    [...sets].map(([id, { low, high }]) => `${id} ${low} ${high}`).toSorted();
  return JSON.stringify([everywhere.low, everywhere.high, sorted(organizations), sorted(workspaces)]);
}
