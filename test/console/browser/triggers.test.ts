/** What starts runs without a person: the pages of schedules, and a workspace whose schedules are set on its own page. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { must } from "../../support/people-steps.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `resource "terraform_data" "web" { input = "one" }`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
}, 120_000);
afterAll(() => scene[Symbol.asyncDispose]());

const SCHEDULES = `{ organization(slug: "default") { schedules(first: 10) { edges { node {
  name action command cron timeZone enabled label spreadMinutes misfire workspace { name } } } } } }`;

it("creates a schedule of a label, runs it, changes it, switches it off, and deletes it", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("nightly", { "main.tf": MAIN });
  await must(api, "updateWorkspace", { workspaceId, labels: ["env:dev"] }, "workspace { id }");
  const stored = async (): Promise<unknown[]> =>
    (await api.ask(SCHEDULES)).organization.schedules.edges.map(({ node }: { node: unknown }) => node);
  await using opened = await scene.open("/o/default/schedules");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("There is no schedule yet.").waitFor();
  await page.getByRole("button", { name: "New schedule" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New schedule" });
  await creating.getByLabel("Name").fill("plans \u202e");
  await creating.getByLabel("Label").fill("env:dev");
  await creating.getByLabel("Times", { exact: true }).fill("30 25 * * *");
  await creating.getByLabel("Time zone").fill("UTC+1");
  await creating.getByRole("button", { name: "Create the schedule" }).press("Enter");
  await creating.locator('input[name="cron"][aria-invalid=true]').waitFor();
  await creating.locator('input[name="timeZone"][aria-invalid=true]').waitFor();
  await checkViews(page, "schedule-refused");
  await creating.getByLabel("Times", { exact: true }).fill("30 2 29 2 *");
  await creating.getByLabel("Time zone").fill("Europe/Berlin");
  await creating.getByLabel("Minutes over which").fill("60");
  await creating.getByRole("button", { name: "Create the schedule" }).press("Enter");
  const row = page.getByRole("row", { name: /plans \\u202e/ });
  await row.getByText("in workspaces with env:dev").waitFor();
  const made = { name: "plans \u202e", action: "RUN", command: null, cron: "30 2 29 2 *", timeZone: "Europe/Berlin" };
  const rest = { enabled: true, label: "env:dev", spreadMinutes: 60, misfire: "ONCE", workspace: null };
  expect(await stored()).toEqual([{ ...made, ...rest }]);

  await row.getByRole("button", { name: "Run now" }).press("Enter");
  const running = page.getByRole("dialog", { name: "Run the schedule plans \\u202e now" });
  await running.getByRole("button", { name: "Run now" }).press("Enter");
  await row.getByRole("link").waitFor();
  await checkViews(page, "schedules");
  await row.getByRole("link").press("Enter");
  await page.getByRole("table", { name: "Runs of the changeset" }).getByRole("link", { name: "nightly #1" }).waitFor();
  await page.goBack();

  await row.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the schedule plans \\u202e" });
  await changing.getByLabel("Action").selectOption("Execute a command");
  await changing.getByLabel("Command").fill("echo 'hello'");
  await changing.getByLabel("Times that pass").selectOption("They are dropped");
  await changing.getByRole("button", { name: "Change the schedule" }).press("Enter");
  await row.getByText("Execute a command").waitFor();
  const task = { ...made, action: "TASK", command: "echo 'hello'" };
  expect(await stored()).toEqual([{ ...task, ...rest, misfire: "SKIP" }]);

  await row.getByRole("button", { name: "Switch off" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Switch off the schedule plans \\u202e" });
  await asking.getByRole("button", { name: "Switch off" }).press("Enter");
  await row.getByText("switched off").waitFor();
  await row.getByRole("button", { name: "Switch on" }).press("Enter");
  await row.getByRole("button", { name: "Switch off" }).waitFor();
  await row.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("There is no schedule yet.").waitFor();
  expect(await stored()).toEqual([]);
  expect(reports).toEqual([]);
}, 120_000);

it("sets a schedule on the page of its workspace, by the rights that a person has there", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("weekly", { "main.tf": MAIN });
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const account = { organizationId: organization.id, name: "clerk" };
  const { actor } = await must(api, "createServiceAccount", account, "actor { id }");
  const { secret } = await must(api, "createToken", { ownerId: actor.id, name: "clerk" }, "secret");
  const grant = { principalId: actor.id, scopeId: workspaceId };
  await must(api, "createGrant", { ...grant, roleId: builtInRoleId("PLANNER") }, "grant { id }");
  const destroys = { workspaceId, organizationId: organization.id, name: "end", action: "DESTROY", cron: "0 0 1 1 *" };
  await must(api, "createSchedule", destroys, "schedule { id }");
  await using opened = await scene.open("/o/default/w/weekly");
  const { page, reports } = opened;
  await signIn(page, secret);
  const schedules = page.getByRole("region", { name: "Schedules" });
  await schedules.getByRole("row", { name: /end.*Destroy everything/ }).waitFor();
  expect(await schedules.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await schedules.getByRole("button", { name: "New schedule" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New schedule of weekly" });
  await creating.getByLabel("Name").fill("drift");
  expect(await creating.getByLabel("Action").locator("option").allTextContents()).toEqual(["Look for drift"]);
  await creating.getByLabel("Times", { exact: true }).fill("0 3 * * 1");
  await creating.getByRole("button", { name: "Create the schedule" }).press("Enter");
  const row = schedules.getByRole("row", { name: /drift/ });
  await row.getByText("clerk").waitFor();
  await row.getByRole("button", { name: "Delete" }).waitFor();
  await page.goto(`${scene.site}/o/default/schedules`);
  await page.getByRole("row", { name: /drift/ }).getByRole("link", { name: "weekly" }).waitFor();
  expect(await page.getByRole("button", { name: "New schedule" }).count()).toBe(0);
  expect(reports).toEqual([]);
}, 120_000);
