/** The results of check blocks, as plans and applies found them. */
import type { Selectable } from "kysely";
import type { CheckReport, FoundCheckBlocks } from "../../model/plan/check-block.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "check_report.after_apply",
  "check_report.count",
  "check_report.failed_count",
  "check_report.blocks",
] as const;
type Row = Pick<Selectable<Tables["check_report"]>, "after_apply" | "count" | "failed_count" | "blocks">;

function toReport({ after_apply: afterApply, count, failed_count: failedCount, blocks }: Row): CheckReport {
  return { afterApply, count, failedCount, blocks };
}

/** The run and the plan that check blocks were evaluated for. */
export interface CheckReportOf {
  runId: string;
  workspaceId: string;
  planVersion: number;
  afterApply: boolean;
}

export async function insertCheckReport(
  tx: Transaction,
  { runId, workspaceId, planVersion, afterApply }: CheckReportOf,
  { blocks, count, failedCount }: FoundCheckBlocks,
): Promise<void> {
  await tx.sql
    .insertInto("check_report")
    .values({
      run_id: runId,
      workspace_id: workspaceId,
      plan_version: planVersion,
      after_apply: afterApply,
      count,
      failed_count: failedCount,
      blocks: JSON.stringify(blocks),
    })
    .execute();
}

/**
 * Finds the report of each run: after its apply if there is one, else that of its newest plan, which for a run of kind
 * APPLY is the plan of another run. `null` where the configuration has no check blocks.
 */
export async function findCheckReports(reader: Reader, runIds: readonly string[]): Promise<(CheckReport | null)[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("check_report")
          .select(COLUMNS)
          .where((or) => or.or([or("run_id", "=", or.ref("run.id")), or("run_id", "=", or.ref("run.plan_run_id"))]))
          .where((or) =>
            or.or([
              or("after_apply", "=", true).and("run_id", "=", or.ref("run.id")),
              or("after_apply", "=", false).and("plan_version", "=", or.ref("run.plan_version")),
            ]),
          )
          .orderBy("after_apply", "desc")
          .limit(1)
          .as("check_report"),
      (join) => join.onTrue(),
    )
    .select(["run.id", ...COLUMNS])
    .where("run.id", "in", runIds)
    .execute();
  return inOrder(runIds, rows, ({ id }) => id).map((row) => (row === null ? null : toReport(row)));
}

/** Finds the report of the run of each workspace that was applied last; `null` where that found no check blocks. */
export async function findAppliedCheckReports(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(CheckReport | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("check_report")
          .select(["check_report.run_id", ...COLUMNS])
          .whereRef("check_report.workspace_id", "=", "workspace.id")
          .where("after_apply", "=", true)
          .orderBy("run_id", "desc")
          .limit(1)
          .as("check_report"),
      (join) => join.onTrue(),
    )
    .select(["workspace.id", ...COLUMNS])
    .where("workspace.id", "in", workspaceIds)
    // A later apply may have removed the check blocks.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace.id")
            .whereRef("run.id", ">", "check_report.run_id")
            .where("run.applied_at", "is not", null),
        ),
      ),
    )
    .execute();
  return inOrder(workspaceIds, rows, ({ id }) => id).map((row) => (row === null ? null : toReport(row)));
}
