/** A machine that slept for an hour: its page notices at once, offers nothing until it is right, and shows what it missed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { openFakeJobs } from "./fake-jobs.ts";
import { waitForStatus } from "./wait-for-status.ts";

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0, isFaulty: true });
});
afterAll(() => scene[Symbol.asyncDispose]());

it("is right after a sleep of an hour, and lists the runs that changed meanwhile", async () => {
  const { api, url } = scene.server;
  const claimNext = await openFakeJobs(url, api);
  const plan = async (runId: string, version: number): Promise<void> => {
    await (await claimNext()).plan();
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", version);
  };
  const edge = await scene.createWorkspace("edge", { "main.tf": "" });
  const runId = await createRun(api, edge);
  await plan(runId, 1);
  const ended = await createRun(api, await scene.createWorkspace("ended", { "main.tf": "" }));
  await plan(ended, 1);
  const other = await scene.createWorkspace("other", { "main.tf": "" });

  await using opened = await scene.open("/login");
  const { page, reports } = opened;
  await page.clock.install();
  await page.goto(`${scene.site}/r/${runId}`);
  await signIn(page, api.token);
  await page.getByRole("button", { name: "Approve plan v1" }).waitFor();

  // The machine falls asleep: its connection looks open, and carries nothing more.
  scene.link.freeze();
  await api.ask(`mutation { replanRun(input: { runId: "${runId}", planVersion: 1 }) { __typename } }`);
  await plan(runId, 2);
  await api.ask(`mutation { discardRun(input: { runId: "${ended}" }) { __typename } }`);
  await plan(await createRun(api, other), 1);
  expect(await page.getByRole("button", { name: "Approve plan v1" }).count()).toBe(1);

  const opened1 = scene.link.socketCount;
  const wokeAt = performance.now();
  await page.clock.fastForward("01:00:00");
  // Until the connection has answered, the page decides nothing.
  await page.getByText("This page may be out of date.").waitFor();
  await page.getByRole("button", { name: "Approve plan v2" }).waitFor();
  console.log(`right ${Math.round(performance.now() - wokeAt)} ms after waking`);
  expect(scene.link.socketCount).toBe(opened1 + 1);
  const missed = page.getByRole("region", { name: "Missed" });
  await missed.getByText("This page had no connection for 1 h 0 min. 3 runs changed meanwhile:").waitFor();
  await missed.getByText("discarded").waitFor();
  expect(await missed.getByRole("link").allInnerTexts()).toEqual(["other #1", "ended #1", "edge #1"]);
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "missed");

  // What happens from now on was not missed.
  await page.clock.runFor(12_000);
  const { run } = await api.ask(`{ run(id: "${runId}") { status } }`);
  expect(run.status).toBe("AWAITING_PLAN_APPROVAL");
  await api.ask(`mutation { discardRun(input: { runId: "${runId}" }) { __typename } }`);
  await page.getByRole("heading", { name: "Ended" }).waitFor();
  await missed.getByRole("link", { name: "ended #1" }).waitFor();
  await missed.getByRole("button", { name: "Dismiss" }).click();
  await missed.waitFor({ state: "detached" });
  expect(reports).toEqual([]);
});
