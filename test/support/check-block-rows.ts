/** Rows of check blocks, for tests that are about something else. */
import type { Scene } from "../domain/scene.ts";

/** Stores check blocks of the plan of a run, and after its apply. */
export async function insertCheckReports({ rows }: Pick<Scene, "rows">, runId: string): Promise<void> {
  await rows(
    `insert into check_report (run_id, after_apply, plan_version, workspace_id, count, failed_count, blocks)
      select id, after, plan_version, workspace_id, 1, 1, '[{"address": "check.a", "status": "FAILED", "problems": ["No."]}]'
      from run, unnest('{true,false}'::boolean[]) after where id = $1`,
    runId,
  );
}
