/** Approval rules and freeze windows of a workspace and of its organization, set in the browser alone. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = 'resource "terraform_data" "web" {}';

let scene: ConsoleScene;
let workspaceId: string;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  workspaceId = await scene.createWorkspace("shop", { "main.tf": MAIN });
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  await must(api, "createTeam", { organizationId: organization.id, name: "infra" }, "team { id }");
});
afterAll(() => scene[Symbol.asyncDispose]());

const RULES = `approvalRules { name gate kinds minimum approvers { id } teamIds excludeRequester distinctFromPlanApprover
  commentRequired requirePresence machinesCount when { minDestructions minReplacements monthlyCostDeltaOver resourceTypes labels
  triggers } } freezeWindows { name cron timeZone durationMinutes }`;
const storedRules = async () =>
  (await scene.server.api.ask(`{ workspace(by: { id: "${workspaceId}" }) { ${RULES} } }`)).workspace;
const setRules = (rules: object) =>
  must(scene.server.api, "updateWorkspace", { workspaceId, ...rules }, "workspace { id }");

const openForm = async (page: Page, button: Locator, title: string) => {
  await button.press("Enter");
  const form = page.getByRole("dialog", { name: title });
  await form.getByLabel("Name").waitFor();
  return form;
};

it("adds, changes, orders and deletes rules, and overwrites no change of others", async () => {
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.getByText("One approval at each gate, by anyone who may approve.").waitFor();
  const item = (name: string) => rules.getByRole("listitem").filter({ hasText: name });
  const change = (name: string) => item(name).getByRole("button", { name: "Change" });

  // What is wrong is said at its field, and nothing that was typed is lost.
  const adding = await openForm(
    page,
    rules.getByRole("button", { name: "New approval rule" }),
    "New approval rule of shop",
  );
  await adding.getByLabel("Name").fill("two \u202epeople");
  await adding.getByLabel("Gate", { exact: true }).selectOption("APPLY");
  await adding.getByLabel("Approvals", { exact: true }).fill("3");
  await adding.getByLabel("Machines count").check();
  await adding.getByLabel("Only with a comment").check();
  await adding.getByLabel("infra").check();
  await adding.getByLabel("That destroy at least").fill("2");
  await adding.getByLabel(/That change resources/).fill("aws_{iam,kms}_*\naws_vpc");
  const submit = adding.getByRole("button", { name: "Add the approval rule" });
  await submit.press("Enter");
  await adding.locator('input[name="minimum"][aria-invalid=true]').waitFor();
  await adding.getByText("Nothing was done. Correct the fields that are marked.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("minimum");
  await checkViews(page, "rule-refused");
  await adding.getByLabel("infra").uncheck();
  await adding.getByLabel("Approvals", { exact: true }).fill("1");
  await submit.press("Enter");
  await adding.waitFor({ state: "detached" });
  await rules.getByText("two \\u202epeople").waitFor();
  const added = {
    name: "two \u202epeople",
    gate: "APPLY",
    kinds: ["DEPLOY", "DESTROY", "APPLY"],
    minimum: 1,
    approvers: [],
    teamIds: [],
    excludeRequester: false,
    distinctFromPlanApprover: false,
    commentRequired: true,
    requirePresence: false,
    machinesCount: true,
    when: {
      minDestructions: 2,
      minReplacements: null,
      monthlyCostDeltaOver: null,
      resourceTypes: ["aws_{iam,kms}_*", "aws_vpc"],
      labels: [],
      triggers: [],
    },
  };
  expect((await storedRules()).approvalRules).toEqual([added]);

  // A rule that someone else adds while the form is open stays; one that someone else changes is not overwritten.
  const changing = await openForm(page, change("\\u202epeople"), "Change the approval rule two \\u202epeople of shop");
  expect(await changing.getByLabel("That destroy at least").inputValue()).toBe("2");
  const own = { gate: "APPLY", minimum: 1, machinesCount: true, commentRequired: true, when: added.when };
  const others = { name: "others", gate: "PLAN", minimum: 1, machinesCount: true };
  await setRules({ approvalRules: [{ ...own, name: added.name }, others] });
  await rules.getByText("others").waitFor();
  await changing.getByLabel("Name").fill("two people");
  await changing.getByRole("button", { name: "Change the approval rule" }).press("Enter");
  await changing.waitFor({ state: "detached" });
  expect((await storedRules()).approvalRules).toMatchObject([{ ...added, name: "two people" }, { name: "others" }]);

  await rules.getByText("two people").waitFor();
  const stale = await openForm(page, change("two people"), "Change the approval rule two people of shop");
  await setRules({ approvalRules: [{ ...own, name: "two people", commentRequired: false }, others] });
  await rules.getByText(", with a comment").waitFor({ state: "detached" });
  await stale.getByText("two people was changed meanwhile. Close this, and open it again").waitFor();
  await stale.getByLabel("Approvals", { exact: true }).fill("1");
  await stale.getByRole("button", { name: "Change the approval rule" }).press("Enter");
  await stale.getByText("two people was changed meanwhile. Nothing was sent.").waitFor();
  await checkViews(page, "rule-stale");
  expect((await storedRules()).approvalRules[0].commentRequired).toBe(false);
  await closeDialog(page);

  await item("others").getByRole("button", { name: "Move up" }).press("Enter");
  await expect
    .poll(async () => (await storedRules()).approvalRules.map(({ name }: { name: string }) => name))
    .toEqual(["others", "two people"]);
  await item("two people").getByRole("button", { name: "Move up" }).waitFor();
  await item("others").getByRole("button", { name: "Delete" }).press("Enter");
  const asking = page.getByRole("dialog", { name: "Delete the approval rule others of shop" });
  await asking.getByRole("button", { name: "Delete" }).press("Enter");
  await item("others").waitFor({ state: "detached" });
  expect((await storedRules()).approvalRules).toHaveLength(1);
  expect(reports).toEqual([]);
});

it("sets freeze windows of a workspace, and rules of its organization that the workspace shows", async () => {
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const adding = await openForm(
    page,
    page.getByRole("button", { name: "New freeze window" }),
    "New freeze window of shop",
  );
  await adding.getByLabel("Name").fill("weekend");
  await adding.getByLabel("Opens").fill("0 18 * *");
  await adding.getByLabel("Time zone").fill("Europe/Berlin");
  await adding.getByLabel("Length in minutes").fill("3600");
  await adding.getByRole("button", { name: "Add the freeze window" }).press("Enter");
  await adding.locator('input[name="cron"][aria-invalid=true]').waitFor();
  await adding.getByLabel("Opens").fill("0 18 * * 5");
  await adding.getByRole("button", { name: "Add the freeze window" }).press("Enter");
  await adding.waitFor({ state: "detached" });
  await page.getByText(/Nothing is applied in weekend/).waitFor();
  expect((await storedRules()).freezeWindows).toEqual([
    { name: "weekend", cron: "0 18 * * 5", timeZone: "Europe/Berlin", durationMinutes: 3600 },
  ]);

  await page.getByRole("link", { name: "Rules", exact: true }).press("Enter");
  await page.waitForURL("**/o/default/rules");
  const approvals = page.getByRole("region", { name: "Approval rules" });
  await approvals.getByRole("button", { name: "New approval rule" }).press("Enter");
  const rule = page.getByRole("dialog", { name: /^New approval rule of/ });
  await rule.getByLabel("Name").fill("infra looks");
  await rule.getByLabel("Machines count").check();
  await rule.getByRole("button", { name: "Add the approval rule" }).press("Enter");
  await rule.waitFor({ state: "detached" });
  await approvals.getByText("infra looks").waitFor();
  const windows = page.getByRole("region", { name: "Freeze windows" });
  await windows.getByRole("button", { name: "New freeze window" }).press("Enter");
  const window = page.getByRole("dialog", { name: /^New freeze window of/ });
  await window.getByLabel("Name").fill("year's end");
  await window.getByLabel("Opens").fill("0 0 20 12 *");
  await window.getByLabel("Length in minutes").fill("20160");
  await window.getByRole("button", { name: "Add the freeze window" }).press("Enter");
  await windows.getByText(/year's end/).waitFor();
  await checkViews(page, "organization-rules");
  await page.goto(`${scene.site}/o/default/w/shop`);
  const shown = page.getByRole("list", { name: /^Rules of/ });
  await shown.getByText("infra looks").waitFor();
  await shown.getByText(/year's end/).waitFor();
  await checkViews(page, "workspace-rules");
  expect(reports).toEqual([]);
});

