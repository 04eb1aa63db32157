/** The files that saved plans are applied with, and the documents of plans: how long they are there, and their end. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";
import { removeDocuments } from "./document-store.ts";

/** Sums the sizes of these runs' archives and documents, in bytes; runs without any are left out. */
export async function sizesOfArchives(reader: Reader, runIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ run_id: string; bytes: number }>`
    select a.run_id, sum(b.size)::bigint as bytes from (
      select run_id, archive_blob_id from plan where run_id = any(${runIds}) and archive_blob_id is not null
      union
      select run_id, archive_blob_id from job where run_id = any(${runIds}) and archive_blob_id is not null
      union
      select p.run_id, d.blob_id from plan_document d join plan p on p.id = d.plan_id
        where p.run_id = any(${runIds}) and d.blob_id is not null
      union
      select run_id, blob_id from job_document where run_id = any(${runIds})
    ) a join blob b on b.id = a.archive_blob_id group by a.run_id
  `.execute(reader.sql);
  return new Map(rows.map((row) => [row.run_id, row.bytes]));
}

/**
 * Removes the archives of those runs that ended before, and the documents of their plans. An archive stays while a run that was made from its plan is live
 * or ended later; the retention of that run removes it. Returns how many were removed.
 */
export async function removeArchives(tx: Transaction, runIds: string[], before: string, at: string): Promise<number> {
  // First of all: the creation of a run from one of the plans waits for this lock, or is seen below.
  await sql`select from plan where run_id = any(${runIds}) order by id for update`.execute(tx.sql);
  const { rows } = await sql<{ id: string }>`
    select r.id from run r where r.id = any(${runIds}) and r.finished_at < ${before} and not exists (
      select from run q where q.plan_run_id = r.id and (q.finished_at is null or q.finished_at >= ${before})
    )
  `.execute(tx.sql);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  // Nothing of these runs can be performed any more.
  await tx.sql.deleteFrom("run_mask").where("run_id", "in", ids).execute();
  const { rows: blobs } = await sql<{ id: string }>`
    select archive_blob_id as id from plan where run_id = any(${ids}) and archive_blob_id is not null
    union
    select archive_blob_id from job where run_id = any(${ids}) and archive_blob_id is not null
    union
    select d.blob_id from plan_document d join plan p on p.id = d.plan_id
      where p.run_id = any(${ids}) and d.blob_id is not null
    union
    select blob_id from job_document where run_id = any(${ids})
  `.execute(tx.sql);
  if (blobs.length === 0) return 0;
  const plans = tx.sql.updateTable("plan").set({ archive_blob_id: null, archive_expired_at: at });
  await plans.where("run_id", "in", ids).where("archive_blob_id", "is not", null).execute();
  const jobs = tx.sql.updateTable("job").set({ archive_blob_id: null });
  await jobs.where("run_id", "in", ids).where("archive_blob_id", "is not", null).execute();
  await removeDocuments(tx, ids);
  const gone = blobs.map(({ id }) => id);
  await tx.sql.deleteFrom("blob").where("id", "in", gone).execute();
  return gone.length;
}

/**
 * Since when the archive of a plan is no longer kept; null where it is, and then it is until the transaction ends. The
 * run that is to apply it must be written by then.
 */
export async function holdArchive(tx: Transaction, planId: string): Promise<string | null> {
  const row = await tx.sql
    .selectFrom("plan")
    .select("archive_expired_at")
    .where("id", "=", planId)
    .forShare()
    .executeTakeFirst();
  return row?.archive_expired_at ?? null;
}
