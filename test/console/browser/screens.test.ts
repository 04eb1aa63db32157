/** The sign-in, the lists of runs and the inbox in a browser, on a phone as well. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitFor } from "../../support/eventually.ts";
import { createRun } from "../../support/run-steps.ts";
import { freePort, makeDataDir, removeDataDir } from "../../support/server-process.ts";
import { openTerminal } from "../../support/terminal.ts";
import { openContext } from "../../browser/chromium.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn, stepsOf } from "./console-scene.ts";
import { checkViews } from "./views.ts";
import { waitForStatus } from "./wait-for-status.ts";

const MAIN = `resource "terraform_data" "web" { input = "a" }`;
const PHONE = { width: 390, height: 844 };

let scene: ConsoleScene;
let workspaceId: string;
beforeAll(async () => {
  scene = await openConsoleScene();
  workspaceId = await scene.createWorkspace("edge", { "main.tf": MAIN });
});
afterAll(() => scene[Symbol.asyncDispose]());

it("asks for a token, says what is wrong with it, and returns to the page that was asked for", async () => {
  await using opened = await scene.open("/inbox");
  const { page, reports } = opened;
  await page.waitForURL("**/login?return=%2Finbox");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel("Token").fill("hpt_wrong");
  await page.keyboard.press("Enter");
  await page.getByText("This is no token that is in force.").waitFor();
  await signIn(page, scene.server.api.token);
  await page.waitForURL("**/inbox");
  await page.getByText("Nothing waits for you.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
  await page.goto(`${scene.site}/inbox`);
  await page.waitForURL("**/login?return=%2Finbox");
  expect(reports.filter((report) => !report.includes("400"))).toEqual([]);
});

it.each([
  "https://evil.example.com",
  "//evil.example.com",
  "/\\evil.example.com",
  "/\t/evil.example.com",
  "javascript:alert(1)",
])("leads nowhere else after the sign-in: %s", async (asked) => {
  await using opened = await scene.open(`/login?return=${encodeURIComponent(asked)}`);
  await signIn(opened.page, scene.server.api.token);
  await opened.page.waitForURL(`${scene.site}/o/default*`);
});