it("reads the rules of an organization again when a person comes back, and when a form opens", async () => {
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  const setOwn = (commentRequired: boolean) => {
    const approvalRules = [{ name: "both", gate: "PLAN", minimum: 1, machinesCount: true, commentRequired }];
    return must(api, "updateOrganization", { organizationId: organization.id, approvalRules }, "organization { id }");
  };
  await setOwn(false);
  await using opened = await scene.open("/login");
  const { page, reports } = opened;
  await page.clock.install();
  await page.goto(`${scene.site}/o/default/rules`);
  await signIn(page, api.token);
  const rules = page.getByRole("region", { name: "Approval rules" });
  await rules.getByText("both").waitFor();
  // The fields are loaded when a form opens for the first time, which takes timers.
  const change = rules.getByRole("button", { name: "Change" });
  await openForm(page, change, "Change the approval rule both of");
  await closeDialog(page);
  // Nothing is read by the clock of the page any more.
  await page.clock.pauseAt(Date.now() + 60_000);
  await setOwn(true);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await rules.getByText(", with a comment").waitFor();

  await setOwn(false);
  const form = await openForm(page, change, "Change the approval rule both of");
  await form.getByRole("alert").getByText("both was changed meanwhile.").waitFor();
  await rules.getByText(", with a comment").waitFor({ state: "detached" });
  await closeDialog(page);
  await openForm(page, change, "Change the approval rule both of");
  expect(await form.getByLabel("Only with a comment").isChecked()).toBe(false);
  expect(await form.getByText("meanwhile").count()).toBe(0);

  // The page may show the own change before it is answered.
  const answered = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    const response = await route.fetch();
    if (route.request().postData()?.includes("updateOrganization") === true) await answered.promise;
    await route.fulfill({ response });
  });
  await form.getByLabel("Only with a comment").check();
  await form.getByRole("button", { name: "Change the approval rule" }).press("Enter");
  const stored = `{ organization(slug: "default") { approvalRules { commentRequired } } }`;
  await waitUntil(async () => (await api.ask(stored)).organization.approvalRules[0].commentRequired);
  await page.clock.runFor(11_000);
  await page.locator("main").getByText(", with a comment").waitFor();
  expect(await form.getByText("meanwhile").count()).toBe(0);
  answered.resolve();
  await form.waitFor({ state: "detached" });
  expect(reports).toEqual([]);
});

