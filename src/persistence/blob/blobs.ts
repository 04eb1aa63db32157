/**
 * Artifacts in Postgres or in a bucket. A row records where its bytes are, so that both kinds lie side by side, and
 * Postgres can always be read. A bucket never sees bytes in clear: what is put there are the same sealed pieces, one behind the other.
 */
import { createHash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import {
  type BlobFacts,
  type BlobStoreName,
  findBlob,
  insertBlob,
  insertBlobRow,
  type NewBlob,
  openPiece,
  pieceCount,
  readPieces,
  sealPiece,
} from "./blob-store.ts";
import { type Cipher, SEAL_BYTES } from "../installation/cipher.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isRefused, type ObjectStore } from "./object-store.ts";
import { claimOrphanedObjects, dropObject, forgetObjects, keepObject, noteObject } from "./orphaned-object-store.ts";

/** A blob whose bytes are there already, where they lie in a bucket. */
export interface PutBlob {
  blob: NewBlob;
  store: BlobStoreName;
}

export interface BlobStore {
  /**
   * Before the transaction that inserts it: a bucket may be slow. What is never inserted is swept. Throws StoreUnavailable, but
   * not about a state, which is put into Postgres then: it is small, and there is no other like it.
   */
  put(blob: NewBlob): Promise<PutBlob>;
  /** Puts a blob for a transaction that may insert it or not; what it does not insert is swept soon. */
  bring<T>(blob: NewBlob, work: (put: PutBlob) => Promise<T>): Promise<T>;
  /** Throws StoreUnavailable where the transaction came so late that the object was swept. */
  insert(tx: Transaction, put: PutBlob): Promise<void>;
  /**
   * The bytes, piece by piece; they are as they were put, or the last piece is not given. Throws before the first one
   * where there is no such blob, or, as StoreUnavailable, where it cannot be reached.
   */
  read(id: string): Promise<AsyncIterable<Buffer>>;
  /**
   * Removes objects that no row refers to; gives how many. Ends early, between two of them, if the signal aborts. After
   * the others, throws the error of the first that could not be removed.
   */
  sweep(signal?: AbortSignal): Promise<number>;
}

/** `objects` null: Postgres alone. */
export function createBlobStore(
  deps: { database: Database; cipher: Cipher; clock: () => Date; onError: (error: unknown, where: string) => void },
  objects: ObjectStore | null,
): BlobStore {
  const { database, cipher } = deps;
  const instant = (afterMs: number): string => new Date(deps.clock().getTime() + afterMs).toISOString();

  async function putObject(blob: NewBlob, into: ObjectStore, tries?: number): Promise<void> {
    await noteObject(database, blob.id, instant(LIMITS.orphanedObjectMs));
    const { length } = blob.body;
    const pieces = (): Iterable<Buffer> => sealed(cipher, blob);
    await into.put(blob.id, length + pieceCount(length) * SEAL_BYTES, pieces, tries);
  }

  function piecesOf(id: string, { store, size }: BlobFacts): AsyncGenerator<Buffer> {
    if (store === "POSTGRES") return readPieces(database, cipher, id, size);
    if (objects !== null) return readObject(objects, cipher, id, size);
    throw new StoreUnavailable(
      `The artifact ${id} is in S3, but this server has no HOLDPOINT_S3_BUCKET. Set it as on the other servers.`,
    );
  }

  async function put(blob: NewBlob): Promise<PutBlob> {
    // Nothing is no object: it has no piece either.
    if (objects === null || blob.body.length === 0) return { blob, store: "POSTGRES" };
    if (blob.kind !== "STATE") {
      await putObject(blob, objects);
      return { blob, store: "S3" };
    }
    try {
      await putObject(blob, objects, 2);
      return { blob, store: "S3" };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      deps.onError(error, "a state, which is kept in Postgres instead");
      return { blob, store: "POSTGRES" };
    }
  }

  return {
    put,

    async bring(blob, work) {
      const found = await put(blob);
      try {
        return await work(found);
      } finally {
        // Nothing is noted of what was inserted.
        if (found.store !== "POSTGRES") await dropObject(database, blob.id, instant(0)).catch(() => undefined);
      }
    },

    async insert(tx, { blob, store }) {
      if (store === "POSTGRES") return insertBlob(tx, cipher, blob);
      if (!(await keepObject(tx, blob.id))) throw new StoreUnavailable("The artifact was put too long ago.");
      await insertBlobRow(tx, blob, store);
    },

    async read(id) {
      const found = await findBlob(database, id);
      if (found === null) throw new Error(`There is no blob ${id}.`);
      const whole = checked(id, found, piecesOf(id, found));
      const first = await whole.next();
      return resumed(first, whole);
    },

    async sweep(signal) {
      if (objects === null) return 0;
      let count = 0;
      const failed: unknown[] = [];
      for (;;) {
        const at = instant(0);
        const stuck = instant(-LIMITS.orphanedObjectStuckMs);
        const limit = LIMITS.orphanedObjectsAtOnce;
        const ids = await database.transaction((tx) => claimOrphanedObjects(tx, { at, stuck, limit }));
        const gone = await removeObjects(objects, ids, { signal, onFailed: (error) => failed.push(error) });
        await forgetObjects(database, gone);
        count += gone.length;
        if (gone.length === 0 || ids.length < limit || signal?.aborted === true) break;
      }
      if (failed.length > 0) throw failed[0];
      return count;
    },
  };
}

/** An object that the bucket does not let go holds none of the others up; a bucket that is away holds up all. */
async function removeObjects(
  objects: ObjectStore,
  ids: readonly string[],
  { signal, onFailed }: { signal: AbortSignal | undefined; onFailed: (error: unknown) => void },
): Promise<string[]> {
  const gone: string[] = [];
  for (const id of ids) {
    if (signal?.aborted === true) break;
    try {
      await objects.remove(id);
      gone.push(id);
    } catch (error) {
      onFailed(error);
      if (!isRefused(error)) break;
    }
  }
  return gone;
}

function* sealed(cipher: Cipher, blob: NewBlob): Generator<Buffer> {
  for (let position = 0; position < pieceCount(blob.body.length); position++) yield sealPiece(cipher, blob, position);
}

/** Chunks come as the network cuts them; pieces are opened whole. */
async function* readObject(objects: ObjectStore, cipher: Cipher, id: string, size: number): AsyncGenerator<Buffer> {
  const pieceBytes = (position: number): number =>
    SEAL_BYTES + Math.min(LIMITS.blobPieceBytes, size - position * LIMITS.blobPieceBytes);
  let position = 0;
  let chunks: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of objects.get(id)) {
    chunks.push(chunk);
    held += chunk.length;
    while (position < pieceCount(size) && held >= pieceBytes(position)) {
      const bytes = Buffer.concat(chunks, held);
      const end = pieceBytes(position);
      yield openPiece(cipher, id, position, bytes.subarray(0, end));
      chunks = [bytes.subarray(end)];
      held -= end;
      position++;
    }
  }
  if (position < pieceCount(size) || held > 0) throw new Error(`The object of the blob ${id} has another size.`);
}

/** Holds the last piece back until the whole is what was put. */
async function* checked(
  id: string,
  { digest, size }: BlobFacts,
  pieces: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let bytes = 0;
  let held: Buffer | null = null;
  for await (const piece of pieces) {
    if (held !== null) yield held;
    hash.update(piece);
    bytes += piece.length;
    held = piece;
  }
  if (bytes !== size || hash.digest("hex") !== digest)
    throw new Error(`The content of the blob ${id} does not match its digest.`);
  if (held !== null) yield held;
}

async function* resumed(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
