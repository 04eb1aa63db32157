/** Runs with their phases, read by one statement: both are of one instant. */
import type { Phase } from "../../model/run/phase.ts";
import type { RunWithPhases } from "../../model/run/run.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import { toPhase } from "../plan/phase-row.ts";
import { RUN_VIEWS } from "./run-view.ts";

const { columns: RUN_COLUMNS, show: toRun } = RUN_VIEWS.SUMMARY;

/** The columns of a run, and beside them those of one of its phases; `phase_id` is null if it has none. */
type RunAndPhase = Parameters<typeof toRun>[0] & (PhaseOfRun | { phase_id: null });

interface PhaseOfRun {
  phase_id: string;
  phase_kind: string;
  attempt: number;
  phase_status: string;
  runner_id: string | null;
  phase_started_at: string | null;
  phase_finished_at: string | null;
}

const runsWithPhases = prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
  db
    .selectFrom("run")
    .leftJoin("phase", "phase.run_id", "run.id")
    .select(RUN_COLUMNS.map((name) => `run.${name}` as const))
    .select([
      "phase.id as phase_id",
      "phase.kind as phase_kind",
      "phase.attempt",
      "phase.status as phase_status",
      "phase.runner_id",
      "phase.started_at as phase_started_at",
      "phase.finished_at as phase_finished_at",
    ])
    .where("run.id", "=", isAnyOf(slot("ids")))
    .where(inKeptWorkspace("run.workspace_id"))
    .orderBy("phase.id")
    .$castTo<RunAndPhase>(),
);

/** Finds runs with their phases of the same instant. Runs of deleted workspaces are not found. */
export async function findRunsWithPhases(reader: Reader, ids: readonly string[]): Promise<(RunWithPhases | null)[]> {
  const found = new Map<string, RunWithPhases>();
  for (const row of await runsWithPhases(reader, { ids })) {
    let run = found.get(row.id);
    if (run === undefined) {
      run = { ...toRun(row), phases: [] };
      found.set(row.id, run);
    }
    if (row.phase_id !== null) run.phases.push(toPhaseOf(row));
  }
  return ids.map((id) => found.get(id) ?? null);
}

function toPhaseOf(row: PhaseOfRun & { id: string }): Phase {
  return toPhase({
    id: row.phase_id,
    run_id: row.id,
    kind: row.phase_kind,
    attempt: row.attempt,
    status: row.phase_status,
    runner_id: row.runner_id,
    started_at: row.phase_started_at,
    finished_at: row.phase_finished_at,
  });
}
