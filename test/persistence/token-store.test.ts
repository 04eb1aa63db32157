import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Actor, ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../src/model/people/actor.ts";
import type { Token } from "../../src/model/people/token.ts";
import { insertGrant, onInstallation } from "../../src/persistence/people/grant-store.ts";
import { listActorIdsReaching } from "../../src/persistence/people/reach-store.ts";
import { findActors, insertActor } from "../../src/persistence/people/actor-store.ts";
import { violates } from "../../src/persistence/database/database.ts";
import {
  findTokenInForce,
  findTokens,
  findTokensBySecret,
  insertToken,
  putAdminToken,
  revokeToken,
  type TokenTime,
  touchToken,
} from "../../src/persistence/people/token-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

const LATER = "2026-01-02T04:00:00.000Z";
/** An instant, in which no token has been unused for too long. */
const timeAt = (at: string): TokenTime => ({ at, idleSince: "2026-01-01T00:00:00.000Z" });
let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

async function addToken(overrides: Partial<Token> = {}): Promise<{ token: Token; hash: Buffer }> {
  const hash = randomBytes(32);
  const id = stores.newId("token");
  const token = await stores.database.transaction(async (tx) => {
    const actor: Actor = { id: stores.newId("machineUser"), kind: "MACHINE", name: `m ${id}` };
    await insertActor(tx, actor, AT);
    const made: Token = {
      id,
      name: `name of ${id}`,
      role: "WRITER",
      permissions: null,
      scopeIds: null,
      actor,
      networks: [],
      createdAt: AT,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: null,
      rotatedAt: null,
      revokedAt: null,
      ...overrides,
    };
    await insertToken(tx, made, hash);
    await insertGrant(tx, {
      ...onInstallation("WRITER"),
      id: stores.newId("grant"),
      principalId: actor.id,
      reason: null,
      grantedById: ADMIN_ACTOR_ID,
      createdAt: AT,
      expiresAt: null,
    });
    return made;
  });
  return { token, hash };
}

const find = async (hash: Buffer, at = AT): Promise<Token | null> => {
  const [none, found = null] = await findTokensBySecret(stores.database, [randomBytes(32), hash], timeAt(at));
  expect(none).toBeNull();
  return found;
};
const revoke = (id: string): Promise<boolean> => stores.database.transaction((tx) => revokeToken(tx, id, AT));

test("a token is found by its secret's digest alone", async () => {
  const { token, hash } = await addToken();
  expect(await find(hash)).toMatchObject(token);
  expect(await find(randomBytes(32))).toBeNull();
});

test("a token that has expired is gone, to the millisecond", async () => {
  const { token, hash } = await addToken({ expiresAt: LATER });
  expect(await find(hash, "2026-01-02T03:59:59.999Z")).toMatchObject(token);
  expect(await find(hash, LATER)).toBeNull();
  expect(await findTokenInForce(stores.database, token.id, timeAt("2026-01-02T03:59:59.999Z"))).toMatchObject(token);
  expect(await findTokenInForce(stores.database, token.id, timeAt(LATER))).toBeNull();
  const onInstallationAt = [{ key: "", scopeIds: [null] }];
  const deployers = async (at: string) =>
    (await listActorIdsReaching(stores.database, "RUN_DEPLOY", onInstallationAt, at, 1000)).flat();
  expect(await deployers("2026-01-02T03:59:59.999Z")).toContain(token.actor.id);
  expect(await deployers(LATER)).not.toContain(token.actor.id);
});

test("a token that was revoked is gone, and revoked once", async () => {
  const { token, hash } = await addToken();
  expect(await revoke(token.id)).toBe(true);
  expect(await find(hash)).toBeNull();
  expect(await findTokenInForce(stores.database, token.id, timeAt(AT))).toBeNull();
  expect(await findTokens(stores.database, [token.id])).toEqual([{ ...token, organizationId: null, revokedAt: AT }]);
  expect(await revoke(token.id)).toBe(false);
  expect(await revoke(stores.newId("token"))).toBe(false);
});

test("a name is free again once its token was revoked", async () => {
  const { token } = await addToken({ name: "ci" });
  const error: unknown = await addToken({ name: "ci" }).catch((refused: unknown) => refused);
  expect(violates(error, "token_live_name")).toBe(true);
  expect(violates(error, "token_pkey")).toBe(false);
  await revoke(token.id);
  expect((await addToken({ name: "ci" })).token.name).toBe("ci");
});

test("actors of the same kind and name are different actors, each found by its id", async () => {
  const add = async (kind: "USER" | "MACHINE"): Promise<Actor> => {
    const actor: Actor = { id: stores.newId("user"), kind, name: "ada" };
    await stores.database.transaction((tx) => insertActor(tx, actor, AT));
    return actor;
  };
  const [first, second, machine] = [await add("USER"), await add("USER"), await add("MACHINE")];
  const ids = ["usr_none", machine.id, second.id, first.id];
  expect(await findActors(stores.database, ids)).toEqual([null, machine, second, first]);
});

test("the use of a token is noted at most once in a while", async () => {
  const { token } = await addToken();
  const touch = async (at: string): Promise<string | null | undefined> => {
    await touchToken(stores.database, { id: token.id, from: null }, new Date(at), 60_000);
    return (await findTokens(stores.database, [token.id]))[0]?.lastUsedAt;
  };
  expect(await touch(AT)).toBe(AT);
  expect(await touch("2026-01-02T03:05:05.678Z")).toBe(AT);
  expect(await touch("2026-01-02T03:05:05.679Z")).toBe("2026-01-02T03:05:05.679Z");
});

test("the admin token takes the secret of the newest start", async () => {
  const secrets = [randomBytes(32), randomBytes(32)];
  for (const secretHash of secrets) {
    await stores.database.transaction((tx) =>
      putAdminToken(tx, { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash, at: AT }),
    );
  }
  const found = await Promise.all(secrets.map((secret) => find(secret)));
  expect(found).toMatchObject([
    null,
    { id: ADMIN_TOKEN_ID, role: "ADMIN", actor: { id: ADMIN_ACTOR_ID, name: "admin" } },
  ]);
});
