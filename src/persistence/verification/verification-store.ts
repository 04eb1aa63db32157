/** Verifications of applies, which servers lease while they probe. */
import { type Selectable, sql } from "kysely";
import type { Placed } from "../../model/people/place.ts";
import type { RequiredProbe } from "../../model/verification/required-probe.ts";
import { VERIFICATION_STATUSES, type Verification } from "../../model/verification/verification.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "id",
  "run_id",
  "status",
  "settings",
  "baseline_passed",
  "probes",
  "created_at",
  "started_at",
  "ends_at",
  "finished_at",
  "reason",
  "concluded_by",
  "comment",
] as const;
/** The work of runners. */
const SAMPLE_COLUMNS = ["samples_due_at", "samples_lease_id", "samples_lease_until", "samples_fence"] as const;
type Row = Pick<Selectable<Tables["verification"]>, (typeof COLUMNS)[number]>;
const QUALIFIED = COLUMNS.map((column) => `verification.${column}` as const);

function toVerification(row: Row): Verification {
  return {
    id: row.id,
    runId: row.run_id,
    status: word(VERIFICATION_STATUSES, row.status),
    settings: row.settings,
    baselinePassed: row.baseline_passed,
    probes: row.probes,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    finishedAt: row.finished_at,
    reason: row.reason,
    concludedById: row.concluded_by,
    comment: row.comment,
  };
}

/** Inserts the verification of an approved run; one that exists is left as it is. */
export async function insertVerification(
  tx: Transaction,
  { id, runId, settings, createdAt }: Pick<Verification, "id" | "runId" | "settings" | "createdAt">,
): Promise<void> {
  await tx.sql
    .insertInto("verification")
    .values({
      id,
      run_id: runId,
      status: "PENDING",
      settings: JSON.stringify(settings),
      created_at: createdAt,
      due_at: createdAt,
    })
    .onConflict((conflict) => conflict.column("run_id").doNothing())
    .execute();
  tx.announce("verifications");
}

/** Deletes the verification of a run that is not approved any more. */
export async function deleteVerification(tx: Transaction, runId: string): Promise<void> {
  await tx.sql.deleteFrom("verification").where("run_id", "=", runId).execute();
}

/** A verification whose row is locked, with the number of its newest lease. */
export interface LockedVerification extends Verification {
  fence: number;
  dueAt: string | null;
  /** Those of the workspace when the apply ended; empty before. */
  requiredProbes: readonly RequiredProbe[];
  /** The part of runners: when it is due, and its newest lease. */
  samples: { dueAt: string | null; leaseId: string | null; leaseUntil: string | null; fence: number };
}

/** Locks the verification of a run, whose row must be locked before; `null` if it has none. */
export async function lockVerification(tx: Transaction, runId: string): Promise<LockedVerification | null> {
  const row = await tx.sql
    .selectFrom("verification")
    .select([...COLUMNS, "fence", "due_at", "required_probes", ...SAMPLE_COLUMNS])
    .where("run_id", "=", runId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const samples = {
    dueAt: row.samples_due_at,
    leaseId: row.samples_lease_id,
    leaseUntil: row.samples_lease_until,
    fence: row.samples_fence,
  };
  return { ...toVerification(row), fence: row.fence, dueAt: row.due_at, requiredProbes: row.required_probes, samples };
}

/**
 * Writes a verification, whose row must be locked, and ends its lease. One that is not verified any more is not sampled by
 * runners either. `dueAt`: `null` if no server does anything.
 * `rollbackTo`: the run to which a server makes the workspace go back.
 */
export async function updateVerification(
  tx: Transaction,
  verification: Verification,
  dueAt: string | null,
  rollbackTo: string | null = null,
): Promise<void> {
  await tx.sql
    .updateTable("verification")
    .set({
      status: verification.status,
      baseline_passed: verification.baselinePassed,
      probes: JSON.stringify(verification.probes),
      started_at: verification.startedAt,
      ends_at: verification.endsAt,
      finished_at: verification.finishedAt,
      reason: verification.reason,
      concluded_by: verification.concludedById,
      comment: verification.comment,
      due_at: dueAt,
      rollback_to: rollbackTo,
      lease_id: null,
      lease_until: null,
      ...(!isSampled(verification) && { samples_due_at: null, samples_lease_id: null, samples_lease_until: null }),
    })
    .where("id", "=", verification.id)
    .execute();
  if (dueAt !== null) tx.announce("verifications");
}

function isSampled({ status }: Verification): boolean {
  return status === "PENDING" || status === "RUNNING";
}

/** Writes the probes that decide the verification. The row must be locked. */
export async function setRequiredProbes(
  tx: Transaction,
  id: string,
  required: readonly RequiredProbe[],
): Promise<void> {
  await tx.sql
    .updateTable("verification")
    .set({ required_probes: JSON.stringify(required) })
    .where("id", "=", id)
    .execute();
}

/** Notes that the run to go back is created, or that there will be none. The row must be locked. */
export async function setRollbackDone(tx: Transaction, id: string): Promise<void> {
  await tx.sql
    .updateTable("verification")
    .set({ rollback_to: null, due_at: null, lease_id: null, lease_until: null })
    .where("id", "=", id)
    .execute();
}

/** Makes the verification of a run due at once, if a server has something to do for it. */
export async function hastenVerification(tx: Transaction, runId: string, at: string): Promise<void> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("verification")
    .set({ due_at: at })
    .where("run_id", "=", runId)
    .where("status", "=", "RUNNING")
    .where("due_at", ">", at)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) tx.announce("verifications");
}

