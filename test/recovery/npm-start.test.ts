import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { liveProcesses } from "../support/live-processes.ts";
import { PATIENCE_MS } from "../e2e/holdpoint.ts";
import { makeDataDir, removeDataDir, startServerProcess } from "../support/server-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Of one after the other: its database is made once. */
let dataDir: string;
beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterAll(() => removeDataDir(dataDir));

it.each(["SIGTERM", "SIGINT"] as const)(
  "npm start hands %s on to the server",
  { timeout: PATIENCE_MS },
  async (signal) => {
    const npm = spawn("npm", ["start"], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] ?? "", HOLDPOINT_DATA_DIR: dataDir, HOLDPOINT_PORT: "0" },
    });
    let output = "";
    const ready = new Promise<void>((resolve) => {
      npm.stdout.on("data", (piece: Buffer) => {
        output += piece.toString();
        if (output.includes("Ctrl-C")) resolve();
      });
    });
    const exited = once(npm, "exit");
    await Promise.race([ready, exited]);
    npm.kill(signal);
    await exited;
    expect(output).toContain("Stopping");
    expect(liveProcesses(dataDir)).toEqual([]);
  },
);

it("a terminal that is closed stops the server like Ctrl-C", { timeout: PATIENCE_MS }, async () => {
  await using server = await startServerProcess({ dataDir });
  process.kill(server.pid, "SIGHUP");
  expect(await server.exited).toBe(0);
  expect(liveProcesses(dataDir)).toEqual([]);
});
