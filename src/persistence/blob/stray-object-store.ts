/** Notes about objects that nobody may point to: written before one is put, and by the database when its blob goes. */
import type { Reader, Transaction } from "../database/database.ts";

/** Before the object is put: where nobody says otherwise until `dueAt`, it is removed. */
export async function noteObject(reader: Reader, blobId: string, dueAt: string): Promise<void> {
  await reader.sql.insertInto("stray_object").values({ blob_id: blobId, due_at: dueAt }).execute();
}

/** The object is pointed to from now on. False where somebody has begun to remove it. */
export async function keepObject(tx: Transaction, blobId: string): Promise<boolean> {
  const kept = await tx.sql
    .deleteFrom("stray_object")
    .where("blob_id", "=", blobId)
    .where("removing_at", "is", null)
    .executeTakeFirst();
  return kept.numDeletedRows === 1n;
}

/** Whoever put the object has no use for it. */
export async function dropObject(reader: Reader, blobId: string, at: string): Promise<void> {
  await reader.sql.updateTable("stray_object").set({ due_at: at }).where("blob_id", "=", blobId).execute();
}

/** Ids of objects to be removed, which from now on are nobody's; those that were taken before `stuck` once more. */
export async function claimStrayObjects(
  tx: Transaction,
  { at, stuck, limit }: { at: string; stuck: string; limit: number },
): Promise<string[]> {
  const due = await tx.sql
    .selectFrom("stray_object")
    .select("blob_id")
    .where("due_at", "<=", at)
    .where((eb) => eb.or([eb("removing_at", "is", null), eb("removing_at", "<", stuck)]))
    // Those that nobody could remove so far do not stand before the others.
    .orderBy("removing_at", (order) => order.asc().nullsFirst())
    .orderBy("due_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = due.map((row) => row.blob_id);
  if (ids.length > 0) {
    await tx.sql.updateTable("stray_object").set({ removing_at: at }).where("blob_id", "in", ids).execute();
  }
  return ids;
}

/** They are gone. */
export async function forgetObjects(reader: Reader, blobIds: readonly string[]): Promise<void> {
  if (blobIds.length === 0) return;
  await reader.sql.deleteFrom("stray_object").where("blob_id", "in", blobIds).execute();
}
