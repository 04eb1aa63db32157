/** Every permission of people and machine users, by what it is about. The names are those of the API. */
export const PERMISSIONS = [
  "ORGANIZATION_READ",
  "ORGANIZATION_UPDATE",
  "MEMBER_READ",
  "MEMBER_WRITE",
  "GRANT_WRITE",
  "ROLE_WRITE",
  "TOKEN_WRITE",
  "PROJECT_READ",
  "PROJECT_WRITE",
  "WORKSPACE_READ",
  "WORKSPACE_CREATE",
  "WORKSPACE_UPDATE",
  "WORKSPACE_DELETE",
  "WORKSPACE_LOCK",
  "WORKSPACE_FORCE_UNLOCK",
  "GATE_WRITE",
  "HOOK_WRITE",
  "RUNNER_CHOOSE",
  "VARIABLE_WRITE",
  "SOURCE_UPLOAD",
  "RUN_READ",
  "RUN_PLAN",
  "RUN_DEPLOY",
  "RUN_DESTROY",
  "RUN_TASK",
  "RUN_CANCEL",
  "RUN_DISCARD",
  "PLAN_APPROVE",
  "APPLY_APPROVE",
  "RUN_COMMENT",
  "RUN_FORCE_STOP",
  "BULK_OTHERS",
  "POLICY_READ",
  "POLICY_WRITE",
  "CHECK_WRITE",
  "POLICY_EXCEPT",
  "STATE_READ",
  "STATE_WRITE",
  "STATE_ROLLBACK",
  "STATE_LOCK",
  "STATE_LOCK_FORCE",
  "RUNNER_READ",
  "RUNNER_COMMAND",
  "RUNNER_POOL_WRITE",
  "WEBHOOK_WRITE",
  "FIGURES_READ",
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

/** The permissions of a set, in the order of `PERMISSIONS`. */
export function permissionsIn(set: PermissionSet): Permission[] {
  return PERMISSIONS.filter((permission) => includes(set, permission));
}

export function union(one: PermissionSet, other: PermissionSet): PermissionSet {
  return { low: one.low | other.low, high: one.high | other.high };
}

export function intersection(one: PermissionSet, other: PermissionSet): PermissionSet {
  return { low: one.low & other.low, high: one.high & other.high };
}

/** Whether one set has all permissions of another. */
export function covers(set: PermissionSet, other: PermissionSet): boolean {
  return (other.low & ~set.low) === 0 && (other.high & ~set.high) === 0;
}

export function isEmpty({ low, high }: PermissionSet): boolean {
  return (low | high) === 0;
}

export function includes({ low, high }: PermissionSet, permission: Permission): boolean {
  const wanted = SET_OF.get(permission) ?? NO_PERMISSIONS;
  return ((low & wanted.low) | (high & wanted.high)) !== 0;
}
