/** Answers that are older than what the stream has told of: the page reads once more, and ends up right. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { createRun } from "../../support/run-steps.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { openFakeJobs } from "./fake-jobs.ts";
import { waitForStatus } from "./wait-for-status.ts";

let scene: ConsoleScene;
let claimNext: () => Promise<FakeJob>;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  claimNext = await openFakeJobs(scene.server.url, scene.server.api);
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Answers a query as `answerOf` does, which may read what the server answers. */
async function intercept(
  page: Page,
  query: string,
  answerOf: (read: () => Promise<string>) => Promise<string>,
): Promise<void> {
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes(`query ${query}`)) return route.continue();
    const body = await answerOf(async () => (await route.fetch()).text());
    return route.fulfill({ contentType: "application/json", body });
  });
}

/** Makes workspaces with a run each that waits for an approval, and gives the ids of the runs. */
async function openRuns(...names: string[]): Promise<string[]> {
  const { api } = scene.server;
  const runs: string[] = [];
  for (const name of names) {
    const runId = await createRun(api, await scene.createWorkspace(name, { "main.tf": "" }));
    await (await claimNext()).plan();
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
    runs.push(runId);
  }
  return runs;
}

it("shows an inbox as it is, although a run left it while the page waited for an answer", async () => {
  const { api } = scene.server;
  const [first = "", second = ""] = await openRuns("first", "second");
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("region", { name: "For you 2" }).waitFor();

  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let count = 0;
  await intercept(page, "Inbox", async (read) => {
    count += 1;
    const answer = await read();
    held.resolve();
    await released.promise;
    return answer;
  });
  await must(api, "discardRun", { runId: first }, "run { id }");
  await held.promise;
  await must(api, "discardRun", { runId: second }, "run { id }");
  // The frame has its own answers, and learns of changes together with the page.
  await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
  // An answer that overtakes the one that is held would be lost behind it.
  expect(count).toBe(1);
  released.resolve();
  await page.getByRole("region", { name: "For you 0" }).waitFor();
  expect(count).toBeGreaterThan(1);
  expect(reports).toEqual([]);
});

it("shows the number of an inbox, although it read a state that the stream has not seen", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/runs");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const link = page.getByRole("link", { name: /^Inbox/ });
  await link.waitFor();
  let empty = "";
  await intercept(page, "Asked", async (read) => {
    empty = await read();
    return empty;
  });
  await page.reload();
  await untilLive(page);
  await waitUntil(() => empty !== "");
  expect(await link.innerText()).toBe("Inbox");

  // The inbox is empty again, so briefly that the stream does not see it, and the page reads it then.
  let rest = 3;
  await intercept(page, "Asked", async (read) => {
    if (rest === 0) return read();
    rest -= 1;
    return empty;
  });
  await openRuns("third");
  await page.getByRole("link", { name: "Inbox 1" }).waitFor();
  expect(rest).toBe(0);
  expect(reports).toEqual([]);
});

it("does not state that nothing was sent, where an answer was lost and another plan has come", async () => {
  const { api } = scene.server;
  const [runId = ""] = await openRuns("lost");
  await using opened = await scene.open(`/r/${runId}`);
  const { page } = opened;
  await signIn(page, api.token);
  await page.getByRole("button", { name: "Plan again" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Plan again" });
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("mutation Replan(")) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await dialog.getByRole("button", { name: "Plan again" }).press("Enter");
  await dialog.getByText("Check the page before you send it again.").waitFor();
  await (await claimNext()).plan();
  await dialog.getByText("Plan v2 took the place of v1.").waitFor();
  await dialog.getByText("It can no longer be sent: check on the page whether it was done, then close this.").waitFor();
  expect(await dialog.getByText("Nothing was sent").count()).toBe(0);
  expect(await dialog.locator("button[type=submit]").isDisabled()).toBe(true);
});
