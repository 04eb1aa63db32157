import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { StoreUnavailable } from "../../src/model/runner/store-unavailable.ts";
import {
  blobDigest,
  deleteBlob,
  digestOf,
  findSourceBlob,
  type NewBlob,
} from "../../src/persistence/blob/blob-store.ts";
import { type BlobStore, createBlobStore } from "../../src/persistence/blob/blobs.ts";
import { createS3ObjectStore } from "../../src/persistence/blob/s3-object-store.ts";
import { createCipher, SEAL_BYTES } from "../../src/persistence/installation/cipher.ts";
import { type Bucket, startBucket } from "../support/bucket.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

const MEBIBYTE = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;
let stores: Stores;
let bucket: Bucket;
let workspaceId: string;
let reported: unknown[];
let nowMs: number;

beforeAll(async () => {
  stores = await openStores();
  bucket = await startBucket();
  workspaceId = (await stores.addWorkspace()).id;
});
beforeEach(() => {
  reported = [];
  nowMs = Date.parse(AT);
  bucket.fault = null;
  bucket.faults = [];
  bucket.requests.length = 0;
});
afterAll(async () => {
  await bucket[Symbol.asyncDispose]();
  await stores[Symbol.asyncDispose]();
});

function blobStore(store: "POSTGRES" | "S3", cipher = stores.cipher): BlobStore {
  const { database } = stores;
  const onError = (error: unknown): unknown => reported.push(error);
  return createBlobStore(
    { database, cipher, clock: () => new Date(nowMs), onError },
    store === "S3" ? bucket.objects : null,
  );
}

function newBlob(body: Buffer, kind: NewBlob["kind"] = "ARCHIVE"): NewBlob {
  return { id: stores.newId("blob"), kind, workspaceId, body, createdAt: AT };
}

async function add(blobs: BlobStore, blob: NewBlob): Promise<string> {
  await blobs.bring(blob, (put) => stores.database.transaction((tx) => blobs.insert(tx, put)));
  return blob.id;
}

async function read(blobs: BlobStore, id: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(await blobs.read(id)));
}

async function strays(): Promise<number> {
  return (await stores.database.sql.selectFrom("orphaned_object").selectAll().execute()).length;
}

