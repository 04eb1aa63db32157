/** `npm run demo`, as somebody sees it who tries Holdpoint for the first time. */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { makeDataDir, startServerProcess } from "../support/server-process.ts";
import { PATIENCE_MS } from "../e2e/holdpoint.ts";

const MAIN = fileURLToPath(new URL("../../src/main.mjs", import.meta.url));

interface Demo {
  code: number | null;
  text: string;
  /** Of the demo's own process group. */
  group: number;
}

function runDemo(env: Record<string, string>, ...args: string[]): Promise<Demo> {
  const child = spawn(process.execPath, [MAIN, "demo", ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  let text = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (piece: Buffer) => (text += piece.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, text, group: child.pid ?? 0 })));
}

/** Processes whose arguments or folder name this data folder. */
async function processesOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(join("/proc", pid, "cmdline"), "utf8").catch(() => "");
    if (command.includes(dataDir)) found.push(command.replaceAll("\0", " "));
  }
  return found;
}

function expectWholeRun({ code, text }: Demo): void {
  expect(code, text).toBe(0);
  expect(text).toContain("6 to add, 0 to change, 0 to destroy");
  expect(text).toMatch(/digest [0-9a-f]{64}/);
  expect(text).toContain("# terraform_data.service will be created");
  expect(text).toContain("instance 4 of 4 is starting");
  expect(text).toContain("has finished: APPLIED");
  expect(text).toMatch(/url +(=|.*) https:\/\/hello-dev\.example\.com/);
  expect(text).toMatch(/database_url +(=|.*) \(sensitive\)/);
  expect(text).not.toContain("postgres://hello");
  expect(text).not.toMatch(/hpt_|\.ts:\d+|"level":/);
}

describe.concurrent("the demo", { timeout: PATIENCE_MS }, () => {
  it("starts a server of its own, with its own Postgres, and leaves nothing running", async () => {
    // The path of a person's is shorter than that of temporary folders, and a runner warns of a long one.
    const folder = await mkdtemp("/tmp/hp-");
    await chmod(folder, 0o711);
    const dataDir = join(folder, "data");
    try {
      const demo = await runDemo({ HOLDPOINT_DATA_DIR: dataDir, HOLDPOINT_PORT: "0" }, "--yes");
      expect(demo.text).toContain("No server is running here");
      expectWholeRun(demo);
      expect(() => process.kill(-demo.group, 0)).toThrow("ESRCH");
      expect(await processesOf(dataDir)).toEqual([]);
      expect(await readdir(join(dataDir, "runner", "jobs"))).toEqual([]);
    } finally {
      await rm(join(dataDir, ".."), { recursive: true, force: true });
    }
  });

  it("uses the server that runs; the second time there is nothing to do", async () => {
    await using database = await createTestDatabase();
    await using server = await startServerProcess({ env: { DATABASE_URL: database.url } });
    const env = { HOLDPOINT_DATA_DIR: server.dataDir, DATABASE_URL: database.url };
    const first = await runDemo(env, "--yes");
    expect(first.text).toContain(`Using the server at ${server.url}/graphql`);
    expectWholeRun(first);
    const second = await runDemo(env, "--yes");
    expect(second.code).toBe(0);
    expect(second.text).toContain("exists already");
    expect(second.text).toContain("No changes");
    expect(await server.api.ask("{ runs { totalCount edges { node { outcome } } } }")).toEqual({
      runs: { totalCount: 2, edges: [{ node: { outcome: "NO_CHANGES" } }, { node: { outcome: "APPLIED" } }] },
    });
    expect(await server.stop()).toBe(0);
  });

  it("says what is missing before it creates anything", async () => {
    const dataDir = await makeDataDir();
    try {
      const env = { HOLDPOINT_DATA_DIR: dataDir, HOLDPOINT_PORT: "0" };
      const silent = await runDemo(env);
      expect(silent).toMatchObject({ code: 1, text: expect.stringContaining("--yes") });
      const emptyPath = await runDemo({ ...env, PATH: "/nowhere" }, "--yes");
      expect(emptyPath).toMatchObject({ code: 1, text: expect.stringContaining("Install Terraform") });
      expect(await readdir(join(dataDir, ".."))).toEqual([]);
      expect((await runDemo(env, "--no")).code).toBe(2);
    } finally {
      await rm(join(dataDir, ".."), { recursive: true, force: true });
    }
  });
});
