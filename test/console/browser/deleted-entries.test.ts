/** Forms whose entry another person deletes while they are open: what was typed stays, and nothing can be sent. */
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import { must } from "../../support/people-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = 'resource "terraform_data" "web" {}';
const RULE = { name: "two people", gate: "PLAN", minimum: 1, machinesCount: true };

let scene: ConsoleScene;
let workspaceId: string;
let organizationId: string;
beforeAll(async () => {
  // Port 9 takes no messages, and none is sent.
  scene = await openConsoleScene({ slots: 0, env: { HOLDPOINT_WEBHOOK_ALLOW: "127.0.0.1:9" } });
  workspaceId = await scene.createWorkspace("shop", { "main.tf": MAIN });
  const { organization } = await scene.server.api.ask(`{ organization(slug: "default") { id } }`);
  organizationId = organization.id;
});
afterAll(() => scene[Symbol.asyncDispose]());

const setRules = (approvalRules: readonly object[]) =>
  must(scene.server.api, "updateWorkspace", { workspaceId, approvalRules }, "workspace { id }");

/** Waits for a text while a person comes back to the page again and again, which reads lists that have no events. */
const comeBackTo = (page: Page, text: Locator) =>
  waitUntil(async () => {
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    return (await text.count()) > 0;
  });

/** Expects that a form states why it can send nothing, once, and that it has no button for that. */
async function expectDeleted(form: Locator, reason: string, submit: string): Promise<void> {
  await form
    .getByText(`${reason} Nothing can be sent any more. Copy what you need from here, then close this.`)
    .waitFor();
  expect(await form.getByRole("alert").count()).toBe(1);
  expect(await form.getByRole("button", { name: submit }).count()).toBe(0);
}

const isMutation = (request: Request): boolean => request.postData()?.includes("mutation") === true;

const focused = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.textContent);

