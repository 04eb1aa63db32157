/** Servers of one database that start in the same moment set the secret of the installation's own token. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../src/model/people/actor.ts";
import { putAdminToken } from "../../src/persistence/people/token-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

const ROUNDS = 100;
const SERVERS = 4;

it("is set once by many that start at once, and none of them fails", async () => {
  const { database } = stores;
  for (let round = 0; round < ROUNDS; round++) {
    await database.transaction((tx) => tx.sql.deleteFrom("token").where("id", "=", ADMIN_TOKEN_ID).execute());
    const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: randomBytes(32), at: AT };
    const changed = await Promise.all(
      Array.from({ length: SERVERS }, () => database.transaction((tx) => putAdminToken(tx, token))),
    );
    expect(changed).toEqual(changed.map(() => false));
  }
});

it("has one secret in the end, and each server but the first learns that it replaced another one", async () => {
  const { database } = stores;
  await database.transaction((tx) => tx.sql.deleteFrom("token").where("id", "=", ADMIN_TOKEN_ID).execute());
  const changed = await Promise.all(
    Array.from({ length: SERVERS }, () => {
      const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: randomBytes(32), at: AT };
      return database.transaction((tx) => putAdminToken(tx, token));
    }),
  );
  expect(changed.filter((replaced) => replaced)).toHaveLength(SERVERS - 1);
});
