/** Commands about one's own credentials when every other connection of the pool is in use. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { requireOwnRights } from "../../../src/domain/token/own-rights.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { waitUntil } from "../../support/eventually.ts";
import { openScene, type Scene } from "../scene.ts";

/** The size of the pool, as openDatabase sets it. */
const CONNECTIONS = 20;

let scene: Scene;
let admin: ActorCaller;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  admin = (await scene.server.domain.authenticate(scene.api.token, () => null)) ?? expect.fail("No caller.");
});
afterAll(() => scene[Symbol.asyncDispose]());

it("need no second connection: as many of them as the pool has at once wait for nothing", async () => {
  const { database, clock } = scene.server.deps;
  const begun = Promise.withResolvers<undefined>();
  let open = 0;
  const commands = Array.from({ length: CONNECTIONS }, () =>
    database.transaction(async (tx) => {
      open += 1;
      await begun.promise;
      await requireOwnRights(tx, { clock }, admin, "do this");
    }),
  );
  await waitUntil(() => open === CONNECTIONS);
  begun.resolve(undefined);
  await Promise.all(commands);
  expect(open).toBe(CONNECTIONS);
});
