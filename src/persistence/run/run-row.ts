/** The columns of a run, and the run that they are. */
import type { Selectable } from "kysely";
import { EXCEEDED_LIMITS, type Run } from "../../model/run/run.ts";
import { RUN_KINDS, RUN_LEGS, RUN_OUTCOMES, RUN_TRIGGERS } from "../../model/lifecycle/run-kind.ts";
import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Tables } from "../database/tables.ts";

export type RunRow = Pick<Selectable<Tables["run"]>, (typeof RUN_COLUMNS)[number]>;

export const RUN_COLUMNS = [
  "id",
  "organization_id",
  "project_id",
  "workspace_id",
  "number",
  "kind",
  "status",
  "leg",
  "outcome",
  "trigger",
  "created_by",
  "acting_run_id",
  "requested_by",
  "replanned_by",
  "message",
  "revision",
  "targets",
  "replace",
  "refresh_only",
  "command",
  "metadata",
  "priority",
  "scheduled_at",
  "apply_at",
  "alarm_at",
  "expired_limit",
  "expired_at",
  "escalated_at",
  "version",
  "plan_version",
  "stage_count",
  "attempt",
  "cancel_requested_by",
  "cancel_requested_at",
  "forced",
  "holds_workspace",
  "origin_id",
  "plan_run_id",
  "changeset_id",
  "cause",
  "awaits_upstream",
  "released_at",
  "policy_warnings",
  "policy_asks",
  "awaited_check",
  "judged",
  "failure",
  "reason",
  "created_at",
  "status_at",
  "started_at",
  "applied_at",
  "finished_at",
] as const;

function toExpired(row: RunRow): Run["expired"] {
  const limit = wordOrNull(EXCEEDED_LIMITS, row.expired_limit);
  return limit === null || row.expired_at === null ? null : { limit, at: row.expired_at };
}

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    number: row.number,
    kind: word(RUN_KINDS, row.kind),
    status: word(RUN_STATUSES, row.status),
    leg: word(RUN_LEGS, row.leg),
    outcome: wordOrNull(RUN_OUTCOMES, row.outcome),
    trigger: word(RUN_TRIGGERS, row.trigger),
    createdById: row.created_by,
    actingRunId: row.acting_run_id,
    requestedByIds: row.requested_by ?? [],
    replannedById: row.replanned_by,
    message: row.message,
    revision: row.revision,
    targets: row.targets,
    replace: row.replace,
    refreshOnly: row.refresh_only,
    command: row.command,
    metadata: row.metadata,
    priority: row.priority,
    scheduledAt: row.scheduled_at,
    applyAt: row.apply_at,
    alarmAt: row.alarm_at,
    expired: toExpired(row),
    escalatedAt: row.escalated_at,
    version: row.version,
    planVersion: row.plan_version,
    stageCount: row.stage_count,
    attempt: row.attempt,
    cancelRequest:
      row.cancel_requested_by === null || row.cancel_requested_at === null
        ? null
        : { actorId: row.cancel_requested_by, at: row.cancel_requested_at },
    forced: row.forced,
    holdsWorkspace: row.holds_workspace,
    originId: row.origin_id,
    planRunId: row.plan_run_id,
    changesetId: row.changeset_id,
    cause: row.cause,
    awaitsUpstream: row.awaits_upstream,
    releasedAt: row.released_at,
    policyWarnings: row.policy_warnings,
    policyAsks: row.policy_asks,
    awaitedCheck: row.awaited_check,
    judged: row.judged,
    failure: row.failure,
    reason: row.reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    appliedAt: row.applied_at,
    statusAt: row.status_at,
  };
}
