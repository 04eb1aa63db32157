/** States that arrived from a runner after its lease. They are kept beside the versions until a person decides. */
import type { Selectable } from "kysely";
import type { Placed } from "../../model/people/place.ts";
import { RECOVERY_DECISIONS, type RecoveredState } from "../../model/state/recovered-state.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function toState(row: Selectable<Tables["recovered_state"]>): RecoveredState {
  const { decision, decided_by: actorId, decided_at: at, note } = row;
  const decided =
    decision === null || actorId === null || at === null
      ? null
      : { decision: word(RECOVERY_DECISIONS, decision), actorId, at, note };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    runId: row.run_id,
    jobId: row.job_id,
    runnerId: row.runner_id,
    blobId: row.blob_id,
    digest: row.digest,
    size: row.size,
    serial: row.serial,
    lineage: row.lineage,
    outputs: row.outputs,
    resourceCount: row.resource_count,
    receivedAt: row.received_at,
    decided,
  };
}

export async function insertRecoveredState(tx: Transaction, state: Omit<RecoveredState, "decided">): Promise<void> {
  await tx.sql
    .insertInto("recovered_state")
    .values({
      id: state.id,
      workspace_id: state.workspaceId,
      run_id: state.runId,
      job_id: state.jobId,
      runner_id: state.runnerId,
      blob_id: state.blobId,
      digest: state.digest,
      size: state.size,
      serial: state.serial,
      lineage: state.lineage,
      outputs: JSON.stringify(state.outputs),
      resource_count: state.resourceCount,
      received_at: state.receivedAt,
    })
    .execute();
}

/** The digests of the states that were recovered from a job, decided or not. */
export async function recoveredDigests(reader: Reader, jobId: string): Promise<string[]> {
  const rows = await reader.sql.selectFrom("recovered_state").select("digest").where("job_id", "=", jobId).execute();
  return rows.map(({ digest }) => digest);
}

/** Whether a job made a version of the state that has these very bytes. */
export async function isVersionOfJob(reader: Reader, workspaceId: string, jobId: string, digest: string) {
  const row = await reader.sql
    .selectFrom("state_version")
    .innerJoin("blob", "blob.id", "state_version.blob_id")
    .select("state_version.id")
    .where("state_version.workspace_id", "=", workspaceId)
    .where("state_version.job_id", "=", jobId)
    .where("blob.digest", "=", digest)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findRecoveredStates(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<RecoveredState> | null)[]> {
  const rows = await reader.sql
    .selectFrom("recovered_state")
    .innerJoin("workspace", "workspace.id", "recovered_state.workspace_id")
    .selectAll("recovered_state")
    .select(["workspace.organization_id", "workspace.project_id"])
    .where("recovered_state.id", "in", ids)
    .where("workspace.deleted_at", "is", null)
    .execute();
  const states = rows.map((row) => ({
    ...toState(row),
    organizationId: row.organization_id,
    projectId: row.project_id,
  }));
  return inOrder(ids, states, (state) => state.id);
}

/** Those of each workspace that wait for a decision, newest first, at most so many in all. */
export async function listUndecidedStates(
  reader: Reader,
  workspaceIds: readonly string[],
  atMost: number,
): Promise<RecoveredState[][]> {
  const rows = await reader.sql
    .selectFrom("recovered_state")
    .selectAll()
    .where("workspace_id", "in", workspaceIds)
    .where("decision", "is", null)
    .orderBy("id", "desc")
    .limit(atMost)
    .execute();
  return grouped(workspaceIds, rows.map(toState), (state) => state.workspaceId);
}

/** All of each run, oldest first: a bounded number, because each job may leave a few. */
export async function listRecoveredStates(reader: Reader, runIds: readonly string[]): Promise<RecoveredState[][]> {
  const rows = await reader.sql
    .selectFrom("recovered_state")
    .selectAll()
    .where("run_id", "in", runIds)
    .orderBy("id")
    .execute();
  return grouped(runIds, rows.map(toState), (state) => state.runId);
}

export async function countUndecidedStates(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("recovered_state")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("decision", "is", null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function decideRecoveredState(
  tx: Transaction,
  id: string,
  decided: NonNullable<RecoveredState["decided"]>,
): Promise<void> {
  await tx.sql
    .updateTable("recovered_state")
    .set({
      decision: decided.decision,
      decided_by: decided.actorId,
      decided_at: decided.at,
      note: decided.note,
    })
    .where("id", "=", id)
    .execute();
}
