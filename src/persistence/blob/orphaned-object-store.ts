/** Notes about objects without a row: written before an object is put, and by the database when its blob is deleted. */
import type { Reader, Transaction } from "../database/database.ts";

/** Notes an object before it is put: it is removed at `dueAt` unless it is kept before. */
export async function noteObject(reader: Reader, blobId: string, dueAt: string): Promise<void> {
  await reader.sql.insertInto("orphaned_object").values({ blob_id: blobId, due_at: dueAt }).execute();
}

/** Removes the note of an object that a row refers to from now on. False if its removal has begun. */
export async function keepObject(tx: Transaction, blobId: string): Promise<boolean> {
  const kept = await tx.sql
    .deleteFrom("orphaned_object")
    .where("blob_id", "=", blobId)
    .where("removing_at", "is", null)
    .executeTakeFirst();
  return kept.numDeletedRows === 1n;
}

/** Makes the removal of an unused object due. */
export async function dropObject(reader: Reader, blobId: string, at: string): Promise<void> {
  await reader.sql.updateTable("orphaned_object").set({ due_at: at }).where("blob_id", "=", blobId).execute();
}

/** Claims objects for removal and gives their ids. Those whose removal began before `stuck` are claimed again. */
export async function claimOrphanedObjects(
  tx: Transaction,
  { at, stuck, limit }: { at: string; stuck: string; limit: number },
): Promise<string[]> {
  const due = await tx.sql
    .selectFrom("orphaned_object")
    .select("blob_id")
    .where("due_at", "<=", at)
    .where((eb) => eb.or([eb("removing_at", "is", null), eb("removing_at", "<", stuck)]))
    // Those that could not be removed so far come after the others.
    .orderBy("removing_at", (order) => order.asc().nullsFirst())
    .orderBy("due_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = due.map((row) => row.blob_id);
  if (ids.length > 0) {
    await tx.sql.updateTable("orphaned_object").set({ removing_at: at }).where("blob_id", "in", ids).execute();
  }
  return ids;
}

/** Removes the notes of removed objects. */
export async function forgetObjects(reader: Reader, blobIds: readonly string[]): Promise<void> {
  if (blobIds.length === 0) return;
  await reader.sql.deleteFrom("orphaned_object").where("blob_id", "in", blobIds).execute();
}
