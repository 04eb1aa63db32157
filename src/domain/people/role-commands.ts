/** Commands about the roles of an organization. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type Permission, permissionSet } from "../../model/people/permission-set.ts";
import { INSTALLATION, organizationPlace } from "../../model/people/place.ts";
import { BUILT_IN_ROLES, lackingPermissions, type Role } from "../../model/people/role.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { listGrantsOfRole } from "../../persistence/people/grant-store.ts";
import {
  insertRole,
  listRoles,
  lockRole,
  markRoleDeleted,
  updateRoleRow,
} from "../../persistence/people/role-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireOwn } from "../access/attenuation.ts";
import { onOrganization } from "./people-command.ts";

export interface CreateRoleInput {
  organizationId: string;
  name: string;
  description: string | null;
  permissions: readonly Permission[];
}

/** Creates a role. The caller must have its permissions itself. */
export function createRole(deps: Deps, caller: ActorCaller, input: CreateRoleInput): Promise<Role> {
  const { organizationId, name, description } = input;
  const spec = {
    ...onOrganization(organizationId),
    name: "createRole",
    presence: "ALWAYS",
    permission: "ROLE_WRITE",
    words: "creating roles",
    check: (check: InputCheck) => {
      check.label("name", name);
      check.text("description", description);
      checkPermissions(check, input.permissions);
    },
  } as const;
  return command(deps, caller, spec, async (tx, organization) => {
    requireFreeName(name);
    const permissions = permissionSet(input.permissions);
    await requireOwn(tx, deps, caller, permissions, organizationPlace(organization));
    const [roles = []] = await listRoles(tx, [organizationId]);
    if (roles.length >= LIMITS.rolesPerOrganization) {
      throw invalidField("organizationId", `has ${LIMITS.rolesPerOrganization} roles, which is the limit.`);
    }
    const role = { id: deps.newId("role"), organizationId, name, description, permissions };
    await insertRole(tx, role, deps.clock().toISOString()).catch((error: unknown) => {
      throw roleNameTaken(error, name);
    });
    return role;
  });
}

/** A role is never made larger than it was asked for: what it lacks is named. */
function checkPermissions(check: InputCheck, permissions: readonly Permission[]): void {
  check.require(permissions.length > 0, "permissions", "must have at least one permission.");
  const lacking = lackingPermissions(permissions);
  check.require(lacking.length === 0, "permissions", `must also have ${lacking.join(", ")}, which the others need.`);
}

function requireFreeName(name: string): void {
  const builtIn: readonly string[] = BUILT_IN_ROLES;
  if (builtIn.includes(name.toUpperCase()))
    throw new UserError("NAME_TAKEN", `"${name}" is a built-in role. Choose another name.`);
}

function roleNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "role_name")) return error;
  return new UserError("NAME_TAKEN", `The organization already has a role "${name}". Choose another name.`);
}

function onRole(roleId: string) {
  return {
    subjectId: roleId,
    noun: "role",
    find: async (tx: Transaction) => (idKind(roleId) === "role" ? lockRole(tx, roleId) : null),
    placeOf: ({ organizationId }: Role) =>
      organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId }),
    sight: "ORGANIZATION_READ",
    permission: "ROLE_WRITE",
    check: (_check: InputCheck, { organizationId }: Role) => {
      if (organizationId === null) throw new UserError("FORBIDDEN", "Built-in roles cannot be changed or deleted.");
    },
  } as const;
}

export interface UpdateRoleInput {
  roleId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  permissions?: readonly Permission[] | null | undefined;
}

/**
 * Changes a role in all places where it is granted. The caller must have its permissions itself on the organization: it
 * may then grant them everywhere in it.
 */
export function updateRole(deps: Deps, caller: ActorCaller, input: UpdateRoleInput): Promise<Role> {
  const { roleId, name, description, permissions } = input;
  const base = onRole(roleId);
  const spec = {
    ...base,
    name: "updateRole",
    presence: "ALWAYS",
    words: "changing roles",
    check: (check: InputCheck, role: Role) => {
      base.check(check, role);
      check.require(name !== null, "name", "must not be null.");
      check.require(permissions !== null, "permissions", "must not be null.");
      if (typeof name === "string") check.label("name", name);
      check.text("description", description ?? null);
      if (permissions) checkPermissions(check, permissions);
    },
  } as const;
  return command(deps, caller, spec, async (tx, role) => {
    if (name) requireFreeName(name);
    const changed = {
      ...role,
      name: name ?? role.name,
      description: description === undefined ? role.description : description,
      permissions: permissions ? permissionSet(permissions) : role.permissions,
    };
    await requireOwn(tx, deps, caller, changed.permissions, base.placeOf(role));
    tx.announce("rights");
    await updateRoleRow(tx, roleId, changed).catch((error: unknown) => {
      throw roleNameTaken(error, changed.name);
    });
    return changed;
  });
}

/** Deletes a role that is granted to no one. */
export function deleteRole(deps: Deps, caller: ActorCaller, input: { roleId: string }): Promise<string> {
  const { roleId } = input;
  const spec = { ...onRole(roleId), name: "deleteRole", words: "deleting roles", presence: "ALWAYS" } as const;
  return command(deps, caller, spec, async (tx, role) => {
    if (role.organizationId === null) throw notFound("role");
    const at = deps.clock().toISOString();
    const grants = await listGrantsOfRole(tx, roleId, at);
    if (grants.length > 0)
      throw invalidField("roleId", "is granted: the query `grants` lists those that you may read. Revoke them first.");
    await markRoleDeleted(tx, roleId, at);
    return roleId;
  });
}
