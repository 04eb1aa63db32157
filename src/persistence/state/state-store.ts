import type { Selectable } from "kysely";
import type { Output } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

/** The engine's own lock on the state of a workspace: of a job and its run, or of a person. */
export interface StateLockRow {
  workspaceId: string;
  lockId: string;
  /** The engine's LockInfo. */
  info: Record<string, string>;
  runId: string | null;
  jobId: string | null;
  /** The person who has it; null where it is a job's. */
  actorId: string | null;
  since: string;
}

/** A state as it is kept. */
export interface StoredState {
  id: string;
  workspaceId: string;
  serial: number;
  lineage: string;
  /** The run and the job that made it; null where a person brought it. */
  runId: string | null;
  jobId: string | null;
  /** The person who brought it. */
  importedById: string | null;
  blobId: string;
  /** Sensitive values are null. */
  outputs: Output[];
  /** The sensitive values, by name, as they are sealed (`secret-outputs.ts`); absent: there are none. */
  secretOutputsSealed?: Buffer | null;
  /** How many resources it has, data sources not counted; `null` if they were not counted. */
  resourceCount: number | null;
  createdAt: string;
}

export async function insertStateVersion(tx: Transaction, version: StoredState): Promise<void> {
  await tx.sql
    .insertInto("state_version")
    .values({
      id: version.id,
      workspace_id: version.workspaceId,
      serial: version.serial,
      lineage: version.lineage,
      run_id: version.runId,
      job_id: version.jobId,
      imported_by: version.importedById,
      blob_id: version.blobId,
      outputs: JSON.stringify(version.outputs),
      ...(version.secretOutputsSealed && { secret_outputs_sealed: version.secretOutputsSealed }),
      resource_count: version.resourceCount,
      created_at: version.createdAt,
    })
    .execute();
}

/** The newest state of each workspace. */
export async function findNewestStates(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(StoredState | null)[]> {
  const rows = await reader.sql
    .selectFrom("state_version")
    .distinctOn("workspace_id")
    .selectAll()
    .where("workspace_id", "in", workspaceIds)
    .orderBy("workspace_id")
    .orderBy("serial", "desc")
    .execute();
  const versions = rows.map(
    (row): StoredState => ({
      id: row.id,
      workspaceId: row.workspace_id,
      serial: row.serial,
      lineage: row.lineage,
      runId: row.run_id,
      jobId: row.job_id,
      importedById: row.imported_by,
      blobId: row.blob_id,
      outputs: row.outputs,
      resourceCount: row.resource_count,
      createdAt: row.created_at,
    }),
  );
  return inOrder(workspaceIds, versions, (version) => version.workspaceId);
}

export async function findNewestState(reader: Reader, workspaceId: string): Promise<StoredState | null> {
  const [version = null] = await findNewestStates(reader, [workspaceId]);
  return version;
}

function toLock(row: Selectable<Tables["state_lock"]>): StateLockRow {
  return {
    workspaceId: row.workspace_id,
    lockId: row.lock_id,
    info: row.info,
    runId: row.run_id,
    jobId: row.job_id,
    actorId: row.actor_id,
    since: row.created_at,
  };
}

/**
 * Takes the state lock. Returns the lock that holds now, which is another's if there was one. One statement: a lock
 * that is seen by an insert may be released before a select.
 */
export async function takeStateLock(tx: Transaction, lock: StateLockRow): Promise<StateLockRow> {
  const row = await tx.sql
    .insertInto("state_lock")
    .values({
      workspace_id: lock.workspaceId,
      lock_id: lock.lockId,
      info: JSON.stringify(lock.info),
      run_id: lock.runId,
      job_id: lock.jobId,
      actor_id: lock.actorId,
      created_at: lock.since,
    })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet((eb) => ({ workspace_id: eb.ref("state_lock.workspace_id") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLock(row);
}

export async function findStateLocks(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(StateLockRow | null)[]> {
  const rows = await reader.sql
    .selectFrom("state_lock")
    .selectAll()
    .where("workspace_id", "in", workspaceIds)
    .execute();
  return inOrder(workspaceIds, rows.map(toLock), (lock) => lock.workspaceId);
}

/** Releases the lock of a workspace; with a job, only that job's. */
export async function releaseStateLock(tx: Transaction, workspaceId: string, jobId?: string): Promise<void> {
  if (jobId === undefined) await tx.sql.deleteFrom("state_lock").where("workspace_id", "=", workspaceId).execute();
  else await jobLockRelease(tx, { workspaceId, jobId });
}

const jobLockRelease = prepared((db, slot: Slot<{ workspaceId: string; jobId: string }>) =>
  db.deleteFrom("state_lock").where("workspace_id", "=", slot("workspaceId")).where("job_id", "=", slot("jobId")),
);
