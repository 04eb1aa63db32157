import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { claim } from "../support/fake-runner.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { approve, createWorkspace, refused, tryToCreateRun } from "../support/run-steps.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

it("takes a change through both gates", async () => {
  const { api, url, runnerToken } = server;
  const path = await server.makeSource("one", { "main.tf": 'resource "terraform_data" "a" {}' });
  const created = await tryToCreateRun(api, await createWorkspace(api, "one", path));
  if (created.__typename !== "CreateRunSuccess") refused(created);
  expect(created.run.status).toBe("READY");
  const plan = await claim(url, runnerToken);
  expect(plan?.job.leg).toBe("PLAN");
  expect((await plan?.plan())?.body).toEqual({ goOn: false });
  const run = await waitForStatus(api, created.run.id, "AWAITING_PLAN_APPROVAL");
  expect(await approve(api, run.id, "PLAN")).toBe("AWAITING_APPLY_APPROVAL");
  expect(await approve(api, run.id, "APPLY")).toBe("CONFIRMED");
  const apply = await claim(url, runnerToken);
  expect(apply?.job.plan?.version).toBe(1);
  expect((await apply?.apply(1))?.body).toEqual({ goOn: false });
  const done = await waitForStatus(api, run.id, "FINISHED");
  expect(done.outcome).toBe("APPLIED");
  expect(server.reported).toEqual([]);
});
