/**
 * `node bench/console/main.ts`: what the console costs a browser with a log of a million lines and a plan of 5,000 changes. It
 * starts a server of its own and a Chromium, takes some minutes, and prints its figures beside their limits.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { type ConsoleScene, openConsoleScene, signIn } from "../../test/console/browser/console-scene.ts";
import { openFakeJobs, sendLines } from "../../test/console/browser/fake-jobs.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import { type FakeJob, fakePlan } from "../../test/support/fake-runner.ts";
import { createRun } from "../../test/support/run-steps.ts";
import { heapOf, paintOf, slowestInteraction, smoothnessOf, timed } from "./page-measure.ts";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "1000000" },
    changes: { type: "string", default: "5000" },
    jumps: { type: "string", default: "40" },
    seconds: { type: "string", default: "60" },
    cuts: { type: "string", default: "20" },
  },
});
const [LINES, CHANGES, JUMPS, SECONDS, CUTS] = [
  Number(values.lines),
  Number(values.changes),
  Number(values.jumps),
  Number(values.seconds),
  Number(values.cuts),
];

const print = (name: string, figure: string, limit: string): void =>
  void process.stdout.write(`${name.padEnd(52)}${figure.padEnd(36)}${limit}\n`);
const ms = (value: number): string => `${Math.round(value)} ms`;
const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const textOf = (number: number): string => `module.fleet.aws_instance.web[${number}]: Still creating... [10s elapsed]`;
const linesOf = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => textOf(from + at));
const line = (page: Page, number: number) =>
  page.getByRole("link", { name: `Line ${number}`, exact: true }).locator("..");
const shows = (page: Page, number: number): Promise<void> => line(page, number).getByText(`web[${number}]:`).waitFor();

async function open(scene: ConsoleScene, path: string): Promise<Page> {
  const { page } = await scene.open(path);
  await signIn(page, scene.server.api.token);
  return page;
}

async function measureLog(scene: ConsoleScene, job: FakeJob, path: string): Promise<void> {
  await sendLines(job, linesOf(1, LINES));
  const page = await open(scene, `${path}?tab=timeline`);
  await page.getByRole("table", { name: "Statuses" }).waitFor();
  const opened = await timed(async () => {
    await page.getByRole("tab", { name: "log" }).click();
    await shows(page, LINES);
  });
  print(`a log of ${LINES} lines: click to the end`, ms(opened), "1000 ms");

  const middle = Math.floor(LINES / 2);
  await page.goto("about:blank");
  const cold = await timed(async () => {
    await page.goto(`${scene.site}${path}?tab=log#L${middle}`);
    await shows(page, middle);
  });
  print("the same by an address of a line, cold", ms(cold), "1500 ms");

  const view = page.getByRole("region", { name: "Log" });
  const times: number[] = [];
  for (let jump = 1; jump <= JUMPS; jump += 1) {
    // Spread over the log, and the same each time.
    const share = (jump * 0.618) % 1;
    times.push(
      await timed(async () => {
        await view.evaluate((element, to) => {
          element.scrollTop = to * (element.scrollHeight - element.clientHeight);
        }, share);
        await page.waitForFunction(() => {
          const rows = [...document.querySelectorAll("[aria-label='Log'] [data-tone]")];
          return rows.length > 0 && rows.every((row) => row.getAttribute("data-tone") !== "absent");
        });
      }),
    );
  }
  times.sort((a, b) => a - b);
  print(
    `${JUMPS} jumps to painted text`,
    `median ${ms(percentile(times, 0.5))}, p95 ${ms(percentile(times, 0.95))}`,
    "p95 400 ms",
  );
  const session = await page.context().newCDPSession(page);
  const rows = await page.locator("[aria-label^='Line ']").count();
  print("heap and rows after them", `${mb(await heapOf(session))}, ${rows} rows`, "40 MB, 150 rows");

  let searched = 0;
  const search = await smoothnessOf(page, async () => {
    searched = await timed(async () => {
      await page.getByRole("searchbox", { name: "Search the log" }).fill("no line has this");
      await page.keyboard.press("Enter");
      await page.getByText("0 lines", { exact: true }).waitFor();
    });
  });
  print("a search without a match", `${ms(searched)}, longest task ${search.longestTaskMs} ms`, "3000 ms, 50 ms");

  await page.goto(`${scene.site}${path}?tab=log#L${middle}`);
  await page.reload();
  await shows(page, middle);
  const before = await line(page, middle).boundingBox();
  await sendLines(job, linesOf(LINES + 1, 10_000));
  await page.getByText(`${LINES + 10_000} lines`).waitFor();
  const after = await line(page, middle).boundingBox();
  print("a line moves while 10,000 arrive", `${Math.abs((after?.y ?? -1) - (before?.y ?? -2))} px`, "0 px");

  await page.getByLabel("Follow").check();
  await shows(page, LINES + 10_000);
  const startHeap = await heapOf(session);
  let sent = LINES + 10_000;
  const follow = await smoothnessOf(page, async () => {
    for (let second = 0; second < SECONDS; second += 1) {
      await sendLines(job, linesOf(sent + 1, 200));
      sent += 200;
      await pause(1000);
    }
    await shows(page, sent);
  });
  const grown = (await heapOf(session)) - startHeap;
  print(
    `200 lines/s for ${SECONDS} s`,
    `${follow.slowFrames} slow frames, heap ${mb(grown)}`,
    "5 frames in 600 s, 15 MB",
  );
  const burst = await smoothnessOf(page, async () => {
    for (let second = 0; second < 20; second += 1) {
      await sendLines(job, linesOf(sent + 1, 2000));
      sent += 2000;
      await pause(1000);
    }
    await shows(page, sent);
  });
  const burstHeap = (await heapOf(session)) - startHeap;
  print("2,000 lines/s for 20 s", `${burst.slowFrames} slow frames, heap ${mb(burstHeap)}`, "5 frames, 15 MB");
  await page.context().close();
}

/** Tags that change alike in all resources but a few. */
function fleetPlan(count: number): PlanContent {
  const plan = fakePlan();
  const [sample] = plan.resourceChanges;
  if (sample === undefined) throw new Error("The plan has no change.");
  const attributes = (index: number, version: string, ami: string) => ({
    ami,
    name: `web-${index}`,
    tags: { version },
    user_data: "a".repeat(600),
  });
  const resourceChanges = Array.from({ length: count }, (_, index) => ({
    ...sample,
    address: `aws_instance.web[${index}]`,
    type: "aws_instance",
    name: "web",
    action: "UPDATE" as const,
    before: attributes(index, "2.0", "ami-1"),
    after: attributes(index, "2.1", index % 1000 === 7 ? "ami-2" : "ami-1"),
    unknownPaths: [],
  }));
  return { ...plan, counts: { ...plan.counts, additions: 0, changes: count }, resourceChanges };
}

