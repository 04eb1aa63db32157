import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { liveProcesses } from "../support/live-processes.ts";
import { makeDataDir, startServerProcess } from "../support/server-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it.each(["SIGTERM", "SIGINT"] as const)("npm start hands %s on to the server", { timeout: 60_000 }, async (signal) => {
  const dataDir = await makeDataDir();
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
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

it("a terminal that is closed stops the server like Ctrl-C", { timeout: 60_000 }, async () => {
  await using server = await startServerProcess();
  process.kill(server.pid, "SIGHUP");
  expect(await server.exited).toBe(0);
  expect(liveProcesses(server.dataDir)).toEqual([]);
});
