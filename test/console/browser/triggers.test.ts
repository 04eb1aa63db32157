/** The pages of what starts runs without a person: schedules, inbound hooks, and pipelines through which commits move. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { waitUntil } from "../../support/eventually.ts";
import { TestRepository } from "../../support/git.ts";
import { must } from "../../support/people-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn, untilLive } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `resource "terraform_data" "web" { input = "one" }`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
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
  await creating.getByText("These are no times yet.").waitFor();
  await creating.getByLabel("Times", { exact: true }).fill("30 2 29 2 *");
  await creating.getByLabel("Time zone").fill("Europe/Berlin");
  await creating
    .getByText(/^Next: Feb 29, \d{4}, 2:30.AM; Feb 29, \d{4}, 2:30.AM; Feb 29, \d{4}, 2:30.AM\.$/)
    .waitFor();
  await checkViews(page, "schedule-new");
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

  // Another person changes the label meanwhile, and it stays.
  await row.getByRole("button", { name: "Change" }).press("Enter");
  await changing.getByLabel("Minutes over which").fill("30");
  const { schedules } = (
    await api.ask(`{ organization(slug: "default") { schedules(first: 1) { edges { node { id } } } } }`)
  ).organization;
  await must(api, "updateSchedule", { scheduleId: schedules.edges[0].node.id, label: "env:test" }, "schedule { id }");
  await changing.getByRole("button", { name: "Change the schedule" }).press("Enter");
  await changing.waitFor({ state: "detached" });
  await row.getByText("in workspaces with env:test").waitFor();
  expect(await stored()).toEqual([{ ...task, ...rest, misfire: "SKIP", spreadMinutes: 30, label: "env:test" }]);

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
});

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
});

it("creates an inbound hook, gets a delivery, rotates its secret, and deletes it", async () => {
  const { api } = scene.server;
  await scene.createWorkspace("ticketed", { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/inbound-hooks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("There is no inbound hook yet.").waitFor();
  await page.getByRole("button", { name: "New inbound hook" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New inbound hook" });
  // The fields are loaded when the dialog opens, and its first one has the focus then.
  const name = creating.getByLabel("Name");
  await waitUntil(() => name.evaluate((field) => field === document.activeElement));
  await name.fill("A ticket was closed");
  await creating.getByLabel("Values of the body").fill("ticket");
  await creating.getByRole("button", { name: "Create the inbound hook" }).press("Enter");
  await creating.getByText("must be one value a line").waitFor();
  await creating.getByLabel("Values of the body").fill("ticket = ticket/id");
  // A problem is shown at its field where the field is there.
  await creating.getByLabel("ticketed").waitFor();
  await creating.getByRole("button", { name: "Create the inbound hook" }).press("Enter");
  await creating.locator("[data-invalid]").waitFor();
  await creating.getByLabel("ticketed").check();
  await creating.getByLabel("Values of the body").fill("ticket = /ticket/id");
  await creating.getByRole("button", { name: "Create the inbound hook" }).press("Enter");
  const secret = (await creating.getByLabel("The secret", { exact: true }).textContent()) ?? "";
  await creating.getByText(/^curl .*\/hooks\/in\//).waitFor();
  await closeDialog(page);
  expect(await page.content()).not.toContain(secret);
  const row = page.getByRole("row", { name: /A ticket was closed/ });
  await row.getByText("none yet").waitFor();
  const path = (await row.locator("code").first().textContent()) ?? "";
  const deliver = async (bearer: string, id: string): Promise<number> => {
    const headers = { authorization: `Bearer ${bearer}`, "webhook-id": id, "content-type": "application/json" };
    const body = JSON.stringify({ ticket: { id: "T-17" } });
    return (await fetch(scene.site + path, { method: "POST", headers, body })).status;
  };
  expect(await deliver(secret, "one")).toBe(202);
  await page.reload();
  await row.waitFor();
  await row.getByText("none yet").waitFor({ state: "detached" });
  await checkViews(page, "inbound-hooks");

  await row.getByRole("button", { name: "Rotate the secret" }).press("Enter");
  const rotating = page.getByRole("dialog", { name: "Rotate the secret of A ticket was closed" });
  await rotating.getByLabel("It ends at once").check();
  await rotating.getByRole("button", { name: "Rotate the secret" }).press("Enter");
  const rotated = (await rotating.getByLabel("The new secret", { exact: true }).textContent()) ?? "";
  await closeDialog(page);
  expect(await deliver(secret, "two")).toBe(401);
  expect(await deliver(rotated, "two")).toBe(202);

  await row.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the inbound hook A ticket was closed" });
  await changing.getByLabel("Values of the body").fill('number = /ticket/id\n"a = /b" = /ticket/id');
  await changing.getByRole("button", { name: "Change the inbound hook" }).press("Enter");
  await row.getByText("number =").waitFor();
  const storedMapping = async () =>
    (await api.ask(`{ organization(slug: "default") { inboundHooks { mapping { key pointer } } } }`)).organization
      .inboundHooks[0].mapping;
  const mapping = ["number", "a = /b"].map((key) => ({ key, pointer: "/ticket/id" }));
  expect(await storedMapping()).toEqual(mapping);
  // A form that was opened on such a key gives it back.
  await row.getByRole("button", { name: "Change" }).press("Enter");
  const lines = await changing.getByLabel("Values of the body").inputValue();
  await changing.getByLabel("Values of the body").fill(`${lines}\nthird = /ticket/id`);
  await changing.getByRole("button", { name: "Change the inbound hook" }).press("Enter");
  await row.getByText("third =").waitFor();
  expect(await storedMapping()).toEqual([...mapping, { key: "third", pointer: "/ticket/id" }]);
  // What was not changed stays.
  await row.getByRole("link", { name: "ticketed" }).waitFor();
  expect(await deliver(rotated, "changed")).toBe(202);

  await row.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("There is no inbound hook yet.").waitFor();
  expect(await deliver(rotated, "three")).toBe(401);
  expect(reports).toEqual([]);
});

it("creates a pipeline, shows what is in each stage, and promotes it", async () => {
  const { server, sourceRoot } = scene;
  const { api } = server;
  const git = new TestRepository(join(sourceRoot, "web"));
  const commit = git.commit({ "main.tf": MAIN });
  const source = { git: { url: `file://${sourceRoot}/web` } };
  const free = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
  for (const stage of ["dev", "prod"]) {
    const workspaceId = await scene.createWorkspace(`web-${stage}`, { "main.tf": MAIN });
    const settings = { workspaceId, source, labels: [`web:${stage}`], ...(stage === "dev" ? free : {}) };
    await must(api, "updateWorkspace", settings, "workspace { id }");
  }
  await using opened = await scene.open("/o/default/pipelines");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("There is no pipeline yet.").waitFor();
  await page.getByRole("button", { name: "New pipeline" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New pipeline" });
  const stage = (number: number) => creating.getByRole("group", { name: `Stage ${number}` });
  await creating.getByLabel("Name", { exact: true }).fill("web");
  await creating.getByRole("button", { name: "Add a stage" }).press("Enter");
  for (const [number, name] of [
    [1, "dev"],
    [2, "none"],
    [3, "prod"],
  ] as const) {
    await stage(number).getByLabel("Name of the stage").fill(name);
    await stage(number)
      .getByLabel("Label of its workspaces")
      .fill(number === 3 ? "web:dev" : `web:${name}`);
  }
  await creating.getByRole("button", { name: "Remove stage 2" }).press("Enter");
  await creating.getByRole("button", { name: "Create the pipeline" }).press("Enter");
  await stage(2).locator('input[name="stages.1.label"][aria-invalid=true]').waitFor();
  await stage(2).getByLabel("Label of its workspaces").fill("web:prod");
  await creating.getByRole("button", { name: "Create the pipeline" }).press("Enter");
  await page.getByRole("link", { name: "web", exact: true }).press("Enter");
  const dev = page.getByRole("region", { name: "Stage dev" });
  await dev.getByText("No changeset was here lately.").waitFor();

  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const wanted = { organizationId: organization.id, labels: ["web:dev"], title: "first" };
  const { changeset } = await must(api, "createChangeset", wanted, "changeset { id }");
  await dev
    .getByRole("row", { name: /first/ })
    .getByText(/^applied$/)
    .waitFor({ timeout: 60_000 });
  await dev.getByText(commit.slice(0, 12)).waitFor();
  await dev.getByRole("button", { name: "Promote to prod" }).press("Enter");
  const promoting = page.getByRole("dialog", { name: "Promote first to prod" });
  await promoting.getByRole("button", { name: "Promote to prod" }).press("Enter");
  await dev.getByText("promoted", { exact: true }).waitFor();
  const prod = page.getByRole("region", { name: "Stage prod" });
  await prod.getByRole("row", { name: /planned/ }).waitFor({ timeout: 60_000 });
  await checkViews(page, "pipeline");
  const { changeset: promoted } = await api.ask(
    `{ changeset(id: "${changeset.id}") { promotions { stage state changeset { commit } } } }`,
  );
  expect(promoted.promotions).toEqual([{ stage: "prod", state: "PROMOTED", changeset: { commit } }]);

  // Another client changes the name while a form changes the stages, and the stages while one changes the name.
  const { pipelines } = (await api.ask(`{ organization(slug: "default") { pipelines { edges { node { id } } } } }`))
    .organization;
  const pipelineId = pipelines.edges[0].node.id;
  const changed = "pipeline { name stages { name label automatic soakMinutes } }";
  await page.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the pipeline web" });
  await changing.getByLabel("Minutes for which").fill("90");
  await changing.getByLabel("Automatic").check();
  const { pipeline: renamed } = await must(api, "updatePromotionPipeline", { pipelineId, name: "site" }, changed);
  await changing.getByRole("button", { name: "Change the pipeline" }).press("Enter");
  await page.getByText("dev → prod (automatic, soaks 1 h 30 min)").waitFor();
  await page.getByText("site", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Change" }).press("Enter");
  const naming = page.getByRole("dialog", { name: "Change the pipeline site" });
  await naming.getByLabel("Name", { exact: true }).fill("web");
  await must(api, "updatePromotionPipeline", { pipelineId, stages: renamed.stages }, changed);
  await naming.getByRole("button", { name: "Change the pipeline" }).press("Enter");
  await page.getByText("web", { exact: true }).first().waitFor();
  await page.getByText("dev → prod", { exact: true }).waitFor();
  // A stage that is removed, without a change in another one.
  const three = [...renamed.stages, { ...renamed.stages[1], name: "last", label: "web:last" }];
  await must(api, "updatePromotionPipeline", { pipelineId, stages: three }, changed);
  await page.reload();
  await untilLive(page);
  await page.getByRole("button", { name: "Change" }).press("Enter");
  await changing.getByRole("button", { name: "Remove stage 3" }).press("Enter");
  await changing.getByRole("button", { name: "Change the pipeline" }).press("Enter");
  await page.getByText("dev → prod", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("There is no pipeline yet.").waitFor();
  expect(reports).toEqual([]);
});
