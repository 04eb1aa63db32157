import type { Permission } from "../generated/graphql.ts";

/** The permissions that a person can choose; the compiler finds one that is missing. */
const KNOWN: Readonly<Record<Permission, true>> = {
  APPLY_APPROVE: true,
  BULK_OTHERS: true,
  CHECK_WRITE: true,
  FIGURES_READ: true,
  GATE_WRITE: true,
  GRANT_WRITE: true,
  HOOK_WRITE: true,
  MEMBER_READ: true,
  MEMBER_WRITE: true,
  ORGANIZATION_READ: true,
  ORGANIZATION_UPDATE: true,
  PLAN_APPROVE: true,
  POLICY_EXCEPT: true,
  POLICY_READ: true,
  POLICY_WRITE: true,
  PROJECT_READ: true,
  PROJECT_WRITE: true,
  ROLE_WRITE: true,
  RUNNER_CHOOSE: true,
  RUNNER_COMMAND: true,
  RUNNER_POOL_WRITE: true,
  RUNNER_READ: true,
  RUN_CANCEL: true,
  RUN_COMMENT: true,
  RUN_DEPLOY: true,
  RUN_DESTROY: true,
  RUN_DISCARD: true,
  RUN_FORCE_STOP: true,
  RUN_PLAN: true,
  RUN_READ: true,
  RUN_TASK: true,
  SOURCE_UPLOAD: true,
  STATE_LOCK: true,
  STATE_LOCK_FORCE: true,
  STATE_READ: true,
  STATE_ROLLBACK: true,
  STATE_WRITE: true,
  TOKEN_WRITE: true,
  VARIABLE_WRITE: true,
  WEBHOOK_WRITE: true,
  WORKSPACE_CREATE: true,
  WORKSPACE_DELETE: true,
  WORKSPACE_FORCE_UNLOCK: true,
  WORKSPACE_LOCK: true,
  WORKSPACE_READ: true,
  WORKSPACE_UPDATE: true,
};

/** All permissions, by name. */
export const PERMISSIONS: readonly string[] = Object.keys(KNOWN);

/** Whether a text is a permission. */
export const isPermission = (value: string): value is Permission => value in KNOWN;
