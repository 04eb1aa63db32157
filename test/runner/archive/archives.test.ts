import { mkdtemp, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type Header, pack as tarPack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ArchiveRefused, unpack } from "../../../src/runner/archive/archive-reader.ts";
import { removeLocalState, writeBackendOverride } from "../../../src/runner/engine/engine-files.ts";
import { JobFolder, makeJobsFolder } from "../../../src/runner/job/job-folder.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { packHandover, unpackHandover } from "../../../src/runner/leg/handover.ts";
import { sha256 } from "../../support/fake-protocol-server.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-archive-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Entry = Partial<Header> & { name: string; content?: string };
const { signal } = new AbortController();

async function unpacked(entries: Entry[], limits = {}): Promise<string> {
  const archive = tarPack();
  for (const { content = "", ...header } of entries) archive.entry(header, header.type === undefined ? content : "");
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const file = join(folder, "a.tar.gz");
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
  const into = join(folder, "into");
  await mkdir(into, { recursive: true });
  await unpack({ file, into, uid: null, limits: { ...RUNNER_LIMITS, ...limits }, signal });
  return into;
}

test("files, folders and links within are unpacked", async () => {
  const into = await unpacked([
    { name: "./sub/", type: "directory" },
    { name: "sub/run.sh", content: "x", mode: 0o755 },
    { name: "sub/link", type: "symlink", linkname: "../sub/./run.sh" },
    { name: "sub/link", type: "symlink", linkname: "run.sh" },
  ]);
  expect(await readFile(join(into, "sub/link"), "utf8")).toBe("x");
  expect((await stat(join(into, "sub/run.sh"))).mode & 0o777).toBe(0o755);
});

test.each<[string, Entry[]]>([
  ["an absolute name", [{ name: "/etc/evil" }]],
  ["a name that climbs", [{ name: "a/../../evil" }]],
  ["an absolute link", [{ name: "l", type: "symlink", linkname: "/etc/passwd" }]],
  ["a link that climbs", [{ name: "a/l", type: "symlink", linkname: "../../evil" }]],
  ["an entry below a link", [{ name: "l", type: "symlink", linkname: "." }, { name: "l/x" }]],
  ["a hard link", [{ name: "h", type: "link", linkname: "/etc/passwd" }]],
  ["a hard link within", [{ name: "f" }, { name: "h", type: "link", linkname: "f" }]],
  ["a device", [{ name: "d", type: "character-device" }]],
  ["another device", [{ name: "d", type: "block-device" }]],
  ["a pipe", [{ name: "p", type: "fifo" }]],
  ["a backslash", [{ name: "a\\..\\evil" }]],
  ["a link with no target", [{ name: "l", type: "symlink", linkname: "" }]],
  ["a link that climbs through a folder", [{ name: "a/b/l", type: "symlink", linkname: "../../../evil" }]],
  ["a file in the place of a folder", [{ name: "a/b" }, { name: "a" }]],
  ["an entry below a file", [{ name: "a" }, { name: "a/b" }]],
  ["a name without end", [{ name: `${"x/".repeat(600)}y` }]],
  ["a part without end", [{ name: "x".repeat(300) }]],
])("%s is refused", async (_what, entries) => {
  await expect(unpacked(entries)).rejects.toThrow(ArchiveRefused);
});

test("links through links cannot climb out", async () => {
  const into = await unpacked([
    { name: "deep/er/x", content: "x" },
    { name: "short", type: "symlink", linkname: "deep/er" },
    { name: "tricky", type: "symlink", linkname: "short/../../x" },
  ]).catch((error: unknown) => error);
  expect(into).toBeInstanceOf(ArchiveRefused);
  const inner = await unpacked([{ name: "tricky2", type: "symlink", linkname: "short/../y" }]);
  expect(await readlink(join(inner, "tricky2"))).toBe("y");
});

test("bombs and broken archives are refused", async () => {
  await expect(unpacked([{ name: "a", content: "x".repeat(2000) }], { unpackedBytes: 1000 })).rejects.toThrow(
    ArchiveRefused,
  );
  await expect(unpacked([{ name: "a" }, { name: "b" }], { unpackedEntries: 1 })).rejects.toThrow(ArchiveRefused);
  // Folders that nobody lists are made all the same.
  await expect(unpacked([{ name: "1/2/3/4/5" }], { unpackedEntries: 4 })).rejects.toThrow(ArchiveRefused);
  // No entry at all, and much of it.
  const zeros = join(folder, "zeros");
  await writeFile(zeros, gzipSync(Buffer.alloc(4 * 1024 * 1024)));
  const tight = { ...RUNNER_LIMITS, unpackedBytes: 1024, unpackedEntries: 10 };
  await expect(unpack({ file: zeros, into: folder, uid: null, limits: tight, signal })).rejects.toThrow(ArchiveRefused);
  const file = join(folder, "broken");
  await writeFile(file, gzipSync(Buffer.from("x".repeat(600))).subarray(0, 15));
  await expect(unpack({ file, into: folder, uid: null, limits: RUNNER_LIMITS, signal })).rejects.toThrow(
    ArchiveRefused,
  );
});

