/** How much of runs is read. */
import type { RunDetail, RunSummary } from "../../model/run/run.ts";
import { RUN_KINDS, RUN_OUTCOMES, RUN_TRIGGERS } from "../../model/lifecycle/run-kind.ts";
import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

type Column = (typeof RUN_COLUMNS)[number];

const SUMMARY_COLUMNS = [
  "id",
  "organization_id",
  "project_id",
  "workspace_id",
  "number",
  "kind",
  "status",
  "outcome",
  "trigger",
  "created_by",
  "message",
  "created_at",
  "started_at",
  "finished_at",
] as const satisfies readonly Column[];

function toSummary(row: Pick<RunRow, (typeof SUMMARY_COLUMNS)[number]>): RunSummary {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    number: row.number,
    kind: word(RUN_KINDS, row.kind),
    status: word(RUN_STATUSES, row.status),
    outcome: wordOrNull(RUN_OUTCOMES, row.outcome),
    trigger: word(RUN_TRIGGERS, row.trigger),
    createdById: row.created_by,
    message: row.message,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

/** Columns, and what is made of them and of no others. */
export interface RunView {
  readonly columns: readonly Column[];
  readonly show: (row: RunRow) => RunSummary;
}

export const RUN_VIEWS = {
  SUMMARY: { columns: SUMMARY_COLUMNS, show: toSummary },
  WHOLE: { columns: RUN_COLUMNS, show: toRun },
} as const satisfies Record<RunDetail, RunView>;
