/** A plan of a real engine with hundreds of equal changes and a few that differ, as a person reads it. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeFiles } from "../../e2e/holdpoint.ts";
import { approveBoth, createRun } from "../../support/run-steps.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { waitForStatus } from "./wait-for-status.ts";

const COUNT = 300;
const ODD = 217;

/** A fleet with a version. The second one has an odd instance, a gateway that is replaced, and a bucket less. */
const fleet = (version: string, isSecond: boolean): string => `
resource "terraform_data" "web" {
  count = ${COUNT}
  input = {
    name = "web-\${count.index}"
    tags = { version = "${version}"${isSecond ? ', "own\\u202eer" = "web"' : ""} }
    user_data = count.index == ${ODD} ? "${isSecond ? "#!/bin/sh\\\\nupgrade" : "#!/bin/sh"}" : "#!/bin/sh"
  }
}
resource "terraform_data" "nat" {
  input            = "nat"
  triggers_replace = ["subnet-${isSecond ? "1b" : "1a"}"]
}
${isSecond ? "" : 'resource "terraform_data" "logs" { input = "logs" }'}
output "version" { value = "${version}" }
`;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("shows what takes something away and the odd change first, and hundreds of equal ones in one line", async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("fleet", { "main.tf": fleet("2.0.0", false) });
  const first = await createRun(api, workspaceId);
  await waitForStatus(api, first, "AWAITING_PLAN_APPROVAL");
  await approveBoth(api, first);
  await waitForStatus(api, first, "FINISHED");
  await writeFiles(join(scene.sourceRoot, "fleet"), { "main.tf": fleet("2.1.0", true) });
  const second = await createRun(api, workspaceId, { message: "Upgrade the fleet to 2.1.0" });
  await waitForStatus(api, second, "AWAITING_PLAN_APPROVAL");

  await using opened = await scene.open(`/r/${second}`);
  const { page, reports } = opened;
  await signIn(page, api.token);
  await page.getByText(`${COUNT + 2} changes in 4 patterns`).waitFor();
  const lines = await page.locator("details[data-action] > summary code").allTextContents();
  expect(lines).toEqual([
    "terraform_data.logs",
    "terraform_data.nat",
    `terraform_data.web[${ODD}]`,
    `${COUNT - 1} × terraform_data`,
  ]);
  await page.getByText('"2.0.0"').first().waitFor();
  // The key of a tag cannot turn the line around, neither in the summary nor beside its value.
  expect(await page.getByText("tags.own\\u202eer").count()).toBeGreaterThanOrEqual(2);
  expect(await page.locator("body").innerText()).not.toContain("\u202e");
  await page
    .getByText("created before the old one is destroyed")
    .or(page.getByText("destroyed, then created"))
    .waitFor();
  expect(await page.locator("*").count()).toBeLessThan(1500);
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "plan");

  // On paper all addresses of a pattern are shown, as no one can ask for more there.
  const addresses = page.locator("summary", { hasText: /^terraform_data\.web\[/ });
  expect(await addresses.count()).toBe(50);
  await page.emulateMedia({ media: "print" });
  await page.getByText("terraform_data.web[299]").waitFor();
  expect(await addresses.count()).toBe(COUNT - 1);
  await page.emulateMedia({ media: "screen" });
  await page.getByText("terraform_data.web[299]").waitFor({ state: "detached" });

  // The addresses of the pattern are a step further.
  await page.getByText(`${COUNT - 1} × terraform_data`).click();
  await page.getByRole("button", { name: `${COUNT - 1 - 50} more` }).click();
  await page.getByText("terraform_data.web[120]").waitFor();

  // The keys go from pattern to pattern, over the addresses of an open one; e opens what has the focus, and closes it.
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.querySelector("code")?.innerText ?? "");
  await page.locator("summary", { hasText: "terraform_data.web[120]" }).focus();
  for (const subject of lines.toReversed()) {
    await page.keyboard.press("[");
    expect(await focused()).toBe(subject);
  }
  await page.keyboard.press("[");
  expect(await focused()).toBe(lines[0]);
  await page.keyboard.press("]");
  await page.keyboard.press("]");
  expect(await focused()).toBe(lines[2]);
  const odd = page.locator("details[data-action]").nth(2);
  expect(await odd.getAttribute("open")).not.toBeNull();
  await page.keyboard.press("e");
  expect(await odd.getAttribute("open")).toBeNull();
  await page.keyboard.press("e");
  expect(await odd.getAttribute("open")).not.toBeNull();

  // A pattern that was read is marked, by its box or by v on any of its changes; x picks there and marks nothing.
  await page.getByRole("checkbox", { name: "Seen: terraform_data.nat" }).check();
  await page.locator("summary", { hasText: "terraform_data.web[120]" }).focus();
  await page.keyboard.press("v");
  await page.getByText(`${COUNT + 2} changes in 4 patterns, 2 seen`).waitFor();
  expect(await page.getByRole("checkbox", { name: `Seen: ${COUNT - 1} × terraform_data` }).isChecked()).toBe(true);
  await page.keyboard.press("x");
  await page.getByText("1 picked").waitFor();
  await page.keyboard.press("x");
  await page.getByText("1 picked").waitFor({ state: "detached" });
  await page.getByText(`${COUNT + 2} changes in 4 patterns, 2 seen`).waitFor();

  // A new plan for what was picked leaves out the rest, and says so; the whole configuration comes back.
  await page.getByRole("checkbox", { name: "Pick terraform_data.nat" }).check();
  await page.getByRole("checkbox", { name: `Pick terraform_data.web[${ODD}]` }).check();
  await page.getByText("2 picked").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  // Another part of the run and back: what was picked, opened and closed is as it was, and nothing is read again.
  const reads: string[] = [];
  page.on("request", (request) => reads.push(new URL(request.url()).pathname));
  await odd.locator("summary").first().click();
  await page.locator("summary", { hasText: "terraform_data.web[120]" }).focus();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await page.keyboard.press("t");
  await page.getByRole("table", { name: "Statuses" }).waitFor();
  await page.keyboard.press("p");
  await page.getByText("2 picked").waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(place);
  await page.locator("summary", { hasText: "terraform_data.web[120]" }).waitFor();
  expect(await odd.getAttribute("open")).toBeNull();
  expect(reads.filter((path) => path.endsWith("/changes"))).toEqual([]);

  await page.getByRole("button", { name: "Plan only these…" }).click();
  const dialog = page.getByRole("dialog", { name: "Plan only what is picked" });
  await dialog.getByText("terraform_data.nat").waitFor();
  await dialog.getByRole("button", { name: "Plan only what is picked" }).click();
  // The marks are those of the changes, in any plan of the run.
  await page.getByText("2 changes in 2 patterns, 1 seen").waitFor();
  await page.getByText(`Limited to terraform_data.nat, terraform_data.web[${ODD}]`).waitFor();
  await page.getByRole("button", { name: "Plan the whole configuration…" }).click();
  await page.getByRole("button", { name: "Plan the whole configuration", exact: true }).click();
  await page.getByText(`${COUNT + 2} changes in 4 patterns, 2 seen`).waitFor();
  await page.reload();
  await page.getByText(`${COUNT + 2} changes in 4 patterns, 2 seen`).waitFor();
  expect(reports).toEqual([]);
});
