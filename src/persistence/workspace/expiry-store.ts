/** Workspaces that expire: how far each is, and what is due. */
import type { Expiry } from "../../model/workspace/expiry.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Sets the progress of an expiry, and when its next step is due; `null`: it does not expire, or nothing is left to do. */
export async function setExpiry(
  tx: Transaction,
  workspaceId: string,
  expiry: Expiry | null,
  { dueAt, problem }: { dueAt: string | null; problem: string | null },
): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({
      expires_at: expiry?.expiresAt ?? null,
      expiry: expiry === null ? null : JSON.stringify(expiry),
      expiry_due_at: dueAt,
      expiry_problem: problem,
    })
    .where("id", "=", workspaceId)
    .execute();
}

/** Lists ids of workspaces whose next step is due, the longest overdue first. */
export async function listDueExpiries(reader: Reader, at: string, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .select("id")
    .where("expiry_due_at", "<=", at)
    .orderBy("expiry_due_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** The progress of an expiry whose step is due; `null` if there is none. The workspace's row must be locked. */
export async function findDueExpiry(tx: Transaction, workspaceId: string, at: string): Promise<Expiry | null> {
  const row = await tx.sql
    .selectFrom("workspace")
    .select("expiry")
    .where("id", "=", workspaceId)
    .where("expiry_due_at", "<=", at)
    .executeTakeFirst();
  return row?.expiry ?? null;
}
