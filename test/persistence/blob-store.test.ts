import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  blobDigest,
  deleteBlob,
  digestOf,
  findSourceBlob,
  insertBlob,
  readBlob,
} from "../../src/persistence/blob-store.ts";
import { createCipher } from "../../src/persistence/cipher.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let workspaceId: string;

beforeAll(async () => {
  stores = await openStores();
  workspaceId = (await stores.addWorkspace()).id;
});

afterAll(() => stores[Symbol.asyncDispose]());

async function read(id: string, cipher = stores.cipher): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readBlob(stores.database, cipher, id)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("3.5 MiB go in and come out, in pieces of 1 MiB", async () => {
  const body = randomBytes(3.5 * 1024 * 1024);
  const id = await stores.addBlob(workspaceId, body);
  expect((await read(id)).equals(body)).toBe(true);
  expect(await blobDigest(stores.database, id)).toBe(digestOf(body));
  const pieces = await stores.database.sql
    .selectFrom("blob_piece")
    .select("position")
    .where("blob_id", "=", id)
    .execute();
  expect(pieces.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
});

test.each([0, 1, 1024 * 1024, 1024 * 1024 + 1])("%i bytes come out as they went in", async (size) => {
  const body = randomBytes(size);
  expect((await read(await stores.addBlob(workspaceId, body))).equals(body)).toBe(true);
});

test("nothing of it lies in clear", async () => {
  const secret = "the password is swordfish";
  const id = await stores.addBlob(workspaceId, Buffer.from(`state: ${secret}`));
  const { rows } = await sql<{ found: number }>`
    select position(${Buffer.from(secret)}::bytea in body) as found from blob_piece where blob_id = ${id}
  `.execute(stores.database.sql);
  expect(rows).toEqual([{ found: 0 }]);
});

test("a piece of another blob, or at another place, is refused", async () => {
  const mebibyte = 1024 * 1024;
  const mine = await stores.addBlob(workspaceId, randomBytes(2 * mebibyte));
  const other = await stores.addBlob(workspaceId, randomBytes(10));
  await sql`update blob_piece set body = (select body from blob_piece where blob_id = ${mine} and position = 0)
    where blob_id = ${other}`.execute(stores.database.sql);
  await expect(read(other)).rejects.toThrow();
  await sql`update blob_piece set position = 1 - position + 10 where blob_id = ${mine}`.execute(stores.database.sql);
  await sql`update blob_piece set position = position - 10 where blob_id = ${mine}`.execute(stores.database.sql);
  await expect(read(mine)).rejects.toThrow();
});

test("a blob that lost its end is refused, and so is one that does not exist", async () => {
  const id = await stores.addBlob(workspaceId, randomBytes(1024 * 1024 + 1));
  await sql`delete from blob_piece where blob_id = ${id} and position = 1`.execute(stores.database.sql);
  await expect(read(id)).rejects.toThrow("incomplete");
  await expect(read(stores.newId("blob"))).rejects.toThrow("There is no blob");
});

test("another key opens nothing", async () => {
  const id = await stores.addBlob(workspaceId, randomBytes(10));
  await expect(read(id, createCipher(randomBytes(32)))).rejects.toThrow();
});

test("a source is found by its digest in its own workspace, and kept once", async () => {
  const body = randomBytes(20);
  const id = stores.newId("blob");
  const source = { id, kind: "SOURCE", workspaceId, body, createdAt: AT } as const;
  const put = (blob: typeof source) => stores.database.transaction((tx) => insertBlob(tx, stores.cipher, blob));
  await put(source);
  const elsewhere = (await stores.addWorkspace()).id;
  expect(await findSourceBlob(stores.database, workspaceId, digestOf(body))).toBe(id);
  expect(await findSourceBlob(stores.database, elsewhere, digestOf(body))).toBeNull();
  expect(await findSourceBlob(stores.database, workspaceId, digestOf(randomBytes(1)))).toBeNull();
  await expect(put({ ...source, id: stores.newId("blob") })).rejects.toMatchObject({ constraint: "blob_source" });
});

test("what is deleted takes its pieces along", async () => {
  const id = await stores.addBlob(workspaceId, randomBytes(10));
  await stores.database.transaction((tx) => deleteBlob(tx, id));
  expect(await blobDigest(stores.database, id)).toBeNull();
  const left = await stores.database.sql
    .selectFrom("blob_piece")
    .select("position")
    .where("blob_id", "=", id)
    .execute();
  expect(left).toEqual([]);
});
