/** The settings of a workspace that its page has beside its gates: hooks, limits, labels and checks. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { startWebhookTarget, status, type WebhookTarget } from "../../support/webhook-target.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

const MAIN = `resource "terraform_data" "web" { input = "one" }`;

let target: WebhookTarget;
let scene: ConsoleScene;
beforeAll(async () => {
  target = await startWebhookTarget();
  // Services report to the public address, which a scene has with its link.
  const env = { HOLDPOINT_WEBHOOK_ALLOW: `127.0.0.1:${target.port}` };
  scene = await openConsoleScene({ isFaulty: true, env });
}, 120_000);
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

it("sets the hooks and the limits of a workspace, and shows its labels", async () => {
  const { api } = scene.server;
  const id = await scene.createWorkspace("shop", { "main.tf": MAIN });
  await must(api, "updateWorkspace", { workspaceId: id, labels: ["env:prod"] }, "workspace { id }");
  const stored = async () =>
    (
      await api.ask(`{ workspace(by: { id: "${id}" }) { hooks { stage purpose command }
      limits { planSeconds applyApprovalSeconds approvalTimeoutAction } } }`)
    ).workspace;
  await using opened = await scene.open("/o/default/w/shop");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("env:prod").waitFor();
  const hooks = page.getByRole("region", { name: "Hooks" });
  await hooks.getByText("Nothing is performed").waitFor();
  const add = async (when: string, command: string): Promise<void> => {
    await hooks.getByRole("button", { name: "New hook" }).press("Enter");
    const adding = page.getByRole("dialog", { name: "New hook of shop" });
    await adding.getByLabel("When").selectOption(when);
    await adding.getByLabel("Command").fill(command);
    await adding.getByRole("button", { name: "Add the hook" }).press("Enter");
    await adding.waitFor({ state: "detached" });
  };
  await add("Before a plan", "./fetch.sh");
  await add("After an apply that succeeded", "./notify.sh \u202e");
  const second = hooks.getByRole("row", { name: /2\. after apply/ });
  await second.getByText("./notify.sh \\u202e").waitFor();
  // Another person changes the second hook while the form is open.
  await second.getByRole("button", { name: "Change" }).press("Enter");
  const changing = page.getByRole("dialog", { name: "Change the hook 2 of shop" });
  await changing.getByLabel("Purpose").selectOption("It rolls out what was applied");
  const [first] = (await stored()).hooks;
  const others = [first, { stage: "AFTER_APPLY", command: "./other.sh" }];
  await must(api, "updateWorkspace", { workspaceId: id, hooks: others }, "workspace { id }");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await changing.getByText(/2 was changed meanwhile/).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.reload();
  await page.locator('[data-state="LIVE"]').waitFor();
  await second.getByRole("button", { name: "Change" }).press("Enter");
  await changing.getByLabel("Command").fill(" ");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await changing.locator('textarea[name="command"][aria-invalid=true]').waitFor();
  await changing.getByLabel("Command").fill("./roll.sh");
  await changing.getByLabel("Purpose").selectOption("It rolls out what was applied");
  await changing.getByRole("button", { name: "Change the hook" }).press("Enter");
  await second.getByText("rollout").waitFor();
  await second.getByRole("button", { name: "Move up" }).press("Enter");
  await hooks.getByRole("row", { name: /1\. after apply/ }).waitFor();
  expect((await stored()).hooks).toEqual([{ stage: "AFTER_APPLY", purpose: "ROLLOUT", command: "./roll.sh" }, first]);

  const limits = page.getByRole("region", { name: "Limits" });
  await limits.getByRole("button", { name: "Change the limits" }).press("Enter");
  const setting = page.getByRole("dialog", { name: "Limits of shop" });
  await setting.getByLabel("A plan: seconds").fill("5");
  await setting.getByLabel("At the apply gate: seconds").fill("86400");
  await setting.getByLabel("A run that waits too long").selectOption("It is escalated");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await setting.locator('input[name="planSeconds"][aria-invalid=true]').waitFor();
  await setting.getByLabel("A plan: seconds").fill("900");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await limits.getByText("15 min 0 s").waitFor();
  const set = { planSeconds: 900, applyApprovalSeconds: 86_400, approvalTimeoutAction: "ESCALATE" };
  expect((await stored()).limits).toEqual(set);
  await limits.scrollIntoViewIfNeeded();
  await checkViews(page, "workspace-limits");
  await limits.getByRole("button", { name: "Change the limits" }).press("Enter");
  await setting.getByLabel("A plan: seconds").fill("");
  await setting.getByRole("button", { name: "Change the limits" }).press("Enter");
  await limits.getByText("15 min 0 s", { exact: true }).waitFor({ state: "detached" });
  expect((await stored()).limits).toEqual({ ...set, planSeconds: null });
  expect(reports).toEqual([]);
}, 120_000);

it("creates an external check, tests it, and shows it on the page of a workspace that it judges", async () => {
  const { api } = scene.server;
  await scene.createWorkspace("judged", { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/checks");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText("No service judges the runs of this organization.").waitFor();
  await page.getByRole("button", { name: "New external check" }).press("Enter");
  const creating = page.getByRole("dialog", { name: "New external check" });
  await creating.getByLabel("Name", { exact: true }).fill("scanner");
  await creating.getByLabel("Address of the service").fill("http://127.0.0.1:1/scan");
  await creating.getByLabel("Key that signs requests").fill("a-key-that-is-secret");
  await creating.getByLabel("Names of workspaces").fill("judged*");
  await creating.getByRole("button", { name: "Create the external check" }).press("Enter");
  await creating.locator('input[name="url"][aria-invalid=true]').waitFor();
  await creating.getByLabel("Address of the service").fill(`${target.url}/scan`);
  target.answer(status(200), status(500), status(200));
  await creating.getByRole("button", { name: "Create the external check" }).press("Enter");
  const row = page.getByRole("row", { name: /scanner/ });
  await row.getByText("signed", { exact: true }).waitFor();
  await row.getByText("names judged*").waitFor();
  expect(await page.content()).not.toContain("a-key-that-is-secret");
  await row.getByRole("button", { name: "Send a test" }).press("Enter");
  await row.getByText(/500/).waitFor();
  await row.getByRole("button", { name: "Send a test" }).press("Enter");
  await row.getByText("it answers").waitFor();
  await checkViews(page, "checks");

  await page.goto(`${scene.site}/o/default/w/judged`);
  const checks = page.getByRole("region", { name: "Checks", exact: true });
  await checks.getByText(/soft mandatory, post plan/).waitFor();
  await checks.getByRole("link", { name: "scanner" }).press("Enter");
  await page.locator('[data-state="LIVE"]').waitFor();
  await row.getByRole("button", { name: "Switch off" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).press("Enter");
  await row.getByText("switched off").waitFor();
  await row.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("No service judges").waitFor();
  expect(reports).toEqual([]);
}, 120_000);
