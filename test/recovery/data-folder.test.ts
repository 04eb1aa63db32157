/** Processes that claim one data folder: one has it, until it is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { type DataFolder, openDataFolder } from "../../src/server/data-folder.ts";
import { AlreadyRunningError, findLiveClaim } from "../../src/server/server-claim.ts";

const CLAIMER = fileURLToPath(new URL("../support/claimer.ts", import.meta.url));

let parent: string;
let dir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "data-folder-"));
  dir = join(parent, "deep", "data");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(parent, { recursive: true });
});

const open = (): Promise<DataFolder> =>
  openDataFolder({ dir, uid: process.getuid?.(), identity: ownIdentity(), randomBytes });

/** Starts a process that claims the folder, and returns its word. */
async function startClaimer(startAt = 0): Promise<{ child: ChildProcess; word: string }> {
  const child = spawn(process.execPath, [CLAIMER, dir, String(startAt)], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line]: unknown[] = await once(lines, "line");
  return { child, word: String(line) };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a live Holdpoint keeps the folder; the message names it", async () => {
  const { child, word } = await startClaimer();
  expect(word).toBe("claimed");
  await expect(open()).rejects.toThrow(AlreadyRunningError);
  await expect(open()).rejects.toThrow(`already running on the data folder ${dir} (process ${child.pid})`);
  expect((await findLiveClaim(dir))?.pid).toBe(child.pid);
});

test("the folder of one that was killed is taken over, and is given up in the end", async () => {
  const { child } = await startClaimer();
  await kill(child);
  expect(await findLiveClaim(dir)).toBeUndefined();
  const folder = await open();
  await folder.announce("http://127.0.0.1:4000");
  expect(await findLiveClaim(dir)).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:4000" });
  await folder.release();
  expect(await readdir(dir)).toEqual([]);
});

test.each(["an empty folder", "the folder of one that was killed"])(
  "of many that start at once on %s one wins",
  async (which) => {
    for (let round = 0; round < 3; round += 1) {
      await rm(dir, { recursive: true, force: true });
      if (which !== "an empty folder") await kill((await startClaimer()).child);
      const startAt = Date.now() + 700;
      const claimers = await Promise.all(Array.from({ length: 6 }, () => startClaimer(startAt)));
      const winners = claimers.filter(({ word }) => word === "claimed");
      const words = claimers.map(({ word }) => word.replace(/ .*/, ""));
      expect(words.toSorted()).toEqual(["claimed", "taken", "taken", "taken", "taken", "taken"]);
      expect((await findLiveClaim(dir))?.pid).toBe(winners[0]?.child.pid);
      await Promise.all(winners.map(({ child }) => kill(child)));
    }
  },
);
