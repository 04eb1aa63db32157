import { expect, test } from "vitest";
import { ADMIN_ACTOR_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import {
  findIdempotencyKey,
  type IdempotencyKey,
  putIdempotencyKey,
  removeIdempotencyKeys,
} from "../../src/persistence/run/idempotency-store.ts";
import { AT, openStores } from "../support/store-fixtures.ts";

const LATER = "2026-01-03T03:04:05.678Z";

test("a key belongs to a workspace and an actor, for a while", async () => {
  await using stores = await openStores();
  const workspace = await stores.addWorkspace();
  const [first, second] = [await stores.addRun(workspace), await stores.addRun(workspace)];
  const mine: IdempotencyKey = { workspaceId: workspace.id, actorId: ADMIN_ACTOR_ID, key: "k" };
  const find = (key: IdempotencyKey, since: string) =>
    stores.database.transaction((tx) => findIdempotencyKey(tx, key, since));
  const put = (runId: string, requestDigest: string, at: string) =>
    stores.database.transaction((tx) => putIdempotencyKey(tx, mine, { runId, requestDigest, at }));

  expect(await find(mine, AT)).toBeNull();
  await put(first.id, "one", AT);
  expect(await find(mine, AT)).toEqual({ requestDigest: "one", runId: first.id });
  expect(await find(mine, "2026-01-02T03:04:05.679Z")).toBeNull();
  expect(await find({ ...mine, key: "K" }, AT)).toBeNull();
  expect(await find({ ...mine, actorId: SYSTEM_ACTOR_ID }, AT)).toBeNull();
  expect(await find({ ...mine, workspaceId: (await stores.addWorkspace()).id }, AT)).toBeNull();

  await put(second.id, "two", LATER);
  expect(await find(mine, LATER)).toEqual({ requestDigest: "two", runId: second.id });

  const remove = (before: string) => stores.database.transaction((tx) => removeIdempotencyKeys(tx, before, 10));
  expect(await remove(LATER)).toBe(0);
  expect(await find(mine, AT)).not.toBeNull();
  expect(await remove("2026-01-03T03:04:05.679Z")).toBe(1);
  expect(await find(mine, AT)).toBeNull();
});