it("overwrites no rule that another person adds while one is sent", async () => {
  const windowOf = (name: string) => ({ name, cron: "0 0 24 12 *", timeZone: "UTC", durationMinutes: 60 });
  await setRules({ approvalRules: [], freezeWindows: [] });
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const rules = page.getByRole("region", { name: "Rules" });
  const form = await openForm(page, rules.getByRole("button", { name: "New freeze window" }), "New freeze window of");
  await form.getByLabel("Name").fill("mine");
  await form.getByLabel("Opens").fill("0 0 20 12 *");
  await form.getByLabel("Length in minutes").fill("60");
  // The page has read the list, and another person is quicker than what it sends.
  let isHeld = true;
  await page.route("**/graphql", async (route) => {
    if (isHeld && route.request().postData()?.includes("updateWorkspace") === true) {
      isHeld = false;
      await setRules({ freezeWindows: [windowOf("theirs")] });
    }
    await route.continue();
  });
  const add = form.getByRole("button", { name: "Add the freeze window" });
  await add.press("Enter");
  await form.getByText("Another person changed the settings at the same moment.").waitFor();
  expect((await storedRules()).freezeWindows).toMatchObject([{ name: "theirs" }]);
  await add.press("Enter");
  await form.waitFor({ state: "detached" });
  expect((await storedRules()).freezeWindows).toMatchObject([{ name: "theirs" }, { name: "mine" }]);
  expect(reports).toEqual([]);
});

it("shows rules without commands to a person who may not change them", async () => {
  const { api } = scene.server;
  await setRules({ approvalRules: [{ name: "kept", gate: "PLAN", minimum: 1, machinesCount: true }] });
  const { secret } = await must(api, "createToken", { name: "reader", role: "READER" }, "secret");
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, secret);
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.getByText("kept").waitFor();
  expect(await rules.getByRole("button").count()).toBe(0);
  await page.goto(`${scene.site}/o/default/rules`);
  await page.getByText("They are changed by those with the permission organization update.").waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  expect(reports).toEqual([]);
});
