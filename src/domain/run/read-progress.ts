import { estimatedEnd, isInProgress, type RunProgress, shownProgress } from "../../model/run/run-progress.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findNewestProgress, readProgressHistory } from "../../persistence/plan/progress-store.ts";

/** `estimatedEndAt` is `null` if the phase is over or history is too short for an estimate. */
export interface EstimatedProgress extends RunProgress {
  estimatedEndAt: string | null;
}

/** Returns one entry per run, in the order of the runs. */
export async function readProgress(
  reader: Reader,
  runs: readonly Run[],
  at: Date,
): Promise<(EstimatedProgress | null)[]> {
  const ids = runs.map(({ id }) => id);
  const found = await findNewestProgress(reader, ids);
  const asked = runs.flatMap(({ id, status }, index) => {
    const phase = found[index]?.phase;
    return phase !== undefined && isInProgress(phase, status) ? [{ runId: id, phase }] : [];
  });
  const histories = await readProgressHistory(reader, asked);
  const byRun = new Map(asked.map(({ runId }, index) => [runId, histories[index] ?? null]));
  return runs.map(({ id, status, outcome }, index) => {
    const progress = found[index] ?? null;
    if (progress === null) return null;
    const history = byRun.get(id) ?? null;
    // The report belongs to an earlier attempt or an earlier plan.
    if (history !== null && history.startedAt > progress.updatedAt) return null;
    const estimatedEndAt = history === null ? null : estimatedEnd(progress, history, at.toISOString());
    const applied = outcome === "APPLIED" || outcome === "DESTROYED";
    return { ...shownProgress(progress, status, applied), estimatedEndAt };
  });
}
