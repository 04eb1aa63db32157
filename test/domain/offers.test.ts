/** Free capacity of an organization that no change has offered: the round of the scheduler finds it. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { offerFreeCapacity } from "../../src/domain/lifecycle/offer-capacity.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { ADMIN, type Line, openLine } from "../support/line.ts";

let server: InProcess;
let line: Line;
beforeAll(async () => {
  server = await startInProcess();
  line = await openLine(server);
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => expect(server.reported.splice(0)).toEqual([]));

it("a run that has no place is offered one, up to the limit of the organization", async () => {
  const { sql } = server.deps.database;
  const { id: organizationId } = await sql.selectFrom("organization").select("id").executeTakeFirstOrThrow();
  await server.domain.updateOrganization(ADMIN, { organizationId, concurrencyLimit: 2 });
  for (let count = 0; count < 3; count += 1) await line.queue(await line.addWorkspace(), "DEPLOY");
  await sql.updateTable("dispatch").set({ offered: false }).execute();
  expect(await line.claim()).toBeNull();
  await offerFreeCapacity(server.deps);
  const claimed = [await line.claim(), await line.claim(), await line.claim()];
  expect(claimed.map((job) => job !== null)).toEqual([true, true, false]);
});
