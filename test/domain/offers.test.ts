/** What no change has noticed of capacity and runners of an organization: the rounds of the scheduler find it. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { offerFreeCapacity } from "../../src/domain/lifecycle/offer-capacity.ts";
import { updateReachability } from "../../src/domain/lifecycle/update-reachability.ts";
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

it("runs whose runners have left are noticed; an organization that cannot be changed is reported", async () => {
  const { deps } = server;
  const { sql } = deps.database;
  const { id } = await line.queue(await line.addWorkspace({ runnerLabels: ["gpu"] }), "DEPLOY");
  const isReachable = async () =>
    (await sql.selectFrom("dispatch").select("reachable").where("run_id", "=", id).executeTakeFirstOrThrow()).reachable;
  await sql.updateTable("dispatch").set({ reachable: true }).where("run_id", "=", id).execute();
  const failed: unknown[] = [];
  const isLost = new Error("It is lost.");
  const broken: Deps = {
    ...deps,
    database: { ...deps.database, transaction: () => Promise.reject(isLost) },
    reportError: (error, doing) => failed.push([error, doing]),
  };
  await updateReachability(broken, 2);
  const report = [isLost, expect.stringMatching(/^updating the reachable runs of org_/)];
  expect(failed).toEqual([report, report]);
  expect(await isReachable()).toBe(true);
  await updateReachability(deps);
  expect(await isReachable()).toBe(false);
});
