import type { RunStage } from "../../model/approval/run-stage.ts";
import type { Run } from "../../model/run/run.ts";
import { listRunStages } from "../../persistence/approval/run-stage-store.ts";
import type { Reader } from "../../persistence/database/database.ts";

/** Returns the stages that were decided for the current plan of each run. Most lists have none and save the statement. */
export async function readStages(reader: Reader, runs: readonly Run[]): Promise<RunStage[][]> {
  const staged = runs.flatMap(({ id, stageCount }) => (stageCount > 0 ? [id] : []));
  if (staged.length === 0) return runs.map(() => []);
  const found = await listRunStages(reader, staged);
  return runs.map(({ id }) => found[staged.indexOf(id)] ?? []);
}
