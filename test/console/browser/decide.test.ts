/** A change from its plan to its end, decided in a browser by the keyboard alone, with a cut connection in between. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { waitForStatus } from "./wait-for-status.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, cutSockets, openConsoleScene, shoot, signIn, untilLive } from "./console-scene.ts";

const MAIN = `
variable "size" { default = 3 }
resource "terraform_data" "web" {
  count = var.size
  input = { version = "2.1", index = count.index }
}
output "count" { value = var.size }
`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("is read, approved and applied by keyboard, and a page without a connection decides nothing", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("network", { "main.tf": MAIN });
  await using opened = await scene.open("/o/default/w/network");
  const { page, context, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("button", { name: "New run" }).press("Enter");
  await page.getByLabel("Message").fill("bump to 2.1 \u202egnp.exe");
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/o/default/w/network/runs/1");
  const { workspace } = await api.ask(`{ workspace(by: { id: "${workspaceId}" }) { run(number: 1) { id } } }`);
  const runId = workspace.run.id;
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");

  // What is asked, and the plan by patterns.
  const asked = page.getByRole("region", { name: "What is asked" });
  await asked.getByText("Review plan").waitFor();
  await page.getByText("3 changes in 1 pattern").waitFor();
  await page.getByText("3 × terraform_data").waitFor();
  await shoot(page, "decide");
  await page.getByText("bump to 2.1 \\u202egnp.exe").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  // Without a connection nothing can be sent, although the run moves on meanwhile.
  const dialog = page.getByRole("dialog", { name: "Approve this plan" });
  await page.keyboard.press("a");
  await dialog.getByLabel("Comment").waitFor();
  await page.keyboard.type("looks good");
  await context.setOffline(true);
  await cutSockets(page);
  await dialog.getByText("The page is not connected.").waitFor();
  expect(await dialog.getByRole("button", { name: "Approve this plan" }).isDisabled()).toBe(true);
  await api.ask(`mutation { replanRun(input: { runId: "${runId}", planVersion: 1 }) { __typename } }`);
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", 2);

  // The dialog is about the plan that was read: it refuses when another is there.
  await context.setOffline(false);
  await dialog.getByText("plan v2 took the place of v1 while you read").waitFor();
  expect(await dialog.getByRole("button", { name: "Approve this plan" }).isDisabled()).toBe(true);
  await closeDialog(page);
  await asked.getByRole("button", { name: "Approve plan v2" }).waitFor();

  await page.keyboard.press("a");
  await page.keyboard.type("looks good");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await waitForStatus(api, runId, "AWAITING_APPLY_APPROVAL");
  await asked.getByRole("button", { name: "Approve apply" }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Approve the apply" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await waitForStatus(api, runId, "FINISHED");
  await page.getByRole("heading", { name: "Ended" }).waitFor();
  await page.getByText("applied").first().waitFor();

  // On paper: who approved which plan and when, the patterns with their addresses, and no command.
  await page.emulateMedia({ media: "print" });
  await page.getByRole("table", { name: "Decisions" }).getByText("looks good").waitFor();
  await page.getByText("terraform_data.web[2]", { exact: true }).waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  await shoot(page, "decide-print");
  await page.emulateMedia({ media: "screen" });

  // Its log, its timeline with both decisions, and what the person wrote.
  await page.getByRole("tab", { name: "log" }).click();
  await page.getByText("Apply complete! Resources: 3 added").waitFor();
  expect(await page.locator("[aria-label^='Line ']").count()).toBeLessThan(150);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("tab", { name: "log" }).press("ArrowRight");
  await page.getByRole("table", { name: "Decisions" }).getByText("looks good").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await untilLive(page);
  // The workspace shows what the apply gave.
  await page.getByRole("link", { name: "network", exact: true }).click();
  await page.getByRole("region", { name: "Outputs" }).getByRole("row", { name: "count 3" }).waitFor();
  await page
    .getByRole("row", { name: /network #1/ })
    .getByText("applied")
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${scene.site}/o/default/workspaces?search=net`);
  await page.getByRole("link", { name: "network", exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const kept = await page.evaluate(
    () => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
  );
  expect(kept).not.toMatch(/hp[a-z]_/);
  expect(await page.content()).not.toContain(api.token);
  expect(reports).toEqual([]);
});

it("takes at most 12 keys from the inbox to an approval", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("asked", { "main.tf": MAIN });
  const runId = await createRun(api, workspaceId);
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("link", { name: "asked #1" }).waitFor();
  let keys = 0;
  const press = async (key: string): Promise<string> => {
    keys += 1;
    await page.keyboard.press(key);
    return page.evaluate(() => document.activeElement?.textContent ?? "");
  };
  while ((await press("j")) !== "asked #1") expect(keys).toBeLessThan(12);
  await press("Enter");
  await page.getByRole("button", { name: "Approve plan v1…" }).waitFor();
  await press("a");
  await page.getByRole("dialog", { name: "Approve this plan" }).waitFor();
  while ((await press("Tab")) !== "Approve this plan") expect(keys).toBeLessThan(12);
  await press("Enter");
  await waitForStatus(api, runId, "AWAITING_APPLY_APPROVAL");
  expect(keys).toBeLessThanOrEqual(12);
  expect(reports).toEqual([]);
});
