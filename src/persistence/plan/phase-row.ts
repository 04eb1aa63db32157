/** The columns of a phase, and the phase that they are. */
import type { Selectable } from "kysely";
import { PHASE_KINDS, PHASE_STATUSES, type Phase } from "../../model/run/phase.ts";
import { word } from "../database/closed-set.ts";
import type { Tables } from "../database/tables.ts";

export const PHASE_COLUMNS = [
  "id",
  "run_id",
  "kind",
  "attempt",
  "status",
  "runner_id",
  "started_at",
  "finished_at",
] as const;

export type PhaseRow = Pick<Selectable<Tables["phase"]>, (typeof PHASE_COLUMNS)[number]>;

export function toPhase(row: PhaseRow): Phase {
  return {
    id: row.id,
    runId: row.run_id,
    kind: word(PHASE_KINDS, row.kind),
    attempt: row.attempt,
    status: word(PHASE_STATUSES, row.status),
    runnerId: row.runner_id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
