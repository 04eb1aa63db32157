/** No `git add --all` in the folder of the repository takes a file with secrets that Holdpoint writes there. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("git ignores data folders, and backups as the README names them", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const backups = [...readme.matchAll(/npm run backup -- (\S+)/g)].map(([, file = ""]) => file);
  expect(backups).not.toEqual([]);
  const names = [...backups, `${backups[0]}.0a1b2c.partial`, ".holdpoint/master.key", ".holdpoint-runner/jobs/state"];
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-ignored-"));
  execFileSync("git", ["init", "-q", folder]);
  await copyFile(join(root, ".gitignore"), join(folder, ".gitignore"));
  const { stdout } = spawnSync("git", ["check-ignore", ...names], { cwd: folder, encoding: "utf8" });
  await rm(folder, { recursive: true });
  expect(stdout.trimEnd().split("\n")).toEqual(names);
});
