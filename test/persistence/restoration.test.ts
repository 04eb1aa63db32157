import { expect, test } from "vitest";
import type { BackupPart } from "../../src/persistence/backup/format.ts";
import { loadDatabase } from "../../src/persistence/backup/load.ts";
import { type Database, openDatabase } from "../../src/persistence/database.ts";
import { migrateUpTo } from "../../src/persistence/migrate.ts";
import { findEpoch } from "../../src/persistence/restoration-store.ts";
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

test("a backup of an earlier release is loaded as far as that one had come", async () => {
  await using empty = await createEmptyDatabase();
  await using database = open(empty);
  await migrateUpTo(database.sql, "0022-feed-pending");
  await loadDatabase(database, nothing, null);
});
