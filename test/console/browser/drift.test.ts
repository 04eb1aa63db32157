/** The drift of a workspace in a browser: what a check has found, and a person who knows of it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import { approveBoth, createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

/** A run of what was applied would change it each time. */
const MAIN = 'resource "terraform_data" "clock" { input = timestamp() }\n';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("is shown by resource once a check has found it, and acknowledged with a note", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("clocks", { "main.tf": MAIN });
  const runId = await createRun(api, workspaceId);
  await approveBoth(api, runId);
  await waitForStatus(api, runId, "FINISHED");
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);

  await using opened = await scene.open("/o/default/w/clocks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const drift = page.getByRole("region", { name: "Drift", exact: true });
  await page.getByRole("link", { name: "clocks #1" }).first().waitFor();
  expect(await drift.count()).toBe(0);
  const input = {
    organizationId: organization.id,
    workspaceId,
    name: "drift",
    cron: "0 3 * * *",
    action: "DETECT_DRIFT",
  };
  const { schedule } = await must(api, "createSchedule", input, "schedule { id }");
  await must(api, "runScheduleNow", { scheduleId: schedule.id }, "changeset { id }");

  // The page is told by its stream.
  await drift.getByText(/^1 resource differs from what was applied/).waitFor();
  const row = drift.getByRole("row", { name: /terraform_data\.clock/ });
  await row.getByRole("cell", { name: "update" }).waitFor();
  await checkViews(page, "drift");
  await drift.getByRole("button", { name: "Acknowledge…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Acknowledge the drift of clocks" });
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
  await dialog.getByLabel("Last day").fill(tomorrow);
  await dialog.getByLabel("Note").fill("it is a clock <b>");
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Acknowledge" }).press("Enter");
  await drift.getByText(/^Acknowledged by admin until .*: it is a clock <b>$/).waitFor();
  await waitUntil(async () => {
    const { workspace } = await api.ask(`{ workspace(by: { id: "${workspaceId}" }) { driftStatus } }`);
    return workspace.driftStatus === "ACKNOWLEDGED";
  });
  expect(reports).toEqual([]);
});