test("the handover takes modules and lock file, but no providers, secrets or links out of the folder", async () => {
  const jobs = await makeJobsFolder(folder, null);
  const from = await JobFolder.create(jobs, { id: "job_1", token: "" }, null);
  await mkdir(join(from.work, ".terraform/modules/m"), { recursive: true });
  await mkdir(join(from.work, ".terraform/providers/p"), { recursive: true });
  const contents: Record<string, string> = {
    "main.tf": "",
    ".terraform.lock.hcl": "hashes",
    ".terraform/modules/m/m.tf": "module",
    ".terraform/providers/p/binary": "large",
    "zz_holdpoint_strings.auto.tfvars.json": "secret",
  };
  for (const [name, content] of Object.entries(contents)) await writeFile(join(from.work, name), content);
  await symlink("/etc/passwd", join(from.work, "passwd"));
  await symlink("main.tf", join(from.work, "inner"));
  await writeFile(from.planFile, "plan");
  expect(await packHandover(from, signal)).toEqual({ omitted: ["work/passwd"] });

  const to = await JobFolder.create(jobs, { id: "job_2", token: "" }, null);
  await writeFile(to.transferFile, await readFile(from.transferFile));
  const options = { uid: null, limits: RUNNER_LIMITS, signal };
  await unpackHandover(to, sha256(Buffer.from("plan")), options);
  expect(await readFile(join(to.work, ".terraform/modules/m/m.tf"), "utf8")).toBe("module");
  expect(await readFile(join(to.work, ".terraform.lock.hcl"), "utf8")).toBe("hashes");
  expect(await readlink(join(to.work, "inner"))).toBe("main.tf");
  for (const name of [".terraform/providers", "zz_holdpoint_strings.auto.tfvars.json", "passwd"]) {
    await expect(stat(join(to.work, name))).rejects.toThrow("ENOENT");
  }
  await expect(unpackHandover(to, "0".repeat(64), options)).rejects.toThrow(ArchiveRefused);
});

test("the handover of a folder below takes the whole source, and omits the engine's data there", async () => {
  const jobs = await makeJobsFolder(folder, null);
  const workFolder = "envs/prod";
  const from = await JobFolder.create(jobs, { id: "job_1", token: "", workFolder }, null);
  const names = [
    "main.tf",
    ".terraform/modules/modules.json",
    ".terraform/providers/p",
    "zz_holdpoint_strings.auto.tfvars.json",
  ];
  for (const at of [from.work, from.engineFolder]) {
    for (const name of names) {
      await mkdir(dirname(join(at, name)), { recursive: true });
      await writeFile(join(at, name), "x");
    }
  }
  await writeFile(from.planFile, "plan");
  await packHandover(from, signal);
  const to = await JobFolder.create(jobs, { id: "job_2", token: "", workFolder }, null);
  await writeFile(to.transferFile, await readFile(from.transferFile));
  await unpackHandover(to, sha256(Buffer.from("plan")), { limits: RUNNER_LIMITS, signal });
  const found = (await readdir(to.work, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(to.work, join(parentPath, name)));
  expect(found.toSorted()).toEqual([
    ".terraform/modules/modules.json",
    ".terraform/providers/p",
    "envs/prod/.terraform/modules/modules.json",
    "envs/prod/main.tf",
    "main.tf",
    "zz_holdpoint_strings.auto.tfvars.json",
  ]);
});

test("the runner writes to no folder that was put in the place of the engine's", async () => {
  const jobs = await makeJobsFolder(folder, null);
  const elsewhere = join(folder, "elsewhere");
  await mkdir(join(elsewhere, "prod"), { recursive: true });
  await writeFile(join(elsewhere, "prod/errored.tfstate"), "{}");
  const job = await JobFolder.create(jobs, { id: "job_1", token: "", workFolder: "envs/prod" }, null);
  await mkdir(job.engineFolder, { recursive: true });
  await writeBackendOverride(job);
  expect(await readdir(job.engineFolder)).toEqual(["zz_holdpoint_override.tf"]);
  await rename(join(job.work, "envs"), join(job.work, "gone"));
  await symlink(elsewhere, join(job.work, "envs"));
  await expect(writeBackendOverride(job)).rejects.toThrow("was replaced");
  await expect(removeLocalState(job)).rejects.toThrow("was replaced");
  expect(await job.removeErroredState()).toBe(false);
  expect(await readdir(join(elsewhere, "prod"))).toEqual(["errored.tfstate"]);
  // The next runner knows where the engine ran.
  expect((await JobFolder.at(job.path)).workFolder).toBe("envs/prod");
});

test.each(["..", "a/../b", "/a", "a//b", "./a", "a/\0"])("a job with the folder %j is refused", async (workFolder) => {
  const jobs = await makeJobsFolder(folder, null);
  await expect(JobFolder.create(jobs, { id: "job_1", token: "", workFolder }, null)).rejects.toThrow(
    "malformed folder",
  );
});

test("what the engine left is read only where it is a file of its own", async () => {
  const job = await JobFolder.create(await makeJobsFolder(folder, null), { id: "job_1", token: "" }, null);
  expect(await job.readFromEngine(job.erroredStateFile)).toBeUndefined();
  await symlink("/etc/passwd", job.erroredStateFile);
  await expect(job.readFromEngine(job.erroredStateFile)).rejects.toThrow();
  expect((await stat(job.path)).mode & 0o777).toBe(0o700);
});

test("what looks like a state in the folder of a plan is none, after its runner was killed as well", async () => {
  const jobs = await makeJobsFolder(folder, null);
  for (const leg of ["PLAN", "APPLY"] as const) {
    const job = await JobFolder.create(jobs, { id: `job_${leg}`, token: "", leg }, null);
    await writeFile(job.erroredStateFile, "{}");
    const expected = leg === "PLAN" ? null : job.erroredStateFile;
    expect(await job.undeliveredState()).toBe(expected);
    expect(await (await JobFolder.at(job.path)).undeliveredState()).toBe(expected);
  }
});