/** The pieces as they lie there. */
async function raw(store: "POSTGRES" | "S3", id: string): Promise<Buffer[]> {
  if (store === "POSTGRES") {
    const pieces = stores.database.sql.selectFrom("blob_piece").select("body").where("blob_id", "=", id);
    return (await pieces.orderBy("position").execute()).map(({ body }) => body);
  }
  const bytes = await bucket.bytes(id);
  const size = MEBIBYTE + SEAL_BYTES;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

async function replace(store: "POSTGRES" | "S3", id: string, pieces: Buffer[]): Promise<void> {
  if (store === "S3") return bucket.replace(id, Buffer.concat(pieces));
  await stores.database.sql.deleteFrom("blob_piece").where("blob_id", "=", id).execute();
  const rows = pieces.map((body, position) => ({ blob_id: id, position, body }));
  await stores.database.sql.insertInto("blob_piece").values(rows).execute();
}

describe.each(["POSTGRES", "S3"] as const)("artifacts in %s", (store) => {
  let blobs: BlobStore;
  beforeAll(() => {
    blobs = blobStore(store);
  });

  test.each([0, 1, MEBIBYTE, MEBIBYTE + 1, 3.5 * MEBIBYTE])("%i bytes come out as they went in", async (size) => {
    const body = randomBytes(size);
    const id = await add(blobs, newBlob(body));
    const pieces = await Array.fromAsync(await blobs.read(id));
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
    expect(pieces.every((piece) => piece.length <= MEBIBYTE)).toBe(true);
    expect(await blobDigest(stores.database, id)).toBe(digestOf(body));
    expect(await strays()).toBe(0);
  });

  test("nothing of it lies in clear", async () => {
    const secret = "the password is swordfish";
    const id = await add(blobs, newBlob(Buffer.from(`state: ${secret}`), "STATE"));
    const lies = Buffer.concat(await raw(store, id));
    expect(lies.length).toBeGreaterThan(secret.length);
    expect(lies.includes("swordfish")).toBe(false);
  });

  test("what is not what was put is refused before its end: another's piece, another order, a lost end, more", async () => {
    const [mine, other] = [
      await add(blobs, newBlob(randomBytes(2 * MEBIBYTE))),
      await add(blobs, newBlob(randomBytes(9))),
    ];
    const [first, second, foreign] = [...(await raw(store, mine)), ...(await raw(store, other))] as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const changed = Buffer.from(second);
    changed[100] = (changed[100] ?? 0) ^ 1;
    for (const pieces of [[first, foreign], [second, first], [first], [first, changed]]) {
      await replace(store, mine, pieces);
      const got: Buffer[] = [];
      const reading = async (): Promise<void> => {
        for await (const piece of await blobs.read(mine)) got.push(piece);
      };
      await expect(reading()).rejects.toThrow();
      expect(Buffer.concat(got).length).toBeLessThan(2 * MEBIBYTE);
    }
    await replace(store, mine, [first, second]);
    await sql`update blob set digest = ${digestOf(randomBytes(1))} where id = ${mine}`.execute(stores.database.sql);
    await expect(read(blobs, mine)).rejects.toThrow("does not match its digest");
  });

  test("another key opens nothing, and what does not exist is not there", async () => {
    const id = await add(blobs, newBlob(randomBytes(10)));
    await expect(blobStore(store, createCipher(randomBytes(32))).read(id)).rejects.toThrow();
    await expect(blobs.read(stores.newId("blob"))).rejects.toThrow("There is no blob");
  });

  test("what is deleted leaves nothing behind", async () => {
    const id = await add(blobs, newBlob(randomBytes(10)));
    await stores.database.transaction((tx) => deleteBlob(tx, id));
    expect(await blobDigest(stores.database, id)).toBeNull();
    await blobs.sweep();
    expect(await bucket.keys()).not.toContain(id);
    const left = stores.database.sql.selectFrom("blob_piece").selectAll().where("blob_id", "=", id);
    expect(await left.execute()).toEqual([]);
    expect(await strays()).toBe(0);
  });
});

test("a source is found by its digest in its own workspace, and kept once", async () => {
  const blobs = blobStore("POSTGRES");
  const source = newBlob(randomBytes(20), "SOURCE");
  await add(blobs, source);
  const elsewhere = (await stores.addWorkspace()).id;
  expect(await findSourceBlob(stores.database, workspaceId, digestOf(source.body))).toBe(source.id);
  expect(await findSourceBlob(stores.database, elsewhere, digestOf(source.body))).toBeNull();
  expect(await findSourceBlob(stores.database, workspaceId, digestOf(randomBytes(1)))).toBeNull();
  const again = add(blobs, { ...source, id: stores.newId("blob") });
  await expect(again).rejects.toMatchObject({ constraint: "blob_source" });
});

describe("a bucket beside Postgres", () => {
  test("both kinds are read side by side; without the bucket's settings its own are refused with the reason", async () => {
    const [before, after] = [blobStore("POSTGRES"), blobStore("S3")];
    const body = randomBytes(10);
    const inPostgres = await add(before, newBlob(body));
    const inS3 = await add(after, newBlob(body));
    expect((await read(after, inPostgres)).equals(body)).toBe(true);
    expect((await read(before, inPostgres)).equals(body)).toBe(true);
    await expect(read(before, inS3)).rejects.toThrow(/is in S3.*HOLDPOINT_S3_BUCKET/);
    await expect(read(before, inS3)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test.each<[string, Bucket["faults"]]>([
    ["an overloaded bucket", [503, 429]],
    ["a cut connection", ["RESET"]],
  ])("%s is asked again", async (_name, faults) => {
    const blobs = blobStore("S3");
    const body = randomBytes(1.5 * MEBIBYTE);
    bucket.faults = [...faults];
    const id = await add(blobs, newBlob(body));
    bucket.faults = [...faults];
    expect((await read(blobs, id)).equals(body)).toBe(true);
    expect(bucket.requests.length).toBe(2 * (faults.length + 1));
  });

  test("a silent bucket is asked again", async () => {
    const blobs = blobStore("S3");
    const body = randomBytes(1.5 * MEBIBYTE);
    /** Time passes while it is silent alone: an honest answer may take as long as it takes. */
    const silently = async <T>(act: () => Promise<T>): Promise<T> => {
      bucket.faults = ["SILENT"];
      const before = bucket.requests.length;
      const acted = act();
      while (bucket.requests.length === before) await setImmediate();
      vi.advanceTimersByTime(LIMITS.objectStore.silentMs);
      return acted;
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const id = await silently(() => add(blobs, newBlob(body)));
      expect((await silently(() => read(blobs, id))).equals(body)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    expect(bucket.requests.length).toBe(4);
  });

  test("an answer that breaks off is gone on with where it ended", async () => {
    const blobs = blobStore("S3");
    const body = randomBytes(6 * MEBIBYTE);
    const id = await add(blobs, newBlob(body));
    bucket.faults = ["HALF", "HALF"];
    expect((await read(blobs, id)).equals(body)).toBe(true);
    expect(bucket.requests.filter((request) => request.startsWith("GET")).length).toBe(3);
  });

  test.each<[Exclude<Bucket["fault"], null>, RegExp, number]>([
    [503, /cannot be reached|answers 503/, 3],
    ["RESET", /cannot be reached/, 3],
    [403, /answers 403 AccessDenied: the credentials do not allow it/, 1],
  ])(
    "a bucket that only answers %s: an archive is refused, a state is kept in Postgres",
    async (fault, words, tries) => {
      const blobs = blobStore("S3");
      bucket.fault = fault;
      const archive = newBlob(randomBytes(10));
      const error: unknown = await add(blobs, archive).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toMatch(words);
      expect(inspect(error, { depth: null })).not.toContain(bucket.accessKey.secretAccessKey);
      expect(bucket.requests.length).toBe(tries);
      expect(await blobDigest(stores.database, archive.id)).toBeNull();
      const state = newBlob(randomBytes(10), "STATE");
      await add(blobs, state);
      expect(reported).toHaveLength(1);
      expect((await read(blobs, state.id)).equals(state.body)).toBe(true);
      bucket.fault = null;
      nowMs += 2 * DAY;
      await blobs.sweep();
      expect(await strays()).toBe(0);
    },
  );

  test("an object whose transaction never came is removed, but not before a day has passed", async () => {
    const blobs = blobStore("S3");
    const died = newBlob(randomBytes(10));
    await blobs.put(died);
    nowMs += DAY - 60_000;
    expect(await blobs.sweep()).toBe(0);
    expect(await bucket.keys()).toContain(died.id);
    nowMs += 120_000;
    // Two servers at once remove it once.
    const swept = await Promise.all([blobs.sweep(), blobStore("S3").sweep()]);
    expect(swept.reduce((sum, count) => sum + count)).toBe(1);
    expect(await bucket.keys()).not.toContain(died.id);
  });

  test("what a transaction did not insert after all goes with the next sweep; a later transaction fails", async () => {
    const blobs = blobStore("S3");
    const unused = newBlob(randomBytes(10));
    await blobs.bring(unused, () => Promise.resolve());
    const failed = add(blobs, { ...newBlob(randomBytes(10)), workspaceId: "ws_none" });
    await expect(failed).rejects.toThrow(/foreign key/);
    expect(await blobs.sweep()).toBe(2);
    const late = newBlob(randomBytes(10));
    const put = await blobs.put(late);
    nowMs += 2 * DAY;
    await blobs.sweep();
    const inserted = stores.database.transaction((tx) => blobs.insert(tx, put));
    await expect(inserted).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("a removal that broke off is done later", async () => {
    const blobs = blobStore("S3");
    const id = await add(blobs, newBlob(randomBytes(10)));
    await stores.database.transaction((tx) => deleteBlob(tx, id));
    bucket.fault = 503;
    await expect(blobs.sweep()).rejects.toBeInstanceOf(StoreUnavailable);
    bucket.fault = null;
    expect(await blobs.sweep()).toBe(0);
    nowMs += 11 * 60_000;
    expect(await blobs.sweep()).toBe(1);
    expect(await bucket.keys()).not.toContain(id);
  });

  test("an object that the bucket keeps, or has not got, holds no other up", async () => {
    const blobs = blobStore("S3");
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push(await add(blobs, newBlob(randomBytes(10))));
    for (const id of ids) await stores.database.transaction((tx) => deleteBlob(tx, id));
    bucket.faults = [403, "NO_SUCH_KEY"];
    await expect(blobs.sweep()).rejects.toThrow("the credentials do not allow it");
    expect(await strays()).toBe(1);
    nowMs += 11 * 60_000;
    expect(await blobs.sweep()).toBe(1);
  });

  test("a key of a session is sent with its token", async () => {
    const accessKey = bucket.addKey({ sessionToken: "session/token==" });
    const objects = createS3ObjectStore({ ...bucket.settings, accessKey }, { ...LIMITS.objectStore, retryMs: [] });
    await objects.put("session", 1, () => [Buffer.from("x")]);
    expect(bucket.token).toBe("session/token==");
    await objects.remove("session");
  });
});
