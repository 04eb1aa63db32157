import { sql } from "kysely";
import { APPROVAL_DECISIONS, type Approval, GATES } from "../model/approval.ts";
import { word } from "./closed-set.ts";
import type { Reader, Transaction } from "./database.ts";
import { grouped, inOrder } from "./group.ts";

/** Approvals with whether they count: only of the newest plan, and only an actor's newest decision at a gate. */
function approvals(reader: Reader) {
  return reader.sql
    .selectFrom("approval")
    .innerJoin("run", "run.id", "approval.run_id")
    .selectAll("approval")
    .select((eb) =>
      eb
        .and([
          eb("approval.plan_version", "=", eb.ref("run.plan_version")),
          // A replan that was asked for voids the approvals before its plan exists.
          sql<boolean>`not (run.finished_at is null and run.leg = 'REPLAN' and run.status in ('REPLAN_REQUESTED', 'PREPARING', 'INITIALIZING', 'PLANNING'))`,
          eb.not(
            eb.exists(
              eb
                .selectFrom("approval as newer")
                .select("newer.id")
                .whereRef("newer.run_id", "=", "approval.run_id")
                .whereRef("newer.gate", "=", "approval.gate")
                .whereRef("newer.actor_id", "=", "approval.actor_id")
                .whereRef("newer.id", ">", "approval.id"),
            ),
          ),
        ])
        .as("counts"),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof approvals>["execute"]>>[number];

function toApproval(row: Row): Approval {
  return {
    id: row.id,
    runId: row.run_id,
    gate: word(GATES, row.gate),
    decision: word(APPROVAL_DECISIONS, row.decision),
    actorId: row.actor_id,
    comment: row.comment,
    planVersion: row.plan_version,
    planDigest: row.plan_digest,
    at: row.at,
    counts: Boolean(row.counts),
  };
}

export async function insertApproval(tx: Transaction, approval: Omit<Approval, "counts">): Promise<void> {
  await tx.sql
    .insertInto("approval")
    .values({
      id: approval.id,
      run_id: approval.runId,
      gate: approval.gate,
      decision: approval.decision,
      actor_id: approval.actorId,
      comment: approval.comment,
      plan_version: approval.planVersion,
      plan_digest: approval.planDigest,
      at: approval.at,
    })
    .execute();
}

export async function findApprovals(reader: Reader, ids: readonly string[]): Promise<(Approval | null)[]> {
  const rows = await approvals(reader).where("approval.id", "in", ids).execute();
  return inOrder(ids, rows.map(toApproval), (approval) => approval.id);
}

/** Oldest first. */
export async function listApprovals(reader: Reader, runIds: readonly string[]): Promise<Approval[][]> {
  const rows = await approvals(reader).where("approval.run_id", "in", runIds).orderBy("approval.id").execute();
  return grouped(runIds, rows.map(toApproval), (approval) => approval.runId);
}