it("keeps the form of an approval rule that another person deletes, and sends nothing of it", async () => {
  await setRules([RULE]);
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const rules = page.getByRole("region", { name: "Rules" });
  await rules.getByRole("listitem").getByRole("button", { name: "Change" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Change the approval rule two people of shop" });
  const name = form.getByLabel("Name");
  await name.fill("three people");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (isMutation(request)) sent.push(request.url());
  });
  // Another person changes it first, and deletes it then: the newer notice takes the place of the older one.
  await setRules([{ ...RULE, commentRequired: true }]);
  await form.getByText("two people was changed meanwhile.").waitFor();
  await setRules([]);
  await expectDeleted(
    form,
    "The approval rule two people was deleted, renamed or moved meanwhile.",
    "Change the approval rule",
  );
  expect(await name.inputValue()).toBe("three people");
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await checkViews(page, "rule-deleted");
  await name.press("Enter");
  await closeDialog(page);
  expect(sent).toEqual([]);
  const { workspace } = await scene.server.api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { approvalRules { name } } }`,
  );
  expect(workspace.approvalRules).toEqual([]);
  expect(await focused(page)).toBe("Rules");
  expect(reports).toEqual([]);
});

it("keeps the form and the question of schedules that another person deletes", async () => {
  const { api } = scene.server;
  const create = async (name: string): Promise<string> => {
    const input = { workspaceId, organizationId, name, action: "RUN", cron: "0 0 1 1 *" };
    return (await must(api, "createSchedule", input, "schedule { id }")).schedule.id;
  };
  const [first, second] = [await create("first"), await create("second")];
  await using opened = await scene.open("/o/default/schedules");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await row("first").getByRole("button", { name: "Change" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Change the schedule first" });
  await form.getByLabel("Minutes over which").fill("45");
  // The button that goes has the focus, which stays in the dialog.
  await form.getByRole("button", { name: "Change the schedule" }).focus();
  await must(api, "deleteSchedule", { scheduleId: first }, "deletedId");
  await comeBackTo(page, form.getByText("was deleted meanwhile"));
  await expectDeleted(form, "first was deleted meanwhile, or you may no longer see it.", "Change the schedule");
  expect(await form.getByLabel("Minutes over which").inputValue()).toBe("45");
  expect(await focused(page)).toBe("Close");
  await closeDialog(page);
  expect(await focused(page)).toMatch(/^Schedules of /);

  await row("second").getByRole("button", { name: "Switch off" }).press("Enter");
  const question = page.getByRole("dialog", { name: "Switch off the schedule second" });
  await question.waitFor();
  await must(api, "deleteSchedule", { scheduleId: second }, "deletedId");
  const withdrawn =
    "This is no longer offered, because something changed meanwhile. Nothing can be sent any more. Close this.";
  await comeBackTo(page, question.getByText(withdrawn));
  expect(await question.getByRole("button", { name: "Switch off" }).count()).toBe(0);
  await closeDialog(page);
  await page.getByText("There is no schedule yet.").waitFor();
  expect(await focused(page)).toMatch(/^Schedules of /);
  expect(reports).toEqual([]);
});

it("keeps the form of a webhook whose page has nothing else any more, until that page is left", async () => {
  const { api } = scene.server;
  const input = { organizationId, url: "http://127.0.0.1:9/chat", events: ["RUN_ENDED"] };
  const { webhook } = await must(api, "createWebhook", input, "webhook { id }");
  await using opened = await scene.open("/o/default/webhooks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("link", { name: input.url }).press("Enter");
  await page.getByRole("button", { name: "Change" }).press("Enter");
  const form = page.getByRole("dialog", { name: `Change the webhook ${input.url}` });
  await form.getByLabel("Purpose").fill("the room of the team");
  await must(api, "deleteWebhook", { webhookId: webhook.id }, "deletedId");
  await comeBackTo(page, form.getByText("Nothing can be sent any more"));
  // Nothing else of the page is there: it does not know why.
  const reason = "This is no longer offered, because something changed meanwhile.";
  await expectDeleted(form, reason, "Change the webhook");
  expect(await form.getByLabel("Purpose").inputValue()).toBe("the room of the team");
  await page.goBack();
  await page.getByText("There is no webhook yet.").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(reports).toEqual([]);
});

it("states nothing of the kind about what a person has deleted or renamed", async () => {
  await setRules([RULE, { ...RULE, name: "others" }]);
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const rules = page.getByRole("region", { name: "Rules" });
  const item = (name: string) => rules.getByRole("listitem").filter({ hasText: name });
  // The page shows the own change before it is answered.
  let answered = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (!isMutation(route.request())) return route.continue();
    const response = await route.fetch();
    await answered.promise;
    await route.fulfill({ response });
  });
  await item("two people").getByRole("button", { name: "Change" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Change the approval rule two people of shop" });
  await form.getByLabel("Name").fill("more people");
  await form.getByRole("button", { name: "Change the approval rule" }).press("Enter");
  await item("more people").waitFor();
  expect(await form.getByText("Sending…").count()).toBe(1);
  expect(await page.getByText("meanwhile").count()).toBe(0);
  answered.resolve();
  await form.waitFor({ state: "detached" });

  answered = Promise.withResolvers<void>();
  await item("others").getByRole("button", { name: "Delete" }).press("Enter");
  const question = page.getByRole("dialog", { name: "Delete the approval rule others of shop" });
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await item("others").waitFor({ state: "detached" });
  expect(await question.getByText("Sending…").count()).toBe(1);
  expect(await page.getByText("meanwhile").count()).toBe(0);
  answered.resolve();
  await question.waitFor({ state: "detached" });
  expect(await page.getByText("meanwhile").count()).toBe(0);
  expect(await focused(page)).toBe("Rules");
  expect(reports).toEqual([]);
});

it("moves the focus from a button that goes once its question is closed", async () => {
  await setRules([RULE]);
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const rules = page.getByRole("region", { name: "Rules" });
  // The page reads the list again after the answer, and the question is closed before it has it.
  const closed = Promise.withResolvers<void>();
  let isSent = false;
  await page.route("**/graphql", async (route) => {
    if (isMutation(route.request())) isSent = true;
    else if (isSent) await closed.promise;
    await route.continue();
  });
  const remove = rules.getByRole("listitem").getByRole("button", { name: "Delete" });
  await remove.press("Enter");
  const question = page.getByRole("dialog", { name: "Delete the approval rule two people of shop" });
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await question.waitFor({ state: "detached" });
  expect(await focused(page)).toBe("Delete…");
  closed.resolve();
  await remove.waitFor({ state: "detached" });
  expect(await focused(page)).toBe("Rules");
  expect(reports).toEqual([]);
});

it("states that a command whose answer was lost can no longer be sent, where its row is gone", async () => {
  await setRules([RULE]);
  await using opened = await scene.open("/o/default/w/shop");
  const { page } = opened;
  await signIn(page, scene.server.api.token);
  const item = page.getByRole("region", { name: "Rules" }).getByRole("listitem");
  await page.route("**/graphql", async (route) => {
    if (!isMutation(route.request())) return route.continue();
    await route.fetch();
    await item.waitFor({ state: "detached" });
    await route.abort();
  });
  await item.getByRole("button", { name: "Delete" }).press("Enter");
  const question = page.getByRole("dialog", { name: "Delete the approval rule two people of shop" });
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await question
    .getByText(
      /^The answer was lost: .* It can no longer be sent: check on the page whether it was done, then close this\.$/,
    )
    .waitFor();
  expect(await question.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await closeDialog(page);
  expect(await focused(page)).toBe("Rules");
});
