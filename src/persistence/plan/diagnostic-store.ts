/** The errors and warnings of engines, by the job that reported them. */
import type { Diagnostic } from "../../model/plan/diagnostic.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";

/** The origin of diagnostics. */
export interface DiagnosticsOf {
  runId: string;
  jobId: string;
  /** The plan that was made; `null` if none was. */
  planVersion: number | null;
}

/** Stores the diagnostics of a job. */
export async function insertDiagnostics(
  tx: Transaction,
  { runId, jobId, planVersion }: DiagnosticsOf,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  await tx.sql
    .insertInto("run_diagnostics")
    .values({ run_id: runId, job_id: jobId, plan_version: planVersion, diagnostics: JSON.stringify(diagnostics) })
    .execute();
}

/** Lists the diagnostics of each run, oldest first, without those of plans that a newer one replaced. */
export async function listRunDiagnostics(reader: Reader, runIds: readonly string[]): Promise<Diagnostic[][]> {
  const rows = await reader.sql
    .selectFrom("run_diagnostics")
    .innerJoin("run", "run.id", "run_diagnostics.run_id")
    .select(["run_diagnostics.run_id", "run_diagnostics.diagnostics"])
    .where("run_diagnostics.run_id", "in", runIds)
    .where((eb) =>
      eb.or([
        eb("run_diagnostics.plan_version", "is", null),
        eb("run_diagnostics.plan_version", "=", eb.ref("run.plan_version")),
      ]),
    )
    // Ids of jobs are in the order of their claims.
    .orderBy("run_diagnostics.job_id")
    .execute();
  return grouped(runIds, rows, (row) => row.run_id).map((group) => group.flatMap(({ diagnostics }) => diagnostics));
}

/** Lists the diagnostics of each plan. */
export async function listPlanDiagnostics(reader: Reader, planIds: readonly string[]): Promise<Diagnostic[][]> {
  const rows = await reader.sql
    .selectFrom("plan")
    .innerJoin("run_diagnostics", (join) =>
      join
        .onRef("run_diagnostics.run_id", "=", "plan.run_id")
        .onRef("run_diagnostics.plan_version", "=", "plan.version"),
    )
    .select(["plan.id", "run_diagnostics.diagnostics"])
    .where("plan.id", "in", planIds)
    .execute();
  return grouped(planIds, rows, (row) => row.id).map((group) => group.flatMap(({ diagnostics }) => diagnostics));
}
