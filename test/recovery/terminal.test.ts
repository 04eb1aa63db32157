/** `npm start` in a terminal, where one Ctrl-C signals npm and the server alike, and npm hands its own signal on. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PATIENCE_MS } from "../e2e/holdpoint.ts";
import { createApi, waitForStatus } from "../support/api.ts";
import { waitFor } from "../support/eventually.ts";
import { startHeldApply } from "../support/held-apply.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { liveProcesses } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { RunnerHarness } from "../support/runner-harness.ts";
import { makeDataDir, removeDataDir, startServerProcess } from "../support/server-process.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";

let work: HeldWork;
/** Of one server after the other: its database is made once. */
let dataDir: string;
beforeAll(async () => {
  work = await startHeldWork();
  dataDir = await makeDataDir();
});
afterAll(async () => {
  await work[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
});

/**
 * Stops the clock of the stop signals, and no other: where the machine is busy, npm may take longer to forward its signal
 * than they allow for.
 */
const STANDING_SIGNALS = `const now = performance.now.bind(performance);
  performance.now = () => (new Error().stack.includes("stop-signals.ts") ? 0 : now());`;
const STANDING = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(STANDING_SIGNALS)}` };

const environment = () => ({
  HOLDPOINT_DATA_DIR: dataDir,
  HOLDPOINT_PORT: "0",
  HOLDPOINT_SOURCE_ROOTS: work.root,
  TF_VAR_mark: dataDir,
});

/** A server in a terminal with a run in the middle of its apply. */
async function startApplying(terminal: Terminal, name: string) {
  await terminal.shows(/Stop {2,}/);
  const url = /Holdpoint listens on (\S+)/.exec(terminal.output())?.[1] ?? "";
  const api = createApi(url, (await readFile(join(dataDir, "admin-token"), "utf8")).trim());
  return { api, ...(await startHeldApply(api, work, name)) };
}

/** The run as the next server on the folder shows it, once nothing of the former one is left. */
async function readAfterwards(run: string) {
  await waitFor(() => expect(liveProcesses(dataDir)).toEqual([]));
  await using next = await startServerProcess({ dataDir });
  return await waitForStatus(next.api, run, "FINISHED", "FAILED", "STOPPED", "TIMED_OUT");
}

/**
 * Presses Ctrl-C once and waits until both signals were taken. Pending signals of one kind are one, so npm's must not
 * come before the terminal's was taken. `mark` is in the environment of npm.
 */
async function pressCtrlCOnce(terminal: Terminal, mark: string): Promise<void> {
  const npm = liveProcesses(mark).find(({ command }) => command.startsWith("npm "))?.pid ?? 0;
  process.kill(npm, "SIGSTOP");
  terminal.pressCtrlC();
  await terminal.shows("a running apply is waited for");
  process.kill(npm, "SIGCONT");
  // However late npm is.
  await terminal.shows("belongs to an earlier one");
}

it("npm start: one Ctrl-C waits for an apply", { timeout: PATIENCE_MS }, async () => {
  const debug = { HOLDPOINT_LOG_LEVEL: "debug" };
  await using terminal = openTerminal("npm start", { ...environment(), ...STANDING, ...debug });
  const { api, run, release } = await startApplying(terminal, "once");
  await pressCtrlCOnce(terminal, dataDir);
  expect((await steps.readRun(api, run)).statuses.at(-1)).toBe("APPLYING");
  await release();
  await terminal.exited;
  expect(await readAfterwards(run)).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
});

it("npm run runner: one Ctrl-C waits for an apply", { timeout: PATIENCE_MS }, async () => {
  await using harness = await RunnerHarness.start();
  const { server, workDir } = harness;
  const release = join(workDir, "release");
  const wait = `echo waiting; until [ -e ${release} ]; do sleep 0.05; done`;
  const plan = await harness.plan({
    "main.tf": `resource "terraform_data" "a" {\n provisioner "local-exec" {\n command = "${wait}"\n }\n }`,
  });
  // Only the process in the terminal is to claim the apply.
  harness.runner.drain();
  await harness.runner.done;
  await using terminal = openTerminal(`npm run runner -- --server ${server.url} --pool builders`, {
    HOLDPOINT_RUNNER_TOKEN: server.runnerToken,
    HOLDPOINT_RUNNER_WORK_DIR: workDir,
    HOLDPOINT_LOG_LEVEL: "debug",
    ...STANDING,
  });
  harness.offerApply(plan);
  await server.until(() => server.lines.some(({ text }) => text.endsWith("(local-exec): waiting")));
  await pressCtrlCOnce(terminal, workDir);
  await writeFile(release, "");
  expect(await server.ended()).toMatchObject({ type: "applied" });
  await terminal.exited;
});

it("Ctrl-C again interrupts it, and its state is saved", { timeout: PATIENCE_MS }, async () => {
  await using terminal = openTerminal("npm start", environment());
  const { run } = await startApplying(terminal, "again");
  terminal.pressCtrlC();
  await terminal.shows("a running apply is waited for");
  await waitFor(() => {
    if (!terminal.output().includes("Interrupting")) terminal.pressCtrlC();
    expect(terminal.output()).toContain("Interrupting");
  });
  await terminal.exited;
  const failure = { code: "APPLY_INTERRUPTED", appliedAddresses: ["terraform_data.first"], stateUncertain: false };
  expect(await readAfterwards(run)).toMatchObject({ status: "FAILED", failure });
});

it("an apply is waited for where the reader of the output ends first", { timeout: PATIENCE_MS }, async () => {
  await using terminal = openTerminal(`npm start 2>&1 | tee ${join(dataDir, "..", "log")}`, environment());
  const { run, release } = await startApplying(terminal, "piped");
  terminal.pressCtrlC();
  // tee ends with the signal, and the shell with its last command.
  await waitFor(() => expect(liveProcesses(dataDir).filter(({ command }) => command.startsWith("tee"))).toEqual([]));
  await release();
  expect(await readAfterwards(run)).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
});

it("an apply is waited for where the terminal is closed", { timeout: PATIENCE_MS }, async () => {
  await using terminal = openTerminal("npm start", environment());
  const { run, release } = await startApplying(terminal, "closed");
  terminal.close();
  await terminal.exited;
  await release();
  expect(await readAfterwards(run)).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
});
