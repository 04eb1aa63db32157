import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Client } from "pg";
import { expect, test } from "vitest";
import { createIds } from "../../src/model/kit/id.ts";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import type { BackupPart } from "../../src/persistence/backup/format.ts";
import { loadDatabase } from "../../src/persistence/backup/load.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import { migrateToLatest, migrateUpTo } from "../../src/persistence/database/migrate.ts";
import { findEpoch } from "../../src/persistence/feed/restoration-store.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { olderRelease, way } from "../support/older-release.ts";

const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };

function open({ connection }: TestDatabase): Database {
  return openDatabase(connection, {
    notifier,
    onError: (error) => {
      throw error;
    },
  });
}

async function* nothing(): AsyncGenerator<BackupPart> {}

test("each restoration begins another epoch", async () => {
  await using clone = await createTestDatabase();
  await using database = open(clone);
  const epochs = [await findEpoch(database)];
  for (const _ of [1, 2]) {
    await loadDatabase(database, nothing, null);
    epochs.push(await findEpoch(database));
  }
  expect(epochs[0]).toBe("");
  expect(new Set(epochs).size).toBe(3);
});

test("a backup of an earlier release, with runs, is brought up to date with epochs of its own", async () => {
  const release = "0006-former-secrets";
  await using first = await createEmptyDatabase();
  await using source = open(first);
  await migrateUpTo(source.sql, release);
  const client = new Client({ ...first.connection });
  await client.connect();
  const at = new Date().toISOString();
  const cipher = createCipher(randomBytes(32));
  const newId = createIds(() => new Date(), randomBytes);
  const old = olderRelease({ client, cipher, newId, at, leasesEndAt: at });
  const { id } = await old.addRun(await old.addWorkspace(), "DEPLOY", way("APPLYING"));
  await client.end();
  const parts = await Array.fromAsync(dumpDatabase(source, { createdAt: at, secrets: null }));
  const feed = (db: Database) => db.sql.selectFrom("feed_head").select("epoch").executeTakeFirstOrThrow();
  const { epoch } = await feed(source);

  await using second = await createEmptyDatabase();
  await using database = open(second);
  await migrateUpTo(database.sql, release);
  await loadDatabase(database, () => Readable.from(parts), null);
  expect(await migrateToLatest(database.sql)).toEqual([]);
  expect(await database.sql.selectFrom("run").select(["id", "status"]).execute()).toEqual([{ id, status: "APPLYING" }]);
  expect(await findEpoch(database)).not.toBe("");
  expect((await feed(database)).epoch).not.toBe(epoch);
});
