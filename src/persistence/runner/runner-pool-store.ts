import type { Selectable } from "kysely";
import type { RunnerPool } from "../../model/runner/runner.ts";
import type { WorkspaceName } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function toRunnerPool(row: Selectable<Tables["runner_pool"]>): RunnerPool {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    reserved: row.reserved,
    driftCheckLimit: row.drift_check_limit,
    createdAt: row.created_at,
  };
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("runner_pool").selectAll().where("deleted_at", "is", null);
}

/** Throws a unique violation of `runner_pool_name` where the organization has a pool of that name. */
export async function insertRunnerPool(tx: Transaction, pool: RunnerPool): Promise<void> {
  await tx.sql
    .insertInto("runner_pool")
    .values({
      id: pool.id,
      organization_id: pool.organizationId,
      name: pool.name,
      description: pool.description,
      reserved: pool.reserved,
      drift_check_limit: pool.driftCheckLimit,
      created_at: pool.createdAt,
    })
    .execute();
}

/** Throws as `insertRunnerPool` does. */
export async function updateRunnerPoolRow(
  tx: Transaction,
  id: string,
  { name, description, reserved, driftCheckLimit }: Omit<RunnerPool, "id" | "organizationId" | "createdAt">,
): Promise<void> {
  const set = { name, description, reserved, drift_check_limit: driftCheckLimit };
  await tx.sql.updateTable("runner_pool").set(set).where("id", "=", id).execute();
}

/** Marks it as deleted. Its rows stay, no query finds it any more, and its name is free. */
export async function markRunnerPoolDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("runner_pool").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Locks the row against every change, and against `holdRunnerPool`. */
export async function lockRunnerPool(tx: Transaction, id: string): Promise<RunnerPool | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toRunnerPool(row);
}

/** Keeps a pool from being deleted until the end of the transaction; null where there is none. */
export async function holdRunnerPool(tx: Transaction, id: string): Promise<RunnerPool | null> {
  const row = await kept(tx).where("id", "=", id).forShare().executeTakeFirst();
  return row === undefined ? null : toRunnerPool(row);
}

export async function findRunnerPools(reader: Reader, ids: readonly string[]): Promise<(RunnerPool | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toRunnerPool), (pool) => pool.id);
}

/** By name. */
export async function listRunnerPools(reader: Reader, organizationIds: readonly string[]): Promise<RunnerPool[][]> {
  const rows = await kept(reader).where("organization_id", "in", organizationIds).orderBy("name").execute();
  return grouped(organizationIds, rows.map(toRunnerPool), (pool) => pool.organizationId);
}

export async function countRunnerPools(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("runner_pool")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The workspaces that run on the pool, the first few by name. */
export async function listWorkspacesOfPool(reader: Reader, poolId: string, limit: number): Promise<WorkspaceName[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .select(["id", "organization_id", "project_id", "name"])
    .where("runner_pool_id", "=", poolId)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    name: row.name,
  }));
}

/** A run that a runner of the pool works on; null: none. */
export async function findRunAtWork(reader: Reader, poolId: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("job")
    .innerJoin("runner", "runner.id", "job.runner_id")
    .select("run_id")
    .where("runner.pool_id", "=", poolId)
    .where("job.ended_at", "is", null)
    .orderBy("job.id")
    .executeTakeFirst();
  return row?.run_id ?? null;
}