/** Searches for a page, shows the list of keys, and opens and closes what is folded, as people do on any page. */
async function useByKeysAndClicks(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Go to…" }).click();
  await page.keyboard.type("runners", { delay: 20 });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keys" }).click();
  // A key that comes before the dialog would not close it.
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  const folded = page.locator("main summary:visible");
  const count = Math.min(5, await folded.count());
  for (let at = 0; at < count; at += 1) for (let turn = 0; turn < 2; turn += 1) await folded.nth(at).click();
  for (let at = 0; at < 5; at += 1) await page.keyboard.press("Tab");
}

async function measurePlan(scene: ConsoleScene, path: string): Promise<void> {
  const page = await open(scene, "/inbox");
  const seen = await timed(async () => {
    await page.goto(`${scene.site}${path}`);
    await page.getByText(`${CHANGES} changes in 2 patterns`).waitFor();
  });
  const nodes = await page.locator("*").count();
  print(`a plan of ${CHANGES} changes: navigation to patterns`, `${ms(seen)}, ${nodes} nodes`, "2000 ms, 1500 nodes");
  for (const target of ["/inbox", "/o/default/runs", path]) {
    await page.goto(`${scene.site}${target}`);
    await page.locator('[data-state="LIVE"]').waitFor();
    const { lcpMs, shift } = await paintOf(page);
    const inp = await slowestInteraction(page, () => useByKeysAndClicks(page));
    print(
      `paint of ${target.replace(/\/w\/.*/, "/w/...")}`,
      `LCP ${lcpMs} ms, CLS ${shift.toFixed(3)}, INP ${inp} ms`,
      "800 ms, 0.02, 100 ms",
    );
  }
  await page.context().close();
}

/** The connection is cut, the run is planned again, and the page shows the new plan once it is back. */
async function measureCuts(scene: ConsoleScene, claimNext: () => Promise<FakeJob>): Promise<void> {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("cut", { "main.tf": "" });
  const runId = await createRun(api, workspaceId);
  await (await claimNext()).plan();
  const page = await open(scene, `/r/${runId}`);
  await page.getByRole("button", { name: "Approve plan v1" }).waitFor();
  const times: number[] = [];
  for (let version = 2; version <= CUTS + 1; version += 1) {
    await page.context().setOffline(true);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    const nothing = { latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
    await session.send("Network.emulateNetworkConditions", { offline: true, ...nothing });
    await session.detach();
    await api.ask(`mutation { replanRun(input: { runId: "${runId}", planVersion: ${version - 1} }) { __typename } }`);
    await (await claimNext()).plan();
    await page.context().setOffline(false);
    times.push(await timed(() => page.getByRole("button", { name: `Approve plan v${version}` }).waitFor()));
  }
  times.sort((a, b) => a - b);
  print(
    `${CUTS} cuts with a new plan in between`,
    `right after ${ms(percentile(times, 0.5))}, at most ${ms(times.at(-1) ?? 0)}`,
    "1500 ms",
  );
  await page.context().close();
}

const scene = await openConsoleScene({ slots: 0, isAlone: true });
try {
  const claimNext = await openFakeJobs(scene.server.url, scene.server.api);
  const log = await scene.createWorkspace("log", { "main.tf": "" });
  await createRun(scene.server.api, log, { kind: "PLAN" });
  const job = await claimNext();
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  const beat = setInterval(() => void job.heartbeat(), 5000);
  try {
    await measureLog(scene, job, "/o/default/w/log/runs/1");
  } finally {
    // Beats after the end of the server would hide why the measurement failed.
    clearInterval(beat);
  }
  const fleet = await scene.createWorkspace("fleet", { "main.tf": "" });
  await createRun(scene.server.api, fleet);
  await (await claimNext()).plan(fleetPlan(CHANGES));
  await measurePlan(scene, "/o/default/w/fleet/runs/1");
  await measureCuts(scene, claimNext);
} finally {
  await scene[Symbol.asyncDispose]();
}
