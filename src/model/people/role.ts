import {
  covers,
  type Permission,
  PERMISSIONS,
  type PermissionSet,
  permissionSet,
  permissionsIn,
  union,
} from "./permission-set.ts";

/** The roles that every installation has. */
export const BUILT_IN_ROLES = [
  "READER",
  "PLANNER",
  "WRITER",
  "APPROVER",
  "OPERATOR",
  "MAINTAINER",
  "AUDITOR",
  "ADMIN",
] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** The roles that a token can be created with; each includes the ones before it. */
export const TOKEN_ROLES = ["READER", "WRITER", "APPROVER", "ADMIN"] as const satisfies readonly BuiltInRole[];
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** A named set of permissions. `organizationId`: `null` for a built-in role, which cannot be changed. */
export interface Role {
  id: string;
  organizationId: string | null;
  name: string;
  description: string | null;
  permissions: PermissionSet;
}

const ALL = BUILT_IN_ROLES;
const WRITERS = ["WRITER", "APPROVER", "OPERATOR", "MAINTAINER", "ADMIN"] as const;
const PLANNERS = ["PLANNER", ...WRITERS] as const;
const APPROVERS = ["APPROVER", "MAINTAINER", "ADMIN"] as const;
const OPERATORS = ["OPERATOR", "MAINTAINER", "ADMIN"] as const;
const MAINTAINERS = ["MAINTAINER", "ADMIN"] as const;

/** The built-in roles that have each permission, the least of them first. */
const ROLES_OF = {
  ORGANIZATION_READ: ALL,
  ORGANIZATION_UPDATE: ["ADMIN"],
  MEMBER_READ: ["OPERATOR", "MAINTAINER", "AUDITOR", "ADMIN"],
  MEMBER_WRITE: ["ADMIN"],
  GRANT_WRITE: MAINTAINERS,
  ROLE_WRITE: ["ADMIN"],
  TOKEN_WRITE: ["ADMIN"],
  PROJECT_READ: ALL,
  PROJECT_WRITE: MAINTAINERS,
  WORKSPACE_READ: ALL,
  WORKSPACE_CREATE: WRITERS,
  WORKSPACE_UPDATE: WRITERS,
  WORKSPACE_DELETE: MAINTAINERS,
  WORKSPACE_LOCK: WRITERS,
  WORKSPACE_FORCE_UNLOCK: OPERATORS,
  // Removing approvals amounts to approving in advance.
  GATE_WRITE: APPROVERS,
  // Hooks run without approval, with the credentials of a run.
  HOOK_WRITE: MAINTAINERS,
  // The runner receives the credentials of the run.
  RUNNER_CHOOSE: MAINTAINERS,
  VARIABLE_WRITE: WRITERS,
  SOURCE_UPLOAD: PLANNERS,
  RUN_READ: ALL,
  RUN_PLAN: PLANNERS,
  RUN_DEPLOY: WRITERS,
  RUN_DESTROY: WRITERS,
  // A task is any command, with the credentials of the workspace.
  RUN_TASK: WRITERS,
  RUN_CANCEL: WRITERS,
  RUN_DISCARD: WRITERS,
  PLAN_APPROVE: APPROVERS,
  APPLY_APPROVE: APPROVERS,
  RUN_COMMENT: PLANNERS,
  RUN_FORCE_STOP: OPERATORS,
  BULK_OTHERS: OPERATORS,
  POLICY_READ: ALL,
  POLICY_EXCEPT: WRITERS,
  // Policies are the rules of the organization for everyone below it.
  POLICY_WRITE: ["ADMIN"],
  // A check is sent sources and plans, and its address may contain a token.
  CHECK_WRITE: ["ADMIN"],
  // A state contains every secret of its resources in clear text.
  STATE_READ: WRITERS,
  // A state written by hand bypasses every gate.
  STATE_WRITE: MAINTAINERS,
  STATE_ROLLBACK: MAINTAINERS,
  STATE_LOCK: WRITERS,
  STATE_LOCK_FORCE: OPERATORS,
  RUNNER_READ: ALL,
  RUNNER_COMMAND: ["OPERATOR", "ADMIN"],
  // A token of a pool receives the variables of the workspaces that run on it.
  RUNNER_POOL_WRITE: ["ADMIN"],
  // URLs of webhooks may contain tokens, so reading them needs the same permission as writing them.
  WEBHOOK_WRITE: MAINTAINERS,
  FIGURES_READ: ALL,
} as const satisfies Record<Permission, readonly [BuiltInRole, ...BuiltInRole[]]>;

/** Returns the built-in roles that have a permission, the least of them first. */
export function builtInRolesWith(permission: Permission): readonly [BuiltInRole, ...BuiltInRole[]] {
  return ROLES_OF[permission];
}

function setOf(role: BuiltInRole): PermissionSet {
  return permissionSet(PERMISSIONS.filter((permission) => builtInRolesWith(permission).includes(role)));
}

/** The permissions of each built-in role. */
const SETS = new Map<string, PermissionSet>(BUILT_IN_ROLES.map((role) => [role, setOf(role)]));

