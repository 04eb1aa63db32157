/** States as people see them: with who made them, and how large they are. */
import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { StateRollback, StateVersion } from "../../model/state/state-version.ts";
import type { Output } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<
  Selectable<Tables["state_version"]>,
  "job_id" | "imported_by" | "blob_id" | "outputs" | "secret_outputs_sealed"
> & {
  actor_id: string;
  organization_id: string;
  project_id: string;
  size: number;
  digest: string;
  is_current: boolean;
};

function select(reader: Reader) {
  return reader.sql
    .selectFrom("state_version as sv")
    .innerJoin("blob", "blob.id", "sv.blob_id")
    .innerJoin("workspace", "workspace.id", "sv.workspace_id")
    .leftJoin("run", "run.id", "sv.run_id")
    .select([
      "sv.id",
      "sv.workspace_id",
      "workspace.organization_id",
      "workspace.project_id",
      "sv.serial",
      "sv.lineage",
      "sv.run_id",
      "sv.resource_count",
      "sv.created_at",
      "blob.size",
      "blob.digest",
      sql<string>`coalesce(sv.imported_by, run.created_by)`.as("actor_id"),
      sql<boolean>`sv.serial = workspace.state_serial`.as("is_current"),
    ])
    .where("workspace.deleted_at", "is", null);
}

function toVersion(row: Row): StateVersion {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    serial: row.serial,
    lineage: row.lineage,
    runId: row.run_id,
    actorId: row.actor_id,
    createdAt: row.created_at,
    size: row.size,
    digest: row.digest,
    resourceCount: row.resource_count,
    isCurrent: row.is_current,
  };
}

/** Those of workspaces that were deleted are not found. */
export async function findStateVersions(reader: Reader, ids: readonly string[]): Promise<(StateVersion | null)[]> {
  const rows = await select(reader).where("sv.id", "in", ids).execute();
  return inOrder(ids, rows.map(toVersion), (version) => version.id);
}

/** The current one of each workspace. */
export async function findCurrentStates(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(StateVersion | null)[]> {
  const rows = await select(reader)
    .where("sv.workspace_id", "in", workspaceIds)
    .whereRef("sv.serial", "=", "workspace.state_serial")
    .execute();
  return inOrder(workspaceIds, rows.map(toVersion), (version) => version.workspaceId);
}

/** Newest first; positions are serials. */
export async function listStateVersions(
  reader: Reader,
  workspaceId: string,
  page: PageRequest<number>,
): Promise<Page<StateVersion>> {
  const { after, before } = page;
  const rows = await select(reader)
    .where("sv.workspace_id", "=", workspaceId)
    .$if(after !== null, (q) => q.where("sv.serial", "<", after ?? 0))
    .$if(before !== null, (q) => q.where("sv.serial", ">", before ?? 0))
    .orderBy("sv.serial", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toVersion));
}

/** They may be large, and most lists do without. */
export async function listStateOutputs(reader: Reader, versionIds: readonly string[]): Promise<Output[][]> {
  const rows = await reader.sql
    .selectFrom("state_version")
    .select(["id", "outputs"])
    .where("id", "in", versionIds)
    .execute();
  return inOrder(versionIds, rows, (row) => row.id).map((row) => row?.outputs ?? []);
}

/** The blob that holds a version. */
export async function findStateBlob(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.sql.selectFrom("state_version").select("blob_id").where("id", "=", id).executeTakeFirst();
  return row?.blob_id ?? null;
}

export async function insertStateRollback(tx: Transaction, runId: string, rollback: StateRollback): Promise<void> {
  await tx.sql
    .insertInto("state_rollback")
    .values({ run_id: runId, state_version_id: rollback.stateVersionId, state_serial: rollback.stateSerial })
    .execute();
}

/** null for a run that brings no state back. */
export async function findStateRollbacks(reader: Reader, runIds: readonly string[]): Promise<(StateRollback | null)[]> {
  const rows = await reader.sql.selectFrom("state_rollback").selectAll().where("run_id", "in", runIds).execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) =>
    row === null ? null : { stateVersionId: row.state_version_id, stateSerial: row.state_serial },
  );
}
