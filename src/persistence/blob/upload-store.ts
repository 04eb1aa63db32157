/** Archives that were sent to be the source of a workspace. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";

export interface Upload {
  id: string;
  blobId: string;
  /** SHA-256 (hex) of the archive. */
  digest: string;
  /** Bytes of the archive. */
  size: number;
  createdById: string;
  createdAt: string;
}

export async function insertUpload(tx: Transaction, upload: Upload): Promise<void> {
  await tx.sql
    .insertInto("upload")
    .values({
      id: upload.id,
      blob_id: upload.blobId,
      digest: upload.digest,
      size: upload.size,
      created_by: upload.createdById,
      created_at: upload.createdAt,
    })
    .execute();
}

export async function findUpload(reader: Reader, id: string): Promise<Upload | null> {
  const row = await reader.sql.selectFrom("upload").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    blobId: row.blob_id,
    digest: row.digest,
    size: row.size,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

/**
 * The blob of an earlier upload of the same content, kept from being swept until the transaction ends: who is swept
 * meanwhile is not found.
 */
export async function claimUploadedBlob(tx: Transaction, digest: string): Promise<string | null> {
  const row = await tx.sql
    .selectFrom("blob")
    .select("id")
    .where("kind", "=", "SOURCE")
    .where("workspace_id", "is", null)
    .where("digest", "=", digest)
    .orderBy("id")
    .limit(1)
    .forKeyShare()
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Removes uploads that are older and that no workspace uses; then what no upload and no run needs of their blobs. */
export async function deleteUnusedUploads(tx: Transaction, before: string): Promise<number> {
  const uploads = await tx.sql
    .deleteFrom("upload")
    .where("created_at", "<", before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("workspace")
            .select("workspace.id")
            .where("workspace.deleted_at", "is", null)
            .where(sql<boolean>`workspace.source ->> 'uploadId' = upload.id`),
        ),
      ),
    )
    .executeTakeFirst();
  await tx.sql
    .deleteFrom("blob")
    .where("kind", "=", "SOURCE")
    .where("workspace_id", "is", null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("upload").select("upload.id").whereRef("upload.blob_id", "=", "blob.id"))),
    )
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("run").select("run.id").whereRef("run.source_blob_id", "=", "blob.id"))),
    )
    .execute();
  return Number(uploads.numDeletedRows);
}
