/** The frame of all pages in a browser: colors, keys, the API behind a page, and a release that changes under a tab. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, cutSockets, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { waitForStatus } from "./wait-for-status.ts";

let scene: ConsoleScene;
let workspaceId: string;
beforeAll(async () => {
  scene = await openConsoleScene();
  workspaceId = await scene.createWorkspace("edge", { "main.tf": `resource "terraform_data" "web" {}` });
  await createRun(scene.server.api, workspaceId, { kind: "PLAN", message: "it's a 'quoted' message" });
});
afterAll(() => scene[Symbol.asyncDispose]());

const shell = promisify(execFile);

it("keeps the chosen colors from the first paint on, and returns to those of the system", async () => {
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const colorOf = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colorOf();
  await page.getByLabel("Colors").selectOption("dark");
  const dark = await colorOf();
  expect(dark).not.toBe(light);
  expect(await findBarriers(page)).toEqual([]);
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.reload({ waitUntil: "load" });
  expect(await colorOf()).toBe(dark);
  await page.unroute("**/assets/*.js");
  await page.reload();
  await page.getByLabel("Colors").selectOption("system");
  expect(await colorOf()).toBe(light);
  await page.reload();
  expect(await colorOf()).toBe(light);
  expect(reports.filter((report) => !report.includes("ERR_FAILED"))).toEqual([]);
});

it("gives each query of a page as a request of curl, which answers what the page shows", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/o/default/runs");
  const { page, context, reports } = opened;
  await signIn(page, api.token);
  await page.getByRole("row", { name: /it's a 'quoted' message/ }).waitFor();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "API" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "This page by the API" });
  await dialog.getByText("query Runs", { exact: true }).click();
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "api");
  await dialog.getByRole("button", { name: "Copy as curl" }).locator("visible=true").click();
  await dialog.getByText("copied").first().waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).not.toContain(api.token);
  const { stdout } = await shell("sh", ["-c", command], { env: { ...process.env, TOKEN: api.token } });
  expect(JSON.parse(stdout).data.runs.edges[0].node.message).toBe("it's a 'quoted' message");
  await closeDialog(page);
  expect(reports).toEqual([]);
});

it("shows its keys, and goes by them", async () => {
  await using opened = await scene.open("/inbox");
  const { page } = opened;
  await signIn(page, scene.server.api.token);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await closeDialog(page);
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.waitForURL("**/o/default/workspaces");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.waitForURL("**/inbox");
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL("**/o/default");

  // The second key of a pair is no key of the page: there it rejects the plan.
  const runId = await createRun(scene.server.api, workspaceId);
  await waitForStatus(scene.server.api, runId, "AWAITING_PLAN_APPROVAL");
  await page.goto(`${scene.site}/r/${runId}`);
  await page.getByRole("button", { name: "Reject…" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL("**/o/default/runs*");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("goes through lists and changes by keys, and leaves single keys to a person who has switched them off", async () => {
  const { api } = scene.server;
  const id = await scene.createWorkspace("cells", {
    "main.tf": `resource "terraform_data" "a" { input = "1" }\nresource "terraform_data" "b" { triggers_replace = ["2"] }`,
  });
  const runIds = [await createRun(api, id), await createRun(api, id, { kind: "PLAN" })];
  await waitForStatus(api, runIds[0] ?? "", "AWAITING_PLAN_APPROVAL");
  await using opened = await scene.open("/o/default/w/cells");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
  const runs = page.getByRole("table", { name: "Runs of cells" });
  await runs.getByRole("link", { name: "cells #2" }).waitFor();
  const stops = await page.locator("main [data-stop]").allTextContents();
  expect(stops).toContain("cells #1");
  for (const stop of stops) {
    await page.keyboard.press("j");
    expect(await focused()).toBe(stop);
  }
  await page.keyboard.press("j");
  expect(await focused()).toBe(stops.at(-1));
  while ((await focused()) !== "cells #1") await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/w/cells/runs/1");

  // The changes of a plan: the focus is moved, and x picks.
  await page.locator("summary[data-stop]").first().waitFor();
  await page.locator("h1 a").focus();
  await page.keyboard.press("j");
  expect(await focused()).toContain("terraform_data");
  await page.keyboard.press("x");
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBeGreaterThan(0);
  await page.keyboard.press("x");
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);

  // The parts of a run; the focus goes along.
  for (const [key, name] of Object.entries({ l: "log", t: "timeline", c: "comments", s: "checks", p: "plan" })) {
    await page.keyboard.press(key);
    await page.getByRole("tab", { name, selected: true }).waitFor();
    expect(await focused()).toBe(name);
    expect(new URL(page.url()).searchParams.get("tab")).toBe(name);
  }
  expect(await page.getByRole("dialog").count()).toBe(0);

  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL("**/o/default/runs*");
  await page.getByRole("row", { name: /cells #2/ }).waitFor();
  await page.keyboard.press("/");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
  // In a field a key is a letter.
  await page.keyboard.type("jk?");
  expect(await page.getByLabel("Filter the runs").inputValue()).toBe("jk?");

  await page.getByRole("button", { name: "Keys" }).press("Enter");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByLabel("Single keys are commands").uncheck();
  expect(await findBarriers(page)).toEqual([]);
  await closeDialog(page);
  await page.reload();
  await page.getByRole("row", { name: /cells #2/ }).waitFor();
  for (const key of ["j", "?", "g", "i", "/"]) await page.keyboard.press(key);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(page.url()).toContain("/o/default/runs");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await closeDialog(page);
  await page.getByRole("button", { name: "Keys" }).press("Enter");
  await keys.getByLabel("Single keys are commands").check();
  await closeDialog(page);
  await page.keyboard.press("?");
  await keys.waitFor();
  expect(reports).toEqual([]);
});

it("asks for a reload once the server has another release, and never reloads by itself", async () => {
  await using opened = await scene.open("/inbox");
  const { page, context } = opened;
  const tagged = page.waitForResponse((answer) => answer.request().method() === "HEAD" && answer.ok());
  await signIn(page, scene.server.api.token);
  await tagged;
  await page.route("**/login", (route) => route.fulfill({ status: 200, headers: { etag: '"another"' } }));
  const address = page.url();
  await context.setOffline(true);
  await cutSockets(page);
  await page.locator('[data-state="LIVE"]').waitFor({ state: "detached" });
  await context.setOffline(false);
  const notice = page.getByText("The server has another release of this page.");
  await notice.waitFor();
  expect(page.url()).toBe(address);
  await page.unroute("**/login");
  await page.getByRole("button", { name: "Load it" }).click();
  await notice.waitFor({ state: "detached" });
});
