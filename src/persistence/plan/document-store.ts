/** Documents of plans: the engine's description of a plan, masked. Their bytes are blobs. */
import { type Selectable, sql } from "kysely";
import type { CostEstimate } from "../../model/policy/cost-estimate.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

/** The facts about a document, beside its bytes. */
export interface DocumentFacts {
  /** Its size without compression. */
  rawBytes: number;
  /** Names of the parts that were left out. */
  truncated: string[];
  cost: CostEstimate | null;
}

export interface NewJobDocument extends DocumentFacts {
  jobId: string;
  runId: string;
  blobId: string;
  actionInvocations: number;
}

/** Stores the document of the plan that a job reports next. Returns the blob of the one that it replaces. */
export async function putJobDocument(tx: Transaction, document: NewJobDocument): Promise<string | null> {
  const former = await tx.sql
    .deleteFrom("job_document")
    .where("job_id", "=", document.jobId)
    .returning("blob_id")
    .execute();
  await tx.sql
    .insertInto("job_document")
    .values({
      job_id: document.jobId,
      run_id: document.runId,
      blob_id: document.blobId,
      raw_bytes: document.rawBytes,
      truncated: document.truncated,
      action_invocations: document.actionInvocations,
      cost: document.cost === null ? null : JSON.stringify(document.cost),
    })
    .execute();
  return former[0]?.blob_id ?? null;
}

const taking = prepared((db, slot: Slot<{ jobId: string; planId: string; hasCost: boolean; at: string }>) =>
  db
    .with("taken", (cte) => cte.deleteFrom("job_document").where("job_id", "=", slot("jobId")).returningAll())
    .with("stored", (cte) =>
      cte
        .insertInto("plan_document")
        .columns(["plan_id", "blob_id", "raw_bytes", "truncated", "cost", "created_at"])
        .expression((eb) =>
          eb
            .selectFrom("taken")
            .select([
              sql<string>`${slot("planId")}::text`.as("plan_id"),
              "blob_id",
              "raw_bytes",
              "truncated",
              sql<string | null>`case when ${slot("hasCost")}::boolean then cost end`.as("cost"),
              sql<string>`${slot("at")}::timestamptz`.as("created_at"),
            ]),
        ),
    )
    .selectFrom("taken")
    .select("action_invocations"),
);

/**
 * Makes the document that a job has sent that of its plan. Returns how many action invocations it lists; `null` if the
 * job has sent none. `hasCost`: its cost is that of the whole configuration.
 */
export async function takeJobDocument(
  tx: Transaction,
  document: { jobId: string; planId: string; hasCost: boolean; at: string },
): Promise<number | null> {
  const [row] = await taking(tx, document);
  return row?.action_invocations ?? null;
}

export interface PlanDocumentRow extends DocumentFacts {
  planId: string;
  /** `null` if retention has removed it. */
  blobId: string | null;
}

function toDocument(row: Selectable<Tables["plan_document"]>): PlanDocumentRow {
  return {
    planId: row.plan_id,
    blobId: row.blob_id,
    rawBytes: row.raw_bytes,
    truncated: row.truncated,
    cost: row.check_cost ?? row.cost,
  };
}

export async function findPlanDocument(reader: Reader, planId: string): Promise<PlanDocumentRow | null> {
  const row = await reader.sql.selectFrom("plan_document").selectAll().where("plan_id", "=", planId).executeTakeFirst();
  return row === undefined ? null : toDocument(row);
}

/** The estimated costs of plans. That of an external check replaces that of a hook. */
export async function findPlanCosts(reader: Reader, planIds: readonly string[]): Promise<(CostEstimate | null)[]> {
  const rows = await reader.sql
    .selectFrom("plan_document")
    .select(["plan_id", (eb) => eb.fn.coalesce("check_cost", "cost").as("cost")])
    .where("plan_id", "in", planIds)
    .execute();
  return inOrder(planIds, rows, (row) => row.plan_id).map((row) => row?.cost ?? null);
}

/** Removes the bytes of documents of these runs; what is known of them stays. Their blobs are removed by the caller. */
export async function removeDocuments(tx: Transaction, runIds: readonly string[]): Promise<void> {
  await tx.sql
    .updateTable("plan_document")
    .set({ blob_id: null })
    .where("plan_id", "in", (eb) => eb.selectFrom("plan").select("id").where("run_id", "in", runIds))
    .where("blob_id", "is not", null)
    .execute();
  await tx.sql.deleteFrom("job_document").where("run_id", "in", runIds).execute();
}
