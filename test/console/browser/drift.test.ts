/** The drift of a workspace in a browser: what a check has found, and a person who knows of it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import { approveBoth, createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

/** A run of what was applied would change it each time. */
const MAIN = 'resource "terraform_data" "clock" { input = timestamp() }\n';

/** The output differs each time, and the resource never does. */
const ROOMS = `resource "terraform_data" "room" { input = "blue" }
output "at" { value = plantimestamp() }
`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function stateOf(workspaceId: string): Promise<Data> {
  const { workspace } = await scene.server.api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { currentStateVersion { serial
      outputs { name value } resources { nodes { address } } } } }`,
  );
  return workspace.currentStateVersion;
}

/** Starts a check now, by a schedule of the workspace. */
async function checkForDrift(name: string, workspaceId: string): Promise<void> {
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const input = {
    organizationId: organization.id,
    workspaceId,
    name: `drift of ${name}`,
    cron: "0 3 * * *",
    action: "DETECT_DRIFT",
  };
  const { schedule } = await must(api, "createSchedule", input, "schedule { id }");
  await must(api, "runScheduleNow", { scheduleId: schedule.id }, "changeset { id }");
}

it("is shown by resource once a check has found it, and acknowledged with a note", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("clocks", { "main.tf": MAIN });
  const runId = await createRun(api, workspaceId);
  await approveBoth(api, runId);
  await waitForStatus(api, runId, "FINISHED");

  await using opened = await scene.open("/o/default/w/clocks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const drift = page.getByRole("region", { name: "Drift", exact: true });
  await page.getByRole("link", { name: "clocks #1" }).first().waitFor();
  expect(await drift.count()).toBe(0);
  await checkForDrift("clocks", workspaceId);

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
  // A check by a plan found it, and nothing but the configuration asks for it.
  await drift.getByRole("button", { name: "Take it over…" }).press("Enter");
  const taking = page.getByRole("dialog", { name: "Take over the drift of clocks" });
  await taking.getByText(/the run will have nothing to record/).waitFor();
  expect(reports).toEqual([]);
});

it("is taken over by a run that changes the state alone", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("rooms", { "main.tf": ROOMS });
  const runId = await createRun(api, workspaceId);
  await approveBoth(api, runId);
  await waitForStatus(api, runId, "FINISHED");
  await checkForDrift("rooms", workspaceId);
  const before = await stateOf(workspaceId);

  await using opened = await scene.open("/o/default/w/rooms");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const drift = page.getByRole("region", { name: "Drift", exact: true });
  await drift.getByText(/^1 output differs from what was applied/).waitFor();
  await drift.getByRole("button", { name: "Take it over…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Take over the drift of rooms" });
  await dialog.getByText(/records it in the state\. It changes nothing else\./).waitFor();
  await dialog.getByText("Only values of outputs are recorded, as they are then.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  // The focus is in the form, and Escape makes no run.
  await dialog.getByLabel("Message").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await drift.getByRole("button", { name: "Take it over…" }).press("Enter");
  await page.keyboard.type("the rooms moved");
  const sent = page.waitForRequest((request) => request.postData()?.includes("createRun") === true);
  await page.keyboard.press("Enter");
  const { input } = (await sent).postDataJSON().variables;
  const order = { workspaceId, kind: "DEPLOY", refreshOnly: true, message: "the rooms moved" };
  expect(input).toEqual({ ...order, idempotencyKey: expect.stringMatching(/^[\da-f-]{36}$/) });

  await page.waitForURL(/\/o\/default\/w\/rooms\/runs\/3$/);
  await page.getByRole("heading", { name: "rooms #3" }).waitFor();
  const { workspace } = await api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { latestRun { id kind refreshOnly message } } }`,
  );
  const { id, ...made } = workspace.latestRun;
  expect(made).toEqual({ kind: "DEPLOY", refreshOnly: true, message: "the rooms moved" });
  await approveBoth(api, id);
  await waitForStatus(api, id, "FINISHED");
  const after = await stateOf(workspaceId);
  expect(after.serial).toBeGreaterThan(before.serial);
  expect(after.outputs).not.toEqual(before.outputs);
  expect(after.resources).toEqual(before.resources);
  expect(reports).toEqual([]);
});

it("is taken over by those alone who may create runs", async () => {
  const { api } = scene.server;
  const { secret } = await must(api, "createToken", { name: "reader", role: "READER" }, "secret");
  await using opened = await scene.open("/o/default/w/rooms");
  const { page, reports } = opened;
  await signIn(page, secret);
  const button = page
    .getByRole("region", { name: "Drift", exact: true })
    .getByRole("button", { name: "Take it over…" });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await button.getAttribute("title")).toMatch(/RUN_DEPLOY/);
  expect(reports).toEqual([]);
});
