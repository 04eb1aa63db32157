/** Artifacts (sources, archives, states, documents of plans) as sealed pieces in Postgres, so that a second server needs no data folder. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Cipher } from "../installation/cipher.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";

export const BLOB_STORES = ["POSTGRES", "S3"] as const;
/** Where the bytes of a blob lie; its row is always in the database. */
export type BlobStoreName = (typeof BLOB_STORES)[number];

export type BlobKind = "SOURCE" | "ARCHIVE" | "STATE" | "DOCUMENT" | "POLICY";

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

const DIGEST_STEP = 8 * 1024 * 1024;

/** SHA-256 (hex) of a body of any size: the event loop continues between its parts. */
async function digestInSteps(body: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let start = 0; start < body.length; start += DIGEST_STEP) {
    if (start > 0) await setImmediate();
    hash.update(body.subarray(start, start + DIGEST_STEP));
  }
  return hash.digest("hex");
}

/** How many pieces so many bytes have. */
export function pieceCount(size: number): number {
  return Math.ceil(size / LIMITS.blobPieceBytes);
}

function owner(blobId: string, position: number): string {
  return `blob/${blobId}/${position}`;
}

export function sealPiece(cipher: Cipher, { id, body }: Pick<NewBlob, "id" | "body">, position: number): Buffer {
  const start = position * LIMITS.blobPieceBytes;
  return cipher.seal(body.subarray(start, start + LIMITS.blobPieceBytes), owner(id, position));
}

export function openPiece(cipher: Cipher, blobId: string, position: number, sealed: Uint8Array): Buffer {
  return cipher.open(sealed, owner(blobId, position));
}

/** The row of a blob whose bytes lie elsewhere, or come next. */
export async function insertBlobRow(tx: Transaction, blob: NewBlob, store: BlobStoreName): Promise<void> {
  await tx.sql
    .insertInto("blob")
    .values({
      id: blob.id,
      kind: blob.kind,
      workspace_id: blob.workspaceId,
      digest: await digestInSteps(blob.body),
      size: blob.body.length,
      created_at: blob.createdAt,
      store,
    })
    .execute();
}

/** A blob with its bytes, in Postgres. */
export async function insertBlob(tx: Transaction, cipher: Cipher, blob: NewBlob): Promise<void> {
  await insertBlobRow(tx, blob, "POSTGRES");
  for (let position = 0; position < pieceCount(blob.body.length); position++) {
    await tx.sql
      .insertInto("blob_piece")
      .values({ blob_id: blob.id, position, body: sealPiece(cipher, blob, position) })
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

export interface BlobFacts {
  store: BlobStoreName;
  size: number;
  digest: string;
}

export async function findBlob(reader: Reader, id: string): Promise<BlobFacts | null> {
  const row = await reader.sql
    .selectFrom("blob")
    .select(["store", "size", "digest"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, store: word(BLOB_STORES, row.store) };
}

/** The pieces of a blob that lies in Postgres. Throws where one is missing. */
export async function* readPieces(reader: Reader, cipher: Cipher, id: string, size: number): AsyncGenerator<Buffer> {
  // The seal of a piece has its position, not how many there are: a lost end shows in the size alone.
  for (let position = 0; position < pieceCount(size); position++) {
    const row = await reader.sql
      .selectFrom("blob_piece")
      .select("body")
      .where("blob_id", "=", id)
      .where("position", "=", position)
      .executeTakeFirst();
    if (row === undefined) throw new Error(`The blob ${id} is incomplete: piece ${position} is missing.`);
    yield openPiece(cipher, id, position, row.body);
  }
}

/** Deletes an archive or a document that a plan job put and that no row refers to any more. */
export async function deleteBlob(tx: Transaction, id: string): Promise<void> {
  await tx.sql.deleteFrom("blob").where("id", "=", id).execute();
}

export async function blobDigest(reader: Reader, id: string): Promise<string | null> {
  return (await findBlob(reader, id))?.digest ?? null;
}

/** How many artifacts lie elsewhere, and their bytes: no backup of the database has those. */
export async function countBlobsElsewhere(reader: Reader): Promise<{ count: number; bytes: number }> {
  const row = await reader.sql
    .selectFrom("blob")
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      eb.fn.coalesce(eb.fn.sum<number>("size"), eb.lit(0)).as("bytes"),
    ])
    .where("store", "<>", "POSTGRES")
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), bytes: Number(row.bytes) };
}
