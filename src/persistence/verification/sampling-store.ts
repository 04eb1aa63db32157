/** Verifications as runners sample them: which are due for a runner, and its lease. */
import { sql } from "kysely";
import type { ProbeProgress } from "../../model/verification/verification.ts";
import type { SamplingRunners } from "../../model/verification/sampling.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** A runner as far as it decides which workspaces it samples. */
export interface SamplingRunner {
  /** `null`: shared by all organizations. */
  pool: { id: string; organizationId: string; reserved: boolean } | null;
  labels: readonly string[];
}

/**
 * Finds the verification that is due first for a runner, and when; `null` if none will be. What the attempt `leaseId` has got
 * is due at once, what another one has got at the end of its lease. Nothing is locked.
 */
export async function findDueSampling(
  reader: Reader,
  { pool, labels }: SamplingRunner,
  leaseId: string,
): Promise<{ runId: string; dueAt: string } | null> {
  const { rows } = await sql<{ run_id: string; due: string }>`
    select v.run_id, case when v.samples_lease_id = ${leaseId} then v.samples_due_at
      else greatest(v.samples_due_at, v.samples_lease_until) end as due
    from verification v join run r on r.id = v.run_id join workspace w on w.id = r.workspace_id
    where v.samples_due_at is not null
      and runner_takes(${pool?.id ?? null}, ${pool?.organizationId ?? null}, ${pool?.reserved ?? null},
        ${labels}::text[], w.organization_id, w.runner_pool_id, w.runner_labels)
    order by due, v.id limit 1`.execute(reader.sql);
  const [row] = rows;
  return row === undefined ? null : { runId: row.run_id, dueAt: row.due };
}

/** Finds the run of a verification; `null` if there is none. */
export async function findRunOfVerification(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.sql.selectFrom("verification").select("run_id").where("id", "=", id).executeTakeFirst();
  return row?.run_id ?? null;
}

/** Makes a verification due for runners, and ends the lease of one that has it. `null`: they have nothing to do. */
export async function offerSamples(tx: Transaction, id: string, dueAt: string | null): Promise<void> {
  await tx.sql
    .updateTable("verification")
    .set({ samples_due_at: dueAt, samples_lease_id: null, samples_lease_until: null })
    .where("id", "=", id)
    .execute();
  if (dueAt !== null) tx.announce("verification-samples");
}

/** Gives a verification to a runner with the targets that it samples, and returns the new fence. The row must be locked. */
export async function leaseSamples(
  tx: Transaction,
  id: string,
  { leaseId, until, probes }: { leaseId: string; until: string; probes: readonly ProbeProgress[] },
): Promise<number> {
  const { samples_fence: fence } = await tx.sql
    .updateTable("verification")
    .set((eb) => ({
      probes: JSON.stringify(probes),
      samples_lease_id: leaseId,
      samples_lease_until: until,
      samples_fence: eb("samples_fence", "+", 1),
    }))
    .where("id", "=", id)
    .returning("samples_fence")
    .executeTakeFirstOrThrow();
  return fence;
}

/** Writes what a runner found and leaves the lease of the server as it is. The row must be locked. */
export async function recordSamples(
  tx: Transaction,
  id: string,
  { probes, baselinePassed }: { probes: readonly ProbeProgress[]; baselinePassed: boolean | null },
): Promise<void> {
  await tx.sql
    .updateTable("verification")
    .set({ probes: JSON.stringify(probes), baseline_passed: baselinePassed })
    .where("id", "=", id)
    .execute();
}

/** Notes that a runner asks for probes. */
export async function noteProbesOffered(reader: Reader, runnerId: string, at: string): Promise<void> {
  await reader.sql.updateTable("runner").set({ probes_at: at }).where("id", "=", runnerId).execute();
}

/** Reads the runners that a workspace asks for, and whether one of them has asked for probes since an instant. */
export async function findSamplingRunners(
  reader: Reader,
  workspaceId: string,
  since: string,
): Promise<SamplingRunners> {
  const { rows } = await sql<{ names_pool: boolean; name: string | null; labels: string[]; is_offered: boolean }>`
    select w.runner_pool_id is not null as names_pool, p.name, w.runner_labels as labels, exists (
      select from runner r left join runner_pool own on own.id = r.pool_id
      where runner_takes(r.pool_id, own.organization_id, own.reserved, r.labels, w.organization_id, w.runner_pool_id,
          w.runner_labels)
        and r.probes_at >= ${since} and r.revoked_at is null and own.deleted_at is null
        and r.drain_requested_at is null and not r.draining
    ) as is_offered
    from workspace w left join runner_pool p on p.id = w.runner_pool_id and p.deleted_at is null
    where w.id = ${workspaceId}`.execute(reader.sql);
  const [row] = rows;
  if (row === undefined) throw new Error(`The workspace ${workspaceId} does not exist.`);
  return { namesPool: row.names_pool, poolName: row.name, labels: row.labels, isOffered: row.is_offered };
}
