/** The findings of hooks about the deployments of runs. */
import type { ScanResult } from "../../model/run/scan.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** Stores the scan of a run; an earlier one is replaced. */
export async function putScan(tx: Transaction, runId: string, scan: ScanResult): Promise<void> {
  await tx.sql
    .insertInto("run_scan")
    .values({ run_id: runId, scan: JSON.stringify(scan) })
    .onConflict((conflict) => conflict.column("run_id").doUpdateSet({ scan: JSON.stringify(scan) }))
    .execute();
}

/** Finds the scan of each run; `null` for a run without. */
export async function findScans(reader: Reader, runIds: readonly string[]): Promise<(ScanResult | null)[]> {
  const rows = await reader.sql.selectFrom("run_scan").selectAll().where("run_id", "in", runIds).execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) => row?.scan ?? null);
}
