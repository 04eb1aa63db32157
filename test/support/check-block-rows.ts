/** Rows of check blocks, tests and scans, for tests that are about something else. */
import { NO_SCAN } from "../../src/model/run/scan.ts";
import { NO_TESTS } from "../../src/model/run/test-report.ts";
import type { Scene } from "../domain/scene.ts";

/** Stores check blocks of the plan of a run, and after its apply; its tests; its scan. */
export async function insertCheckReports({ rows }: Pick<Scene, "rows">, runId: string): Promise<void> {
  await rows(
    `insert into check_report (run_id, after_apply, plan_version, workspace_id, count, failed_count, blocks)
      select id, after, plan_version, workspace_id, 1, 1, '[{"address": "check.a", "status": "FAILED", "problems": ["No."]}]'
      from run, unnest('{true,false}'::boolean[]) after where id = $1`,
    runId,
  );
  const tests = {
    ...NO_TESTS,
    status: "FAILED",
    results: [{ file: "a", run: "b", status: "FAILED", problems: ["No."] }],
  };
  await rows("insert into test_report (run_id, report) values ($1, $2)", runId, JSON.stringify(tests));
  const scan = { ...NO_SCAN, shape: "SERVER", units: ["web"] };
  await rows("insert into run_scan (run_id, scan) values ($1, $2)", runId, JSON.stringify(scan));
}
