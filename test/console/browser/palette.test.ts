/** The command palette in a browser: pages and objects by the keyboard alone, on a phone, and with answers that come late. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { type ConsoleScene, openConsoleScene, signIn } from "./console-scene.ts";
import { checkViews } from "./views.ts";

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  for (const name of ["network", "netflix"]) await scene.createWorkspace(name, { "main.tf": "" });
});
afterAll(() => scene[Symbol.asyncDispose]());

it("opens pages and objects by the keyboard, gives the focus back, and drops late answers", async () => {
  const { api } = scene.server;
  const { workspace } = await api.ask(
    `{ workspace(by: { path: { organization: "default", name: "network" } }) { id } }`,
  );
  const runId = await createRun(api, workspace.id, { kind: "PLAN", message: "bump" });
  await using opened = await scene.open("/o/default/runs");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const palette = page.getByRole("dialog", { name: "Go to" });
  const field = palette.getByRole("combobox", { name: "Page or object" });
  const chosen = palette.getByRole("option", { selected: true });

  // What is typed right behind the key is not lost: the palette is loaded while the page is idle.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /palette.*js$/.test(name)),
  );
  await page.keyboard.press("Control+k");
  await page.keyboard.type("inbox");
  expect(await field.inputValue()).toBe("inbox");
  await closeDialog(page);

  // It takes the focus from a field, and gives it back.
  const filter = page.getByRole("searchbox", { name: "Filter the runs" });
  await filter.focus();
  await page.keyboard.press("Control+k");
  await field.waitFor();
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await closeDialog(page);
  expect(await filter.evaluate((element) => element === document.activeElement)).toBe(true);

  // A page, by a word of it.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("webh");
  expect(await chosen.innerText()).toContain("Webhooks");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/o/default/webhooks");
  await palette.waitFor({ state: "detached" });

  // A workspace, by a part of its name; the screen reader learns which entry is marked.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("etwor");
  await palette.getByRole("option", { name: /network/ }).waitFor();
  expect(await field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
  await checkViews(page, "palette");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/o/default/w/network");

  // Answers of earlier texts come last, and change nothing. The arrows go around.
  const held: (() => void)[] = [];
  await page.route("**/graphql", async (route) => {
    const { variables } = route.request().postDataJSON();
    if (variables?.text === "net") await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  const asked = page.waitForRequest((request) => request.postDataJSON()?.variables?.text === "net");
  await page.keyboard.type("net");
  await asked;
  await page.keyboard.type("fl");
  await palette.getByRole("option", { name: /netflix/ }).waitFor();
  const late = page.waitForResponse((answer) => answer.request().postDataJSON()?.variables?.text === "net");
  for (const release of held) release();
  await (await late).finished();
  expect(await palette.getByRole("option").allInnerTexts()).toEqual([expect.stringContaining("netflix")]);
  await page.unroute("**/graphql");
  await field.fill("net");
  await palette.getByRole("option", { name: /network/ }).waitFor();
  const last = (await palette.getByRole("option").allInnerTexts()).at(-1) ?? "";
  await page.keyboard.press("ArrowUp");
  expect(await chosen.innerText()).toBe(last);
  await page.keyboard.press("ArrowDown");
  expect(await palette.getByRole("option").first().getAttribute("aria-selected")).toBe("true");
  await field.fill("no such thing at all");
  await palette.getByText("Nothing was found.").waitFor();
  await page.keyboard.press("Enter");
  await closeDialog(page);

  // A run by its number, and by its id; by a finger as well.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Go to…" }).click();
  await field.fill("network 1");
  await palette.getByRole("option", { name: /network #1/ }).click();
  await page.waitForURL("**/o/default/w/network/runs/1");
  await page.getByRole("button", { name: "Go to…" }).click();
  await field.fill(runId);
  await palette.getByRole("option", { name: /network #1 bump/ }).click();
  await palette.waitFor({ state: "detached" });
  await page.waitForURL("**/o/default/w/network/runs/1");

  // A dialog that asks something is answered first.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Control+k");
  expect(await palette.count()).toBe(0);
  expect(reports).toEqual([]);
});
