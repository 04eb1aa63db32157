/** The log of a run in a browser: its place while lines arrive, links to lines, and lines that no page should be hurt by. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/eventually.ts";
import { type FakeJob, fakePlan } from "../../support/fake-runner.ts";
import { must } from "../../support/people-steps.ts";
import { createRun } from "../../support/run-steps.ts";
import { closeDialog } from "./close-dialog.ts";
import { findBarriers } from "./barriers.ts";
import { type ConsoleScene, openConsoleScene, shoot, signIn } from "./console-scene.ts";
import { openFakeJobs, sendLines } from "./fake-jobs.ts";
import { checkViews } from "./views.ts";

let scene: ConsoleScene;
let claimNext: () => Promise<FakeJob>;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
  const { api } = scene.server;
  const { organization } = await api.ask(`{ organization(slug: "default") { id } }`);
  await must(
    api,
    "updateOrganization",
    { organizationId: organization.id, concurrencyLimit: 10 },
    "organization { id }",
  );
  const claim = await openFakeJobs(scene.server.url, api);
  claimNext = async () => {
    const job = await claim();
    begun.push(job);
    return job;
  };
});
afterAll(() => scene[Symbol.asyncDispose]());
// A job that is left alone loses its lease, and would be claimed by a later test.
const begun: FakeJob[] = [];
afterEach(() => Promise.all(begun.splice(0).map(finish)));

async function finish(job: FakeJob): Promise<void> {
  await job.request("PUT", "archive", Buffer.from("archive"));
  await job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) });
}

/** Starts a run of a workspace of its own, up to its plan; `path` is its log. */
async function startRun(name: string): Promise<{ job: FakeJob; path: string }> {
  const workspaceId = await scene.createWorkspace(name, { "main.tf": "" });
  await createRun(scene.server.api, workspaceId, { kind: "PLAN" });
  const job = await claimNext();
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  return { job, path: `/o/default/w/${name}/runs/1?tab=log` };
}

const line = (page: Page, number: number) =>
  page.getByRole("link", { name: `Line ${number}`, exact: true }).locator("..");
const topOf = async (page: Page, number: number): Promise<number> => (await line(page, number).boundingBox())?.y ?? -1;
const linesTo = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `resource ${from + at}: Still creating...`);