/** Returns the permissions of a built-in role. */
export function permissionsOf(role: BuiltInRole): PermissionSet {
  return SETS.get(role) ?? setOf(role);
}

/** Returns the highest role of tokens whose permissions are all in a set; READER if none is. */
export function tokenRoleIn(set: PermissionSet): TokenRole {
  return TOKEN_ROLES.findLast((role) => covers(set, permissionsOf(role))) ?? "READER";
}

/** Returns the id of a built-in role, which is the same in every installation. */
export function builtInRoleId(role: BuiltInRole): string {
  return `role_${String(BUILT_IN_ROLES.indexOf(role) + 1).padStart(26, "0")}`;
}

/** Explains why a caller may not do something, such as "creating runs": the permission, and the least role that has it. */
export function forbiddenReason(action: string, permission: Permission): string {
  const [least] = builtInRolesWith(permission);
  return `Your rights do not allow ${action} here. It needs the permission ${permission}, as in the role ${least}.`;
}

/** The purpose of each built-in role. */
const PURPOSES: Record<BuiltInRole, string> = {
  READER: "Reads everything except secrets.",
  PLANNER: "Also uploads sources, plans by runs of kind PLAN and comments. Deploys nothing.",
  WRITER: "Also creates workspaces and all kinds of runs, and reads states with their secrets.",
  APPROVER: "Also approves and rejects, and sets the rules of gates.",
  OPERATOR: "Like WRITER, and also commands runners and stops runs by force.",
  MAINTAINER: "Has all permissions below an organization or a project, grants included.",
  AUDITOR: "Reads everything except secrets, with the people and their grants.",
  ADMIN: "Has all permissions.",
};

/** The built-in roles as roles. */
export const BUILT_IN: readonly Role[] = BUILT_IN_ROLES.map((name) => ({
  id: builtInRoleId(name),
  organizationId: null,
  name,
  description: PURPOSES[name],
  permissions: permissionsOf(name),
}));

/** The permission to see the object of each permission that changes one. */
const SIGHT_OF: Partial<Record<Permission, Permission>> = {
  ORGANIZATION_UPDATE: "ORGANIZATION_READ",
  MEMBER_WRITE: "MEMBER_READ",
  GRANT_WRITE: "MEMBER_READ",
  PROJECT_WRITE: "PROJECT_READ",
  WORKSPACE_CREATE: "WORKSPACE_READ",
  WORKSPACE_UPDATE: "WORKSPACE_READ",
  WORKSPACE_DELETE: "WORKSPACE_READ",
  WORKSPACE_LOCK: "WORKSPACE_READ",
  WORKSPACE_FORCE_UNLOCK: "WORKSPACE_READ",
  GATE_WRITE: "WORKSPACE_READ",
  HOOK_WRITE: "WORKSPACE_READ",
  RUNNER_CHOOSE: "WORKSPACE_READ",
  VARIABLE_WRITE: "WORKSPACE_READ",
  STATE_READ: "WORKSPACE_READ",
  STATE_WRITE: "WORKSPACE_READ",
  STATE_ROLLBACK: "WORKSPACE_READ",
  STATE_LOCK: "WORKSPACE_READ",
  STATE_LOCK_FORCE: "WORKSPACE_READ",
  RUN_READ: "WORKSPACE_READ",
  RUN_PLAN: "RUN_READ",
  RUN_DEPLOY: "RUN_READ",
  RUN_DESTROY: "RUN_READ",
  RUN_TASK: "RUN_READ",
  RUN_CANCEL: "RUN_READ",
  RUN_DISCARD: "RUN_READ",
  PLAN_APPROVE: "RUN_READ",
  APPLY_APPROVE: "RUN_READ",
  RUN_COMMENT: "RUN_READ",
  RUN_FORCE_STOP: "RUN_READ",
  BULK_OTHERS: "RUN_READ",
  POLICY_WRITE: "POLICY_READ",
  POLICY_EXCEPT: "POLICY_READ",
  RUNNER_COMMAND: "RUNNER_READ",
  RUNNER_POOL_WRITE: "RUNNER_READ",
};

/** Any right in an organization includes the sight of it: everything below shows its organization. */
export const ALWAYS_INCLUDED: PermissionSet = permissionSet(["ORGANIZATION_READ"]);

/** Returns the permissions that a role lacks, because others of it are of no use without them. */
export function lackingPermissions(permissions: readonly Permission[]): Permission[] {
  const needed = permissions.flatMap((permission) => SIGHT_OF[permission] ?? []);
  return [...new Set(needed)].filter((permission) => !permissions.includes(permission));
}

/**
 * Adds the permissions without which others of a set are of no use. The limits of a token are read so: one for creating
 * runs shows them, and their workspaces, where its owner sees these.
 */
export function withSights(set: PermissionSet): PermissionSet {
  const lacking = lackingPermissions(permissionsIn(set));
  return lacking.length === 0 ? union(set, ALWAYS_INCLUDED) : withSights(union(set, permissionSet(lacking)));
}
