/** Artifacts (sources, archives, states) as sealed pieces, so that a second server needs no data folder. */
import { createHash } from "node:crypto";
import { LIMITS } from "../model/limits.ts";
import type { Cipher } from "./cipher.ts";
import type { Reader, Transaction } from "./database.ts";

export type BlobKind = "SOURCE" | "ARCHIVE" | "STATE";

export interface NewBlob {
  id: string;
  kind: BlobKind;
  /** null: an upload, which may become the source of any workspace. */
  workspaceId: string | null;
  body: Buffer;
  createdAt: string;
}

/** SHA-256 (hex). */
export function digestOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

function owner(blobId: string, position: number): string {
  return `blob/${blobId}/${position}`;
}

export async function insertBlob(tx: Transaction, cipher: Cipher, blob: NewBlob): Promise<void> {
  await tx.sql
    .insertInto("blob")
    .values({
      id: blob.id,
      kind: blob.kind,
      workspace_id: blob.workspaceId,
      digest: digestOf(blob.body),
      size: blob.body.length,
      created_at: blob.createdAt,
    })
    .execute();
  for (let position = 0; position * LIMITS.blobPieceBytes < blob.body.length; position++) {
    const start = position * LIMITS.blobPieceBytes;
    const piece = blob.body.subarray(start, start + LIMITS.blobPieceBytes);
    await tx.sql
      .insertInto("blob_piece")
      .values({ blob_id: blob.id, position, body: cipher.seal(piece, owner(blob.id, position)) })
      .execute();
  }
}

/** The source of a workspace with that digest, if it was packed before. */
export async function findSourceBlob(reader: Reader, workspaceId: string, digest: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("blob")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", "SOURCE")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The bytes of a blob, piece by piece. Throws where there is no such blob, or where pieces of it are missing. */
export async function* readBlob(reader: Reader, cipher: Cipher, id: string): AsyncGenerator<Buffer> {
  const blob = await reader.sql.selectFrom("blob").select("size").where("id", "=", id).executeTakeFirst();
  if (blob === undefined) throw new Error(`There is no blob ${id}.`);
  // The seal of a piece says where it belongs, not how many there are: a lost end shows in the size alone.
  for (let position = 0; position * LIMITS.blobPieceBytes < blob.size; position++) {
    const row = await reader.sql
      .selectFrom("blob_piece")
      .select("body")
      .where("blob_id", "=", id)
      .where("position", "=", position)
      .executeTakeFirst();
    if (row === undefined) throw new Error(`The blob ${id} is incomplete: piece ${position} is missing.`);
    yield cipher.open(row.body, owner(id, position));
  }
}

/** An archive that a plan job put and nobody points to any more. */
export async function deleteBlob(tx: Transaction, id: string): Promise<void> {
  await tx.sql.deleteFrom("blob").where("id", "=", id).execute();
}

export async function blobDigest(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.sql.selectFrom("blob").select("digest").where("id", "=", id).executeTakeFirst();
  return row?.digest ?? null;
}