/** A verification that a server has. */
export interface LeasedVerification {
  id: string;
  runId: string;
  fence: number;
  /** The run to which the workspace goes back, because it failed; `null` if it does not. */
  rollbackTo: string | null;
}

interface Lease {
  /** The server. */
  by: string;
  at: string;
  /** Until when the verifications belong to it. */
  until: string;
}

/** Takes verifications that are due and belong to no other server. */
export async function leaseVerifications(
  statement: Statement,
  { by, at, until }: Lease,
  atMost: number,
): Promise<LeasedVerification[]> {
  const { rows } = await sql<{ id: string; run_id: string; fence: number; rollback_to: string | null }>`
    update verification set lease_id = ${by}, lease_until = ${until}, fence = fence + 1
    where id in (
      select id from verification
      where due_at <= ${at} and (lease_until is null or lease_until <= ${at})
      order by due_at limit ${atMost} for update skip locked
    )
    returning id, run_id, fence, rollback_to`.execute(statement.sql);
  return rows.map(({ id, run_id: runId, fence, rollback_to: rollbackTo }) => ({ id, runId, fence, rollbackTo }));
}

/** Gives back the verifications that a server has: others may take them at once. */
export async function releaseVerifications(statement: Statement, by: string): Promise<void> {
  await statement.sql
    .updateTable("verification")
    .set({ lease_id: null, lease_until: null })
    .where("lease_id", "=", by)
    .execute();
}

/** When the next verification is due; `null` if none is. One that a server has at `at` is due at the end of its lease. */
export async function findNextVerification(reader: Reader, at: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("verification")
    .select((eb) => eb.fn<string>("greatest", ["due_at", "lease_until"]).as("due"))
    .where("due_at", "is not", null)
    .orderBy("due")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : row.due < at ? at : row.due;
}

/** Finds the verifications of kept workspaces, with their place. */
export async function findVerifications(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<Verification> | null)[]> {
  const rows = await reader.sql
    .selectFrom("verification")
    .innerJoin("run", "run.id", "verification.run_id")
    .innerJoin("workspace", "workspace.id", "run.workspace_id")
    .select([...QUALIFIED, ...PLACE_OF_RUN])
    .where("verification.id", "in", ids)
    .where("workspace.deleted_at", "is", null)
    .execute();
  return placedInOrder(ids, rows, toVerification);
}

/** Finds the verification of each run; `null` for a run without one. */
export async function findVerificationsOfRuns(
  reader: Reader,
  runIds: readonly string[],
): Promise<(Verification | null)[]> {
  const rows = await reader.sql.selectFrom("verification").select(COLUMNS).where("run_id", "in", runIds).execute();
  return inOrder(runIds, rows.map(toVerification), ({ runId }) => runId);
}
