/** The permissions that runs require, by their kind, and gates. */
import type { Gate } from "../approval/approval.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";
import type { Permission } from "../people/permission-set.ts";

const OF_KIND = {
  PLAN: "RUN_PLAN",
  DEPLOY: "RUN_DEPLOY",
  // It applies what a run of kind PLAN has planned.
  APPLY: "RUN_DEPLOY",
  DESTROY: "RUN_DESTROY",
  TASK: "RUN_TASK",
  // It frees deployments that a lock holds up. It also takes WORKSPACE_FORCE_UNLOCK.
  UNLOCK: "RUN_DEPLOY",
} as const satisfies Record<RunKind, Permission>;

/** Returns the permission to create a run of a kind, and to retry, replan or prioritize one. */
export function permissionToRun(kind: RunKind): Permission {
  return OF_KIND[kind];
}

/** The permissions to create runs. */
export const RUN_PERMISSIONS: readonly Permission[] = [...new Set(Object.values(OF_KIND))];

const OF_GATE = { PLAN: "PLAN_APPROVE", APPLY: "APPLY_APPROVE" } as const satisfies Record<Gate, Permission>;

/** Returns the permission to approve at a gate. */
export function permissionToApprove(gate: Gate): (typeof OF_GATE)[Gate] {
  return OF_GATE[gate];
}
