import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import type { BackupPart } from "../../src/persistence/backup/format.ts";
import { loadDatabase } from "../../src/persistence/backup/load.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { findEpoch } from "../../src/persistence/feed/restoration-store.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";

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

test("the feeds of a restored database have epochs of their own", async () => {
  await using first = await createTestDatabase();
  await using source = open(first);
  const parts = await Array.fromAsync(dumpDatabase(source, { createdAt: new Date().toISOString(), secrets: null }));
  const epochOf = async (db: Database) =>
    (await db.sql.selectFrom("feed_head").select("epoch").executeTakeFirstOrThrow()).epoch;

  await using second = await createEmptyDatabase();
  await using database = open(second);
  await migrateToLatest(database.sql);
  await loadDatabase(database, () => Readable.from(parts), null);
  expect(await findEpoch(database)).not.toBe("");
  expect(await epochOf(database)).not.toBe(await epochOf(source));
});