it("shows a run in the list and in the inbox while it goes on, and a phone approves it", async () => {
  const { api } = scene.server;
  await using list = await scene.open("/o/default/runs");
  await signIn(list.page, api.token);
  await using phone = await scene.open("/inbox", PHONE);
  await signIn(phone.page, api.token);
  const runId = await createRun(api, workspaceId, { message: "from a phone" });

  // The list keeps its rows where they are, and says that there are more.
  await list.page.getByRole("button", { name: /1 more run has changed/ }).click();
  const row = list.page.getByRole("row", { name: /edge #1/ });
  await row.waitFor();
  await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
  await row.getByText("awaiting plan approval").waitFor();
  expect(await findBarriers(list.page)).toEqual([]);
  await shoot(list.page, "runs");

  const mine = phone.page.getByRole("region", { name: "For you 1" });
  await mine.getByText("awaiting plan approval").waitFor();
  await phone.page.waitForFunction(() => document.title === "(1) Inbox - Holdpoint");
  expect(await findBarriers(phone.page)).toEqual([]);
  await mine.getByRole("link", { name: "edge #1" }).click();
  await phone.page.getByRole("button", { name: "Approve plan v1" }).click();
  await phone.page.getByRole("button", { name: "Approve this plan" }).click();
  await waitForStatus(api, runId, "AWAITING_APPLY_APPROVAL");
  expect(await findBarriers(phone.page)).toEqual([]);
  const isWider = await phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWider).toBe(false);
  await shoot(phone.page, "phone");
  await row.getByText("awaiting apply approval").waitFor();
  await phone.page.getByRole("button", { name: "Discard" }).click();
  await phone.page.getByRole("button", { name: "Discard the run" }).click();
  await row.getByText("discarded").waitFor();
  expect([...list.reports, ...phone.reports]).toEqual([]);
});

it("filters runs in the words of a vendor, and states what it does not understand", async () => {
  await using opened = await scene.open("/o/default/runs?q=ws:edge+spacelift:discarded");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  await page.getByRole("row", { name: /edge #1/ }).waitFor();
  const field = page.getByRole("searchbox", { name: "Filter the runs" });
  expect(await field.inputValue()).toBe("ws:edge spacelift:discarded");
  expect(await findBarriers(page)).toEqual([]);
  await field.fill("from a phone by:me");
  await field.press("Enter");
  await page.waitForURL("**q=from**");
  await page.getByRole("row", { name: /edge #1/ }).waitFor();
  // A name is looked up before the runs are read.
  await field.fill("by:Admi");
  await field.press("Enter");
  await page.getByText("created by admin").waitFor();
  await page.getByRole("row", { name: /edge #1/ }).waitFor();
  await field.fill("by:nobody-at-all");
  await field.press("Enter");
  await page.getByText("not understood: you may see no person or machine user of this name").waitFor();
  await field.fill("kind:rocket no such message");
  await field.press("Enter");
  await page.getByText("not understood: one of APPLY").waitFor();
  await page.getByText("No runs.").waitFor();
  await page.getByRole("button", { name: "Remove kind:rocket" }).click();
  await page.getByText("not understood").waitFor({ state: "detached" });
  expect(reports).toEqual([]);
});

it("acts on all runs of a filter, and names those that refuse", async () => {
  const { api } = scene.server;
  // Runs of workspaces that are paused wait, and stay where they are.
  for (const name of ["bulk-a", "bulk-b"]) {
    const id = await scene.createWorkspace(name, { "main.tf": MAIN });
    await api.ask(`mutation { updateWorkspace(input: { workspaceId: "${id}", paused: true }) { __typename } }`);
    await createRun(api, id, { message: "many at once" });
  }
  await using opened = await scene.open("/o/default/runs?q=kind:rocket+bulk");
  const { page, reports } = opened;
  await signIn(page, api.token);
  const begin = page.getByRole("button", { name: "Act on all of these" });
  await page.getByText("not understood").waitFor();
  expect(await begin.count()).toBe(0);
  await page.getByRole("button", { name: "Remove kind:rocket" }).click();
  await begin.press("Enter");
  const asking = page.getByRole("dialog", { name: "Act on all runs of this filter" });
  await asking.getByText("2 runs match now.").waitFor();
  await asking.getByRole("radio", { name: /^Cancel/ }).check();
  await asking.getByLabel("Reason").fill("a mistake");
  await checkViews(page, "bulk-new");
  await asking.getByRole("button", { name: "Begin" }).press("Enter");
  const operations = page.getByRole("region", { name: "Actions on many runs" });
  await operations.getByText("2 of 2: 2 done, 0 refused").waitFor();
  const { runs } = await api.ask(`{ runs(filter: { search: "many at once" }) { edges { node { status } } } }`);
  expect(runs.edges.map(({ node }: { node: { status: string } }) => node.status)).toEqual(["CANCELED", "CANCELED"]);

  // They have ended, so nothing can be discarded: each states that.
  await begin.press("Enter");
  await asking.getByRole("radio", { name: /^Discard/ }).check();
  await asking.getByRole("button", { name: "Begin" }).press("Enter");
  await operations.getByText("2 of 2: 0 done, 2 refused").waitFor();
  await operations.getByText("2 refused", { exact: true }).press("Enter");
  await operations.getByRole("listitem").filter({ hasText: "bulk-b #1" }).waitFor();
  await checkViews(page, "bulk");
  expect(reports).toEqual([]);
});

it("notifies of a run that begins to wait while nobody sees the page, once, if that was switched on", async () => {
  const { api } = scene.server;
  await using opened = await scene.open("/inbox");
  const { page, context } = opened;
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = () => Promise.resolve("granted");
      constructor(title: string) {
        super();
        shown.push(title);
      }
    } as unknown as typeof Notification;
    Object.assign(window, { visibility: "visible" });
    Object.defineProperty(document, "visibilityState", { get: () => Reflect.get(window, "visibility") });
  });
  // The page leads to the sign-in, which would break off a reload.
  await page.getByLabel("Token").waitFor();
  await page.reload();
  await signIn(page, api.token);
  await page.getByText("Nothing waits for you.").waitFor();
  const shown = (): Promise<string[]> => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  const first = await createRun(api, workspaceId);
  await page.getByRole("region", { name: "For you 1" }).waitFor();
  await page.getByRole("link", { name: "Inbox 1" }).waitFor();
  expect(await shown()).toEqual([]);
  await api.ask(`mutation { discardRun(input: { runId: "${first}" }) { __typename } }`);
  await page.getByRole("region", { name: "For you 0" }).waitFor();

  await page.getByRole("checkbox", { name: "a run waits for me" }).check();
  // The number is in the title of each page.
  await page.getByRole("link", { name: "Default" }).click();
  await page.waitForFunction(() => document.title === "Overview - Default - Holdpoint");
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByText("Nothing waits for you.").waitFor();
  await page.evaluate(() => Object.assign(window, { visibility: "hidden" }));
  const second = await createRun(api, workspaceId);
  await page.getByRole("region", { name: "For you 1" }).waitFor();
  const { run } = await api.ask(`{ run(id: "${second}") { number } }`);
  await waitFor(async () => expect(await shown()).toEqual([`edge #${run.number} waits for you`]));
  await page.getByRole("link", { name: "Default" }).click();
  await page.waitForFunction(() => document.title === "(1) Overview - Default - Holdpoint");
  await page.getByRole("link", { name: "Inbox 1" }).click();
  await api.ask(`mutation { discardRun(input: { runId: "${second}" }) { __typename } }`);
  await page.getByRole("region", { name: "For you 0" }).waitFor();
  expect(await shown()).toHaveLength(1);

  // Nobody is notified, so a tab that is hidden reads nothing until it is seen again.
  await page.getByRole("checkbox", { name: "a run waits for me" }).uncheck();
  const third = await createRun(api, workspaceId);
  await waitForStatus(api, third, "AWAITING_PLAN_APPROVAL");
  await page.evaluate(() => {
    Object.assign(window, { visibility: "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.getByRole("region", { name: "For you 1" }).waitFor();
  expect(await shown()).toHaveLength(1);
  await api.ask(`mutation { discardRun(input: { runId: "${third}" }) { __typename } }`);
  await page.getByRole("region", { name: "For you 0" }).waitFor();
});

it("signs in by the link that a start prints on a terminal, once", async () => {
  const dataDir = await makeDataDir();
  const port = await freePort();
  await using terminal = openTerminal("npm start", {
    HOLDPOINT_DATA_DIR: dataDir,
    HOLDPOINT_PORT: String(port),
    TMPDIR: tmpdir(),
  });
  await terminal.shows(/Stop {2,}/);
  const [link = ""] = /http:\/\/localhost:\d+\/login#code=[\w-]+/.exec(terminal.output()) ?? [];
  const context = await openContext(scene.chromium);
  const page = await context.newPage();
  const steps = stepsOf(page);
  await page.goto(link);
  await page.waitForURL(`http://localhost:${port}/o/default*`).catch((cause: unknown) => {
    throw new Error(steps.join("\n"), { cause });
  });
  await page.getByText("Nothing waits for a decision.").waitFor();
  const other = await openContext(scene.chromium);
  const second = await other.newPage();
  await second.goto(link);
  await second.getByText("The link was used before.").waitFor();
  expect(new URL(second.url()).hash).toBe("");
  await Promise.all([context.close(), other.close()]);
  terminal.pressCtrlC();
  expect(await terminal.exited).toBe(0);
  await removeDataDir(dataDir);
});