it("follows the end, keeps a line in its place while 10,000 arrive, and goes to both ends by keys", async () => {
  const { job, path } = await startRun("long");
  await sendLines(job, linesTo(1, 3000));
  await using opened = await scene.open(path);
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  await line(page, 3000).getByText("resource 3000:").waitFor();
  await sendLines(job, linesTo(3001, 3100));
  await line(page, 3100).getByText("resource 3100:").waitFor();

  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await line(page, 1).getByText("resource 1:").waitFor();
  expect(await page.getByLabel("Follow").isChecked()).toBe(false);
  const before = await topOf(page, 12);
  await line(page, 12).getByText("resource 12:").selectText();
  await sendLines(job, linesTo(3101, 13_100));
  await page.getByText("13100 lines").waitFor();
  expect(await topOf(page, 12)).toBe(before);
  expect(await page.evaluate(() => getSelection()?.toString())).toContain("resource 12: Still creating...");
  expect(await page.locator("[aria-label^='Line ']").count()).toBeLessThan(150);
  // A view that grows has rows down to its lower edge, although nothing scrolls or arrives.
  await page.setViewportSize({ width: 1280, height: 1600 });
  await line(page, 56).getByText("resource 56:").waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.keyboard.press("Shift+G");
  await line(page, 13_100).getByText("resource 13100:").waitFor();

  // The search reads the whole log, also what no page has loaded.
  await page.keyboard.press("/");
  await page.keyboard.type("RESOURCE 700");
  await page.keyboard.press("Enter");
  await page.getByText("1 of 11 lines").waitFor();
  await line(page, 700).getByText("resource 700:").waitFor();
  await page.getByRole("button", { name: "The next line" }).click();
  await line(page, 7000).getByText("resource 7000:").waitFor();
  await page.getByRole("region", { name: "Log" }).focus();
  await page.keyboard.press("n");
  await page.getByText("3 of 11 lines").waitFor();
  await page.keyboard.press("Shift+N");
  await page.getByText("2 of 11 lines").waitFor();
  await page.keyboard.press("e");
  await page.getByText("0 lines", { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(reports).toEqual([]);
});

it("opens at the lines of an address, marks them, and puts those that are chosen into it", async () => {
  const { job, path } = await startRun("linked");
  await sendLines(job, linesTo(1, 5000));
  await using opened = await scene.open(`${path}#L2500-L2502`);
  const { page } = opened;
  await signIn(page, scene.server.api.token);
  await page.waitForURL("**#L2500-L2502");
  await line(page, 2501).getByText("resource 2501:").waitFor();
  const chosen = page.locator("[data-chosen]");
  expect(await chosen.allInnerTexts()).toEqual(
    [2500, 2501, 2502].map((number) => expect.stringContaining(`${number}`)),
  );
  const frames = (): Promise<string[]> =>
    chosen.evaluateAll((rows) => rows.map((row) => getComputedStyle(row).outlineStyle));
  expect(await frames()).toEqual(["none", "none", "none"]);
  // In the colors of the system a background shows nothing.
  await page.emulateMedia({ forcedColors: "active" });
  expect(await frames()).toEqual(["solid", "solid", "solid"]);
  await page.emulateMedia({ forcedColors: null });
  await line(page, 2505).getByRole("link").click();
  await line(page, 2507)
    .getByRole("link")
    .click({ modifiers: ["Shift"] });
  await page.waitForURL("**#L2505-L2507");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("y");
  await page.getByText("L2505-L2507 copied as a link").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${scene.site}${path}#L2505-L2507`);
  await sendLines(job, linesTo(5001, 5200));
  await page.getByText("5200 lines").waitFor();
  expect(await chosen.count()).toBe(3);
  await shoot(page, "log");
  await page.getByLabel("Whole window").check();
  await shoot(page, "log-wide");
  await page.getByLabel("Whole window").uncheck();
  // Another link to the same page.
  await page.goto(`${scene.site}${path}#L77`);
  await line(page, 77).getByText("resource 77:").waitFor();
  expect(await chosen.count()).toBe(1);
});

it("goes to the sections of a log by its phases, and shows which one is in sight", async () => {
  const workspaceId = await scene.createWorkspace("sections", { "main.tf": "" });
  await createRun(scene.server.api, workspaceId, { kind: "PLAN" });
  const job = await claimNext();
  await job.log("PREPARE", "checked out", "verified");
  await job.message({ type: "prepared" });
  await job.log("INIT", ...linesTo(3, 80));
  await using opened = await scene.open("/o/default/w/sections/runs/1?tab=log");
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  await line(page, 80).getByText("resource 80:").waitFor();
  const sections = page.getByRole("navigation", { name: "Sections of the log" });
  const current = sections.locator("[aria-current]");
  await sections.getByRole("button", { name: /^prepare passed/ }).waitFor();
  await current.getByText("init", { exact: true }).waitFor();

  // A section that begins while the page is open.
  await job.message({ type: "initialized" });
  await sendLines(job, linesTo(81, 400));
  await sections.getByRole("button", { name: /^plan running/ }).waitFor();
  await sections.getByRole("button", { name: /^init passed/ }).waitFor();
  await current.getByText("plan", { exact: true }).waitFor();
  await sections.getByRole("button", { name: /^init/ }).click();
  await current.getByText("init", { exact: true }).waitFor();
  const upper = async (): Promise<number> => (await page.getByRole("region", { name: "Log" }).boundingBox())?.y ?? 0;
  expect((await topOf(page, 3)) - (await upper())).toBeLessThan(2);
  await page.keyboard.press("]");
  await line(page, 81).getByText("resource 81:").waitFor();
  await current.getByText("plan", { exact: true }).waitFor();
  await page.keyboard.press("[");
  await current.getByText("init", { exact: true }).waitFor();
  await page.keyboard.press("[");
  await current.getByText("prepare", { exact: true }).waitFor();
  await line(page, 1).getByText("checked out").waitFor();
  await checkViews(page, "log-sections");
  expect(reports).toEqual([]);
});

it("wraps lines on a phone, keeps its place there, and scrolls to the sides where a person asks for it", async () => {
  const { job, path } = await startRun("phone");
  const long = (number: number): string => `resource ${number}: ${"a/rather/long/path ".repeat(8)}<end ${number}>`;
  await sendLines(
    job,
    linesTo(1, 200).map((_, at) => long(at + 1)),
  );
  await using opened = await scene.open(path, { width: 390, height: 844 });
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  const log = page.getByRole("region", { name: "Log" });
  const inside = (text: string): Promise<boolean> =>
    log.evaluate((view, wanted) => {
      const row = [...view.querySelectorAll("[aria-label^='Line ']")].find((link) =>
        link.parentElement?.textContent.includes(wanted),
      )?.parentElement;
      const [inner, outer] = [row?.getBoundingClientRect(), view.getBoundingClientRect()];
      return inner !== undefined && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    }, text);
  const isWide = (): Promise<boolean> => log.evaluate((view) => view.scrollWidth > view.clientWidth);
  await waitUntil(() => inside("<end 200>"));
  expect(await isWide()).toBe(false);
  await sendLines(job, [long(201), long(202)]);
  await waitUntil(() => inside("<end 202>"));
  await shoot(page, "log-wrapped");

  // Upwards from the end by a finger: the lines move as far as it does, and stay where they are while others come.
  await log.hover();
  await page.mouse.wheel(0, -200);
  await waitUntil(async () => !(await page.getByLabel("Follow").isChecked()));
  expect(await isWide()).toBe(false);
  const first = await log.evaluate((view) => {
    const { top } = view.getBoundingClientRect();
    const rows = [...view.querySelectorAll("[aria-label^='Line ']")];
    const row = rows.find((link) => (link.parentElement?.getBoundingClientRect().top ?? 0) >= top);
    return Number(row?.textContent);
  });
  expect(first).toBeGreaterThan(150);
  expect(first).toBeLessThan(200);
  const place = await topOf(page, first);
  await sendLines(
    job,
    linesTo(203, 1500).map((_, at) => long(at + 203)),
  );
  await page.getByText("1500 lines").waitFor();
  expect(await topOf(page, first)).toBeCloseTo(place, 0);
  expect(await page.locator("[aria-label^='Line ']").count()).toBeLessThan(150);
  await page.keyboard.press("Shift+G");
  await waitUntil(() => inside("<end 1500>"));
  await page.getByLabel("Wrap").uncheck();
  await line(page, 1500).waitFor();
  expect(await isWide()).toBe(true);
  // The browser keeps the choice.
  await page.reload();
  await line(page, 1500).waitFor();
  expect(await page.getByLabel("Wrap").isChecked()).toBe(false);
  await page.getByLabel("Wrap").check();
  await waitUntil(() => inside("<end 1500>"));
  expect(reports).toEqual([]);
});

it("reads nothing while another part is shown, and is then where it was", async () => {
  const { job, path } = await startRun("kept");
  await sendLines(job, linesTo(1, 3000));
  await using opened = await scene.open(path);
  const { page, reports } = opened;
  const batches: string[] = [];
  let ended = 0;
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).includes('"runLog"')) batches.push(String(payload));
    });
    socket.on("framesent", ({ payload }) => {
      if (String(payload).includes('"complete"')) ended += 1;
    });
  });
  await signIn(page, scene.server.api.token);
  await line(page, 3000).getByText("resource 3000:").waitFor();
  await sendLines(job, linesTo(3001, 3002));
  await line(page, 3002).getByText("resource 3002:").waitFor();
  expect(batches.length).toBeGreaterThan(0);
  await page.keyboard.press("/");
  await page.keyboard.type("resource 1500:");
  await page.keyboard.press("Enter");
  await line(page, 1500).getByText("resource 1500:").waitFor();
  await page.getByRole("tab", { name: "log" }).focus();
  const place = await topOf(page, 1500);

  await page.getByRole("button", { name: "API" }).click();
  await page.getByText("subscription LogLive", { exact: true }).waitFor();
  await closeDialog(page);
  const before = ended;
  await page.keyboard.press("t");
  await page.getByRole("table", { name: "Statuses" }).waitFor();
  // The page has ended its subscription of lines.
  await waitUntil(async () => ended > before);
  batches.length = 0;
  await sendLines(job, linesTo(3003, 4000));
  await finish(job);
  await page.getByRole("heading", { name: "Ended" }).waitFor();
  expect(batches).toEqual([]);
  // The keys of the log do nothing while it is hidden, and its field takes no focus.
  await page.keyboard.press("Shift+G");
  await page.keyboard.press("/");
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("INPUT");

  await page.keyboard.press("l");
  await page.getByText("4000 lines").waitFor();
  expect(await topOf(page, 1500)).toBe(place);
  await page.getByText("1 of 1 line", { exact: true }).waitFor();
  await page.getByLabel("Follow").check();
  await line(page, 4000).getByText("resource 4000:").waitFor();
  expect(reports).toEqual([]);
});

