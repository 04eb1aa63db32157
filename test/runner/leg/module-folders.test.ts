import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { JobFolder, makeJobsFolder } from "../../../src/runner/job/job-folder.ts";
import { readModuleFolders } from "../../../src/runner/leg/module-folders.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-modules-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function make(workFolder: string, manifest: unknown): Promise<JobFolder> {
  const job = await JobFolder.create(await makeJobsFolder(folder, null), { id: "job_1", token: "", workFolder }, null);
  await mkdir(join(job.engineFolder, ".terraform/modules"), { recursive: true });
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  await writeFile(join(job.engineFolder, ".terraform/modules/modules.json"), text);
  return job;
}
const modules = (...dirs: string[]): unknown => ({ Modules: dirs.map((Dir) => ({ Key: Dir, Source: "./x", Dir })) });

it("gives the folders of local modules from the root of the source", async () => {
  const dirs = [".", "part", "../../modules/a", "../../modules/a", ".terraform/modules/x", ".terraform/modules/x/sub"];
  const job = await make("envs/prod", modules(...dirs));
  expect(await readModuleFolders(job)).toEqual(["envs/prod/part", "modules/a"]);
});

it("gives no folder outside of the source", async () => {
  const job = await make("envs/prod", modules("../../../x", "/etc", "../..", "a\0b", "x".repeat(2000)));
  expect(await readModuleFolders(job)).toEqual(["envs/prod/etc", "."]);
});

it("gives nothing for a list that cannot be read", async () => {
  for (const text of ["", "{", "{}", '{"Modules":[{}]}', `{"Modules":[]}${" ".repeat(9_000_000)}`]) {
    expect(await readModuleFolders(await make(".", text))).toEqual([]);
  }
  const job = await make(".", modules("a"));
  const file = join(job.engineFolder, ".terraform/modules/modules.json");
  await rm(file);
  expect(await readModuleFolders(job)).toEqual([]);
  await writeFile(join(folder, "elsewhere"), JSON.stringify(modules("a")));
  await symlink(join(folder, "elsewhere"), file);
  expect(await readModuleFolders(job)).toEqual([]);
});
