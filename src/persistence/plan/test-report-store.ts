/** The results of the tests of configurations. */
import type { TestReport } from "../../model/run/test-report.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** Stores the tests of a run; those of an earlier attempt are replaced. */
export async function putTestReport(tx: Transaction, runId: string, report: TestReport): Promise<void> {
  await tx.sql
    .insertInto("test_report")
    .values({ run_id: runId, report: JSON.stringify(report) })
    .onConflict((conflict) => conflict.column("run_id").doUpdateSet({ report: JSON.stringify(report) }))
    .execute();
}

/** Finds the tests of each run; `null` for a run without. */
export async function findTestReports(reader: Reader, runIds: readonly string[]): Promise<(TestReport | null)[]> {
  const rows = await reader.sql.selectFrom("test_report").selectAll().where("run_id", "in", runIds).execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) => row?.report ?? null);
}
