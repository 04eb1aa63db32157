/** Every permission that a person or a machine user can have. */
export const PERMISSIONS = [
  "organization:read",
  "organization:write",
  "workspace:read",
  "workspace:create",
  "workspace:update",
  "workspace:setGates",
  "workspace:setHooks",
  "workspace:setRunner",
  "workspace:lock",
  "workspace:unlock",
  "workspace:forceUnlock",
  "workspace:delete",
  "variable:write",
  "source:upload",
  "run:read",
  "run:create",
  "run:replan",
  "run:cancel",
  "run:discard",
  "run:retry",
  "run:approve",
  "run:reject",
  "run:comment",
  "run:forceStop",
  "state:import",
  "state:rollback",
  "stateVersion:read",
  "stateVersion:write",
  "stateLock:take",
  "stateLock:force",
  "figures:read",
  "token:write",
  "bulk:ofOthers",
  "runner:read",
  "runner:command",
  "runnerPool:write",
  "webhook:read",
  "webhook:write",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A set of permissions as two words of 30 bits: bitwise operators of JavaScript work on 32 bits. */
export interface PermissionSet {
  readonly low: number;
  readonly high: number;
}

const WORD_BITS = 30;

export const NO_PERMISSIONS: PermissionSet = { low: 0, high: 0 };

const SET_OF = new Map<Permission, PermissionSet>(
  PERMISSIONS.map((permission, index) => [
    permission,
    index < WORD_BITS ? { low: 1 << index, high: 0 } : { low: 0, high: 1 << (index - WORD_BITS) },
  ]),
);

/** The set of the given permissions. */
export function permissionSet(permissions: Iterable<Permission>): PermissionSet {
  let set = NO_PERMISSIONS;
  for (const permission of permissions) set = union(set, SET_OF.get(permission) ?? NO_PERMISSIONS);
  return set;
}

export function union(one: PermissionSet, other: PermissionSet): PermissionSet {
  return { low: one.low | other.low, high: one.high | other.high };
}

export function intersection(one: PermissionSet, other: PermissionSet): PermissionSet {
  return { low: one.low & other.low, high: one.high & other.high };
}

export function isEmpty({ low, high }: PermissionSet): boolean {
  return (low | high) === 0;
}

export function includes({ low, high }: PermissionSet, permission: Permission): boolean {
  const wanted = SET_OF.get(permission) ?? NO_PERMISSIONS;
  return ((low & wanted.low) | (high & wanted.high)) !== 0;
}
