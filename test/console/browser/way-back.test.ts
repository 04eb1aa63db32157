/** What a person does about a run that has ended: run it again, go back to one that was good, deploy what was planned. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../support/people-steps.ts";
import { approveBoth, createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

const MAIN = `
resource "terraform_data" "web" { input = "2.0" }
output "address" { value = { host = "shop.example", port = 443 } }
`;
const BROKEN = `${MAIN}
resource "terraform_data" "job" {
  provisioner "local-exec" { command = "exit 3" }
}`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("goes back from a deploy that failed to the one that is known to be good, and runs it again", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("shop", { "main.tf": MAIN });
  const good = await createRun(api, workspaceId);
  await approveBoth(api, good);
  await waitForStatus(api, good, "FINISHED");
  await writeFile(join(scene.sourceRoot, "shop", "main.tf"), BROKEN);
  const bad = await createRun(api, workspaceId);
  await approveBoth(api, bad);

  await using opened = await scene.open(`/r/${bad}`);
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("region", { name: "Failure" }).waitFor();
  await page.getByText("shop #1 is the newest run whose result is known to be good.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "way-back");
  await page.getByRole("button", { name: "Go back to #1…" }).press("Enter");
  const going = page.getByRole("dialog", { name: "Go back to an earlier run" });
  await going.getByText("A new run plans the configuration of shop #1").waitFor();
  await going.getByLabel("Message").fill("the job fails");
  expect(await findBarriers(page)).toEqual([]);
  await going.getByRole("button", { name: "Go back to an earlier run" }).press("Enter");
  await page.waitForURL("**/o/default/w/shop/runs/3");
  await page.getByText("the job fails").waitFor();
  await page.getByText("Goes back to shop #1.").waitFor();
  // The plan takes away what the deploy that failed has left, tainted.
  await page.getByText("Risks: destroys.").waitFor();
  const { workspace } = await api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { run(number: 3) { trigger rollsBackTo { id } } } }`,
  );
  expect(workspace.run).toEqual({ trigger: "ROLLBACK", rollsBackTo: { id: good } });

  await page.goto(`${scene.site}/o/default/w/shop/runs/2`);
  await page.getByRole("button", { name: "Run again…" }).press("Enter");
  const again = page.getByRole("dialog", { name: "Run it again" });
  expect(await again.getByRole("textbox").count()).toBe(0);
  await again.getByRole("button", { name: "Run it again" }).press("Enter");
  await page.waitForURL("**/o/default/w/shop/runs/4");

  // It waits for the one before, which is a click away, as are the runs that the page of the workspace has no place for.
  await page.getByRole("list", { name: "Why it waits" }).getByRole("link", { name: "shop #3" }).click();
  await page.waitForURL("**/o/default/w/shop/runs/3");
  for (let count = 0; count < 22; count += 1) await createRun(api, workspaceId, { kind: "PLAN" });
  await page.goto(`${scene.site}/o/default/w/shop`);
  await page.getByRole("link", { name: "All runs of shop" }).click();
  await page.getByRole("row", { name: /shop #1 / }).waitFor();
  expect(await page.getByLabel("Filter the runs").inputValue()).toBe("ws:shop");
  expect(reports).toEqual([]);
});

it("withdraws an approval, and deploys what a run has only planned", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("network", { "main.tf": MAIN });
  await must(api, "createToken", { name: "another approver", role: "APPROVER" }, "secret");
  const rules = [{ name: "two people", gate: "PLAN", minimum: 2, machinesCount: true }];
  await must(api, "updateWorkspace", { workspaceId, approvalRules: rules }, "workspace { id }");
  const planned = await createRun(api, workspaceId, { kind: "PLAN" });
  await waitForStatus(api, planned, "FINISHED");
  await using opened = await scene.open(`/r/${planned}`);
  const { page, reports } = opened;
  await signIn(page, api.token);
  const outputs = page.getByRole("region", { name: "Outputs" });
  await outputs.getByText("shop.example").waitFor();
  // It is new: nothing is taken away.
  expect(await outputs.locator("[data-mark='−']").count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Deploy what was planned…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Deploy what was planned" });
  await dialog.getByRole("button", { name: "Deploy what was planned" }).press("Enter");
  await page.waitForURL("**/o/default/w/network/runs/2");
  const { workspace } = await api.ask(`{ workspace(by: { id: "${workspaceId}" }) { run(number: 2) { id } } }`);
  const runId = workspace.run.id;
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await api.ask(`mutation { approveRun(input: { runId: "${runId}", gate: PLAN, planVersion: 1 }) { __typename } }`);
  await page.getByRole("button", { name: "Withdraw your approval…" }).press("Enter");
  const withdrawing = page.getByRole("dialog", { name: "Withdraw your approval" });
  await withdrawing.getByLabel("Comment").fill("too early");
  await withdrawing.getByRole("button", { name: "Withdraw your approval" }).press("Enter");
  await page.getByRole("button", { name: "Approve plan v1" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(reports).toEqual([]);
});

it("shows the versions of a state and what is in it, and brings an earlier one back by a run", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("states", { "main.tf": MAIN });
  const apply = async (): Promise<void> => {
    const runId = await createRun(api, workspaceId);
    await approveBoth(api, runId);
    await waitForStatus(api, runId, "FINISHED");
  };
  await apply();
  await writeFile(join(scene.sourceRoot, "states", "main.tf"), `${MAIN}resource "terraform_data" "more" {}\n`);
  await apply();

  await using opened = await scene.open("/o/default/w/states");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const state = page.getByRole("region", { name: "State", exact: true });
  await state.locator("summary", { hasText: "Resources" }).click();
  await state.getByText("terraform_data.more").waitFor();
  expect(await state.getByRole("listitem").allTextContents()).toEqual(["terraform_data.more", "terraform_data.web"]);
  await state.getByLabel("Part of the address").fill("WEB");
  await page.keyboard.press("Enter");
  await state.getByText("1 resource", { exact: true }).waitFor();
  expect(await state.getByRole("listitem").allTextContents()).toEqual(["terraform_data.web"]);
  const versions = state.getByRole("table", { name: "Versions of the state of states" });
  await versions.getByRole("row", { name: /current 2 .*states #2/ }).waitFor();
  await checkViews(page, "states");
  const earlier = versions
    .getByRole("row", { name: /states #1/ })
    .filter({ hasText: "states #1" })
    .first();
  await earlier.getByRole("button", { name: "Bring back…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Bring back the state \d+ of states$/ });
  await dialog.getByText("1 removed, ").waitFor();
  await dialog.getByText("terraform_data.more").waitFor();
  await dialog.getByLabel("Message").fill("the second apply was a mistake");
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create the run" }).press("Enter");
  await page.waitForURL("**/o/default/w/states/runs/3");
  await page.getByText("the second apply was a mistake").waitFor();
  const { workspace } = await api.ask(
    `{ workspace(by: { id: "${workspaceId}" }) { run(number: 3) { kind stateRollback { to { run { number } } } } } }`,
  );
  expect(workspace.run).toEqual({ kind: "TASK", stateRollback: { to: { run: { number: 1 } } } });
  expect(reports).toEqual([]);
});
