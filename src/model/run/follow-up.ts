/** Decides which runs can be created from an existing one: a retry, a promotion, a rollback to it. */
import { forbiddenReason } from "../people/role.ts";
import { can, type ActorCaller } from "../people/permission.ts";
import { type Plan, staleReason } from "../plan/plan.ts";
import { isStateRollback, type Run } from "./run.ts";
import { isTerminal } from "../lifecycle/run-status.ts";
import { invalidField, UserError } from "../kit/user-error.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The refusal of a follow-up. INVALID_INPUT is about the field `runId`. */
export interface FollowUpRefusal {
  code: "FORBIDDEN" | "INVALID_INPUT" | "RUN_STATE_CONFLICT" | "STALE_PLAN";
  reason: string;
}

/** A run with what decides about a retry. */
export interface RetrySubject {
  run: Pick<Run, "organizationId" | "projectId" | "workspaceId" | "kind" | "status" | "trigger">;
  workspace: Pick<Workspace, "stateSerial" | "tasksAllowed">;
  /** The plan that an APPLY applies. */
  plan: Pick<Plan, "stateSerial" | "archiveExpiredAt"> | null;
}

/**
 * Returns why a run cannot be retried; `null` if it can. The permission to create runs includes retries. The conditions
 * of the kind apply again.
 */
export function retryRefusal(caller: ActorCaller, { run, workspace, plan }: RetrySubject): FollowUpRefusal | null {
  const { kind, status } = run;
  if (kind === "UNLOCK" && !can(caller, "WORKSPACE_FORCE_UNLOCK", run)) {
    return { code: "FORBIDDEN", reason: forbiddenReason("breaking state locks", "WORKSPACE_FORCE_UNLOCK") };
  }
  // Its command is fixed, and the state that it was compared with is no longer the current one.
  if (isStateRollback(run)) {
    return { code: "INVALID_INPUT", reason: "is a rollback of a state: request it again (rollbackState)." };
  }
  if (kind === "TASK" && !workspace.tasksAllowed) {
    return { code: "INVALID_INPUT", reason: "is a TASK, but the workspace does not allow tasks (tasksAllowed)." };
  }
  if (!isTerminal(status)) {
    return {
      code: "RUN_STATE_CONFLICT",
      reason: `Cannot retry a run of kind ${kind} that is ${status}: wait for its end.`,
    };
  }
  if (kind === "APPLY" && plan !== null && plan.archiveExpiredAt !== null) {
    const date = plan.archiveExpiredAt.slice(0, 10);
    return { code: "INVALID_INPUT", reason: `applied a plan whose files were removed on ${date}. Plan again.` };
  }
  const stale = kind === "APPLY" && plan !== null ? staleReason(plan, workspace) : null;
  return stale === null ? null : { code: "STALE_PLAN", reason: stale };
}

/**
 * Returns why a run cannot be promoted; `null` if it can. A PLAN run without changes can be: variables and state may
 * differ now.
 */
export function promotionRefusal({ kind, status }: Pick<Run, "kind" | "status">): FollowUpRefusal | null {
  if (kind !== "PLAN") return { code: "INVALID_INPUT", reason: `must be a run of kind PLAN, not ${kind}.` };
  if (status === "FINISHED") return null;
  return {
    code: "RUN_STATE_CONFLICT",
    reason: `Cannot promote a run of kind PLAN that is ${status}. It must be FINISHED.`,
  };
}

/** Returns why a run cannot be rolled back to; `null` if it can: its configuration was applied and is known. */
export function rollbackRefusal({
  outcome,
  refreshOnly,
  revision,
}: Pick<Run, "outcome" | "refreshOnly" | "revision">): FollowUpRefusal | null {
  const refused = (reason: string): FollowUpRefusal => ({ code: "INVALID_INPUT", reason });
  if (revision === null) return refused("must be a run with a source.");
  if (outcome !== "APPLIED") return refused("must be a run whose plan was applied.");
  return refreshOnly
    ? refused("must be a run that applied its configuration, not one that only refreshed the state.")
    : null;
}

/** Throws the error of a refused follow-up. */
export function requireFollowUp(refusal: FollowUpRefusal | null, runId: string): void {
  if (refusal === null) return;
  if (refusal.code === "INVALID_INPUT") throw invalidField("runId", refusal.reason);
  throw new UserError(refusal.code, refusal.reason, { runId });
}
