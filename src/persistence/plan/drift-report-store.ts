/** The reports of checks for drift. */
import type { Selectable } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { Placed } from "../../model/people/place.ts";
import { RESOURCE_ACTIONS } from "../../model/plan/plan.ts";
import { DRIFT_ACTIONS } from "../../model/plan/resource-drift.ts";
import { DRIFT_RESULTS, type DriftedResource, type DriftReport } from "../../model/workspace/drift-report.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { inOrder } from "../database/group.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Tables } from "../database/tables.ts";
import { inParts } from "./sized-rows.ts";

type Row = Selectable<Tables["drift_report"]>;

function toReport(row: Row): DriftReport {
  return {
    id: row.id,
    runId: row.run_id,
    workspaceId: row.workspace_id,
    result: word(DRIFT_RESULTS, row.result),
    resourceCount: row.resource_count,
    outputCount: row.output_count,
    ignoredCount: row.ignored_count,
    fingerprint: row.fingerprint,
    outputs: row.outputs,
    createdAt: row.created_at,
    changesetId: row.changeset_id,
  };
}

/** A report to store, with its resources in the order in which they are listed. */
export type NewDriftReport = Omit<DriftReport, "changesetId"> & {
  resources: readonly DriftedResource[];
  reconcileDue: boolean;
};

export async function insertDriftReport(tx: Transaction, report: NewDriftReport): Promise<void> {
  await tx.sql
    .insertInto("drift_report")
    .values({
      id: report.id,
      run_id: report.runId,
      workspace_id: report.workspaceId,
      result: report.result,
      resource_count: report.resourceCount,
      output_count: report.outputCount,
      ignored_count: report.ignoredCount,
      fingerprint: report.fingerprint,
      outputs: report.outputs,
      created_at: report.createdAt,
      reconcile_due: report.reconcileDue,
    })
    .execute();
  const rows = report.resources.map(({ address, type, change, plannedAction, paths }, index) => {
    return { report_id: report.id, position: index + 1, address, type, change, planned_action: plannedAction, paths };
  });
  for (const part of inParts(rows)) await tx.sql.insertInto("drifted_resource").values(part).execute();
}

export async function findDriftReports(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<DriftReport> | null)[]> {
  const rows = await reader.sql
    .selectFrom("drift_report")
    .innerJoin("run", "run.id", "drift_report.run_id")
    .selectAll("drift_report")
    .select(PLACE_OF_RUN)
    .where("drift_report.id", "in", ids)
    .where(inKeptWorkspace("run.workspace_id"))
    .execute();
  return placedInOrder(ids, rows, toReport);
}

/** Finds the report of each run; `null` where it is no check, or has none. */
export async function findReportsOfRuns(reader: Reader, runIds: readonly string[]): Promise<(DriftReport | null)[]> {
  const rows = await reader.sql.selectFrom("drift_report").selectAll().where("run_id", "in", runIds).execute();
  return inOrder(runIds, rows.map(toReport), ({ runId }) => runId);
}

/** Finds the newest report of each workspace. */
export async function findNewestReports(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(DriftReport | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("drift_report")
          .selectAll()
          .whereRef("drift_report.workspace_id", "=", "workspace.id")
          .orderBy("drift_report.id", "desc")
          .limit(1)
          .as("newest"),
      (join) => join.onTrue(),
    )
    .selectAll("newest")
    .where("workspace.id", "in", workspaceIds)
    .execute();
  return inOrder(workspaceIds, rows.map(toReport), ({ workspaceId }) => workspaceId);
}

/** Lists the addresses of all resources that a report lists. */
export async function listDriftedAddresses(reader: Reader, reportId: string): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("drifted_resource")
    .select("address")
    .where("report_id", "=", reportId)
    .orderBy("position")
    .execute();
  return rows.map(({ address }) => address);
}

/** A resource with its place in its report, from 1, by address. */
export type PlacedResource = DriftedResource & { position: number };

export async function listDriftedResources(
  reader: Reader,
  reportId: string,
  page: PageRequest<number>,
): Promise<Page<PlacedResource>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("drifted_resource")
    .selectAll()
    .where("report_id", "=", reportId)
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(
    page,
    rows.map((row) => ({
      position: row.position,
      address: row.address,
      type: row.type,
      change: wordOrNull(DRIFT_ACTIONS, row.change),
      plannedAction: wordOrNull(RESOURCE_ACTIONS, row.planned_action),
      paths: row.paths,
    })),
  );
}

/** Lists reports whose drift a run is to undo, oldest first, where no other run is live that may change something. */
export async function listDueReconciliations(
  reader: Reader,
  limit: number,
): Promise<Pick<DriftReport, "id" | "workspaceId">[]> {
  const rows = await reader.sql
    .selectFrom("drift_report")
    .select(["id", "workspace_id"])
    .where("reconcile_due", "=", true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "drift_report.workspace_id")
            .where("run.finished_at", "is", null)
            .where("run.kind", "<>", "PLAN"),
        ),
      ),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, workspace_id: workspaceId }) => ({ id, workspaceId }));
}

/** Takes the report off the list of those whose drift is to be undone; `false` if it was not on it. */
export async function takeReconciliation(tx: Transaction, reportId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("drift_report")
    .set({ reconcile_due: false })
    .where("id", "=", reportId)
    .where("reconcile_due", "=", true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes which changeset undoes the drift of a report. */
export async function setReconciler(tx: Transaction, reportId: string, changesetId: string): Promise<void> {
  await tx.sql.updateTable("drift_report").set({ changeset_id: changesetId }).where("id", "=", reportId).execute();
}
