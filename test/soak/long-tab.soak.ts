import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleScene, openConsoleScene, signIn } from "../console/browser/console-scene.ts";
import { command, createRun } from "../support/run-steps.ts";

const EVENTS = 100_000;
const EVENTS_A_RUN = 8;
const AT_ONCE = 500;
const MIB = 1024 * 1024;

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0 });
}, 120_000);
afterAll(() => scene[Symbol.asyncDispose]());

it(`a tab that was open over ${EVENTS} events of an organization takes less than 80 MiB`, async () => {
  const { api } = scene.server;
  const workspaceId = await scene.createWorkspace("busy", { "main.tf": "" });
  await using opened = await scene.open("/login");
  const { page, context, reports } = opened;
  // The events are sent between the server and the page: they are copies of a real one, of other runs.
  let send: ((text: string) => void) | undefined;
  let template: string | undefined;
  await page.routeWebSocket("**/graphql", (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (typeof message === "string" && /"organizationEvents".*"run":/.test(message)) template = message;
      socket.send(message);
    });
    send = (text) => socket.send(text);
  });
  await page.goto(`${scene.site}/o/default/runs`);
  await signIn(page, api.token);
  const runId = await createRun(api, workspaceId, { message: "the first" });
  await expect.poll(() => template).toBeDefined();
  await page.getByRole("button", { name: /more run/ }).click();
  await page.getByRole("row", { name: /busy #1/ }).waitFor();
  const session = await context.newCDPSession(page);
  const heapOf = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
  };
  const before = await heapOf();
  const copy = (template ?? "").replaceAll(/"cursor":"[^"]*",?/g, "");
  for (let sent = 0; sent < EVENTS; sent += 1) {
    const id = `run_${String(Math.floor(sent / EVENTS_A_RUN)).padStart(26, "0")}`;
    const version = (sent % EVENTS_A_RUN) + 1;
    send?.(copy.replaceAll(runId, id).replaceAll(/"version":\d+/g, `"version":${version}`));
    // The page keeps up: nothing waits in front of it.
    if (sent % AT_ONCE === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const after = await heapOf();
  console.log(`heap ${(before / MIB).toFixed(1)} MiB before, ${(after / MIB).toFixed(1)} MiB after ${EVENTS} events`);
  expect(after).toBeLessThan(80 * MIB);
  // The tab still follows what happens.
  await command(api, "cancelRun", { runId });
  await page
    .getByRole("row", { name: /busy #1/ })
    .getByText("canceled")
    .waitFor();
  expect(reports).toEqual([]);
}, 1_200_000);
