import { sql } from "kysely";
import type { Transaction } from "../database/database.ts";

export interface IdempotencyKey {
  workspaceId: string;
  actorId: string;
  key: string;
}

/** The request that used the key since `since`; the row of the workspace must be locked. */
export async function findIdempotencyKey(
  tx: Transaction,
  { workspaceId, actorId, key }: IdempotencyKey,
  since: string,
): Promise<{ requestDigest: string; runId: string } | null> {
  const row = await tx.sql
    .selectFrom("idempotency_key")
    .select(["request_digest", "run_id"])
    .where("workspace_id", "=", workspaceId)
    .where("actor_id", "=", actorId)
    .where("key", "=", key)
    .where("created_at", ">=", since)
    .executeTakeFirst();
  return row === undefined ? null : { requestDigest: row.request_digest, runId: row.run_id };
}

/** Notes the use of a key; one that had expired is replaced. */
export async function putIdempotencyKey(
  tx: Transaction,
  { workspaceId, actorId, key }: IdempotencyKey,
  use: { requestDigest: string; runId: string; at: string },
): Promise<void> {
  const values = { request_digest: use.requestDigest, run_id: use.runId, created_at: use.at };
  await tx.sql
    .insertInto("idempotency_key")
    .values({ workspace_id: workspaceId, actor_id: actorId, key, ...values })
    .onConflict((conflict) => conflict.columns(["workspace_id", "actor_id", "key"]).doUpdateSet(values))
    .execute();
}

/**
 * Removes so many keys at most that were used before an instant; gives how many. Without an index: the oldest rows are
 * the first of the table, and there are never more than those of a day and of what is being removed.
 */
export async function removeIdempotencyKeys(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_key where ctid = any (array(
      select ctid from idempotency_key where created_at < ${before} limit ${limit} for update skip locked
    ))
  `.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}