it("draws the colors of a line, live and read from the file, and copies its text alone", async () => {
  const { job, path } = await startRun("colors");
  const at = "2026-11-20T16:07:25.447Z";
  const lines = [
    {
      at,
      text: "ok 1, failed 2 \u202e!",
      spans: [
        { from: 0, to: 4, color: "GREEN", bold: false },
        { from: 6, to: 14, color: "RED", bold: true },
        { from: 15, to: 16, color: "CYAN", bold: false },
      ],
    } as const,
  ];
  const send = async (firstLine: number): Promise<void> => {
    expect((await job.sendLog({ phase: "PLAN", firstLine, lines })).status).toBe(200);
  };
  await send(1);
  await using opened = await scene.open(path);
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  await line(page, 1).getByText("failed 2").waitFor();
  await send(2);
  for (const number of [1, 2]) {
    const parts = line(page, number).locator("b");
    await parts.first().waitFor();
    expect(await parts.allTextContents()).toEqual(["ok 1", "failed 2", "\\u202e"]);
    const styles = await parts.evaluateAll((all) =>
      all.map((part) => getComputedStyle(part)).map(({ color, fontWeight }) => `${color} ${fontWeight}`),
    );
    expect(new Set(styles).size).toBe(3);
    expect(styles[1]).toMatch(/ 700$/);
    expect(await line(page, number).locator("span").textContent()).toBe("ok 1, failed 2 \\u202e!");
  }
  await checkViews(page, "log-colors");
  expect(reports).toEqual([]);
});

it("shows markup, control signs and a very long line as text", async () => {
  const { job, path } = await startRun("hostile");
  const huge = `{"a":"${"x".repeat(60_000)}<end>"}`;
  await sendLines(job, [
    '<img src=x onerror="document.title = 1"><script>document.title = 1</script>',
    "moved \u202efdp.exe",
    "javascript:alert(1) http://127.0.0.1/%0d%0a",
    huge,
    "│ Error: creating Subnet",
    "the last",
  ]);
  await using opened = await scene.open(path);
  const { page, reports } = opened;
  await signIn(page, scene.server.api.token);
  await page.getByText("<img src=x onerror=").waitFor();
  await page.getByText("moved \\u202efdp.exe").waitFor();
  expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
  const row = line(page, 4);
  expect((await row.innerText()).length).toBeLessThan(5000);
  await row.getByRole("button", { name: /more characters/ }).click();
  const dialog = page.getByRole("dialog", { name: "Line 4" });
  await dialog.getByText("<end>").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await closeDialog(page);
  expect(await page.title()).toContain("hostile #");
  expect(reports).toEqual([]);
});
