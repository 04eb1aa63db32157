/** Hosts on which something is different: a folder that only root can enter, no engine. */
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase } from "../support/database.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { liveProcesses, survivors } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { waitUntil } from "../support/eventually.ts";

const LIMIT_MS = 300_000;

let work: HeldWork;
let folder: string;
beforeAll(async () => {
  work = await startHeldWork();
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-hosts-")));
});
afterAll(async () => {
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Where the runner works instead, from what the server says about it. */
function otherWorkFolder(server: ServerProcess): string {
  return /"workFolder":"([^"]+)"/.exec(server.output())?.[1] ?? "";
}

describe.runIf(process.getuid?.() === 0)("a data folder that only root can enter", { timeout: LIMIT_MS }, () => {
  it("serves, plans and applies; what a killed server left is found again", async () => {
    await chmod(folder, 0o700);
    const dataDir = join(folder, "deeper", "data");
    const env = { HOLDPOINT_SOURCE_ROOTS: work.root, TF_VAR_mark: dataDir };
    await using server = await startServerProcess({ dataDir, env });
    const { api } = server;
    const { path } = await work.heldApply("private");
    const workspace = await steps.createWorkspace(api, "private", path);
    const run = await steps.createRun(api, workspace);
    const log = new Follower("runLog", run);
    const ended = log.connect(api);
    await steps.approveBoth(api, run);
    await log.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
    const instead = otherWorkFolder(server);
    expect(server.output()).toContain(`"blockedBy":"${folder}"`);
    try {
      const { uid, mode } = await stat(instead);
      expect([uid, mode & 0o777]).toEqual([0, 0o711]);
      expect(await readdir(join(instead, "jobs"))).not.toEqual([]);
      const had = liveProcesses(dataDir, server.pid);
      await server.killGroup();
      expect(await ended).toBe("dropped");

      await using next = await startServerProcess({ dataDir, env });
      await waitUntil(() => otherWorkFolder(next) !== "");
      expect(otherWorkFolder(next)).toBe(instead);
      const path = await work.source(
        "private-uid",
        `resource "terraform_data" "a" {
           provisioner "local-exec" { command = "echo uid=$(id -u)" }
         }`,
      );
      const second = await steps.createRun(next.api, await steps.createWorkspace(next.api, "private-uid", path));
      await steps.approveBoth(next.api, second);
      expect(await waitForStatus(next.api, second, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
      expect(survivors(had)).toEqual([]);
      const { lines } = await steps.readRun(next.api, second);
      const uids = lines.flatMap(({ text }) => /uid=(\d+)/.exec(text)?.[1] ?? []);
      expect(uids).toHaveLength(1);
      expect(uids).not.toContain("0");
      expect(await next.stop()).toBe(0);
    } finally {
      await rm(instead, { recursive: true, force: true });
    }
    expect(liveProcesses(dataDir)).toEqual([]);
    expect(existsSync(instead)).toBe(false);
  });
});

describe("a host without an engine", { timeout: LIMIT_MS }, () => {
  it("serves; a run ends, and says what to install", async () => {
    await using database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, HOLDPOINT_SOURCE_ROOTS: work.root, PATH: "/nowhere" };
    await using server = await startServerProcess({ env });
    const path = await work.source("no-engine", 'resource "terraform_data" "a" {}');
    const workspace = await steps.createWorkspace(server.api, "no-engine", path);
    const run = await steps.createRun(server.api, workspace);
    const { failure } = await waitForStatus(server.api, run, "FAILED");
    expect(failure).toMatchObject({ code: "ENGINE_MISSING", stage: "SETUP", stateUncertain: false, retryable: false });
    expect(failure?.summary).toBe(`Runner embedded@${hostname()} has neither terraform nor tofu.`);
    const { run: found } = await server.api.ask(
      `query ($id: ID!) { run(id: $id) { failure { likelyCause } workspace { currentRun { id } lock { reason } } } }`,
      { id: run },
    );
    expect(found.failure.likelyCause).toContain("Install terraform or tofu on PATH");
    expect(found.workspace).toEqual({ currentRun: null, lock: null });
    const { lines } = await steps.readRun(server.api, run);
    expect(lines.at(-1)?.text).toBe(failure?.summary);
    expect(await server.stop()).toBe(0);
  });
});
