import { PERMISSIONS, type Permission, type PermissionSet, permissionSet } from "./permission-set.ts";
import { TOKEN_ROLES, type TokenRole } from "./token.ts";

/** The lowest role that includes each permission. A role includes all permissions of lower ones. */
const LEAST_ROLE = {
  "organization:read": "READER",
  "organization:write": "ADMIN",
  "workspace:read": "READER",
  "workspace:create": "WRITER",
  "workspace:update": "WRITER",
  // Removing approvals amounts to approving in advance.
  "workspace:setGates": "APPROVER",
  // Hooks run without approval, with the credentials of a run.
  "workspace:setHooks": "ADMIN",
  // The runner receives the credentials of the run.
  "workspace:setRunner": "ADMIN",
  "workspace:lock": "WRITER",
  "workspace:unlock": "WRITER",
  "workspace:forceUnlock": "ADMIN",
  "workspace:delete": "ADMIN",
  "variable:write": "WRITER",
  "source:upload": "WRITER",
  "run:read": "READER",
  "run:create": "WRITER",
  "run:replan": "WRITER",
  "run:cancel": "WRITER",
  "run:discard": "WRITER",
  "run:retry": "WRITER",
  "run:approve": "APPROVER",
  "run:reject": "APPROVER",
  "run:comment": "WRITER",
  "run:forceStop": "ADMIN",
  "state:import": "ADMIN",
  "state:rollback": "ADMIN",
  // A state contains every secret of its resources in clear text.
  "stateVersion:read": "WRITER",
  // A state written by hand bypasses every gate.
  "stateVersion:write": "ADMIN",
  "stateLock:take": "WRITER",
  "stateLock:force": "ADMIN",
  "figures:read": "READER",
  "token:write": "ADMIN",
  "bulk:ofOthers": "ADMIN",
  "runner:read": "READER",
  "runner:command": "ADMIN",
  // A token of a pool receives the variables of the workspaces that run on it.
  "runnerPool:write": "ADMIN",
  // URLs of webhooks may contain tokens, so reading them needs the same role as writing them.
  "webhook:read": "ADMIN",
  "webhook:write": "ADMIN",
} as const satisfies Record<Permission, TokenRole>;

const RANK: Record<TokenRole, number> = { READER: 0, WRITER: 1, APPROVER: 2, ADMIN: 3 };

/** Returns the roles that include a permission. */
export function rolesThatMay(permission: Permission): TokenRole[] {
  return TOKEN_ROLES.filter((role) => RANK[role] >= RANK[LEAST_ROLE[permission]]);
}

/** Explains why a role does not allow an action, such as "creating runs", and which roles do. */
export function forbiddenReason(action: string, permission: Permission): string {
  const least = LEAST_ROLE[permission];
  const needed = least === "ADMIN" ? least : `${least} or higher`;
  return `Your token's role does not allow ${action}. It needs the role ${needed}.`;
}

/** Returns the permissions of a role. */
export function permissionsOf(role: TokenRole): PermissionSet {
  return permissionSet(PERMISSIONS.filter((permission) => RANK[role] >= RANK[LEAST_ROLE[permission]]));
}
