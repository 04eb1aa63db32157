/** Files in which DETECT hooks write what they found. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobFolder } from "../../../src/runner/job/job-folder.ts";
import { clearScan, readScan } from "../../../src/runner/leg/scan-file.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

let root: string;
let folder: JobFolder;
const masker = new Masker(6);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "holdpoint-scan-"));
  folder = await JobFolder.create(root, { id: "job_1", token: "t" }, null);
  masker.add(["canary-value"]);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function scanOf(text: string) {
  await clearScan(folder);
  await writeFile(folder.scanFile, text);
  return readScan(folder, masker);
}

describe("a scan file", () => {
  it("has a shape, units, the result of a build and a summary, masked", async () => {
    const text = { shape: "static-build", hasStartCommand: true, units: ["web", "canary-value"], build: "passed" };
    const found = await scanOf(JSON.stringify({ ...text, summary: "It has canary-value." }));
    expect(found).toMatchObject({ scan: { status: "PASSED", shape: "STATIC_BUILD", hasStartCommand: true } });
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  it("need not have all of them, nor be there", async () => {
    const nothing = { status: "SKIPPED", shape: null, hasStartCommand: null, units: [], summary: null };
    expect(await scanOf("{}")).toEqual({ scan: nothing });
    await clearScan(folder);
    expect(await readScan(folder, masker)).toEqual({ scan: null });
  });

  it.each([
    ["x", "it: "],
    ["[]", "it: "],
    ['{"shape": "LAMBDA"}', "shape: must be one of STATIC, STATIC_BUILD, SERVER, MULTI, EXISTING_DOCKER"],
    ['{"build": "green"}', "build: must be passed, failed or skipped"],
    ['{"units": [""]}', "units.0: "],
    ['{"units": "web"}', "units: "],
    [JSON.stringify({ units: Array(101).fill("a") }), "units: "],
    [JSON.stringify({ units: ["ä".repeat(101)] }), "units.0: must have at most 200 bytes"],
    [JSON.stringify({ summary: "a".repeat(4097) }), "summary: must have at most 4096 bytes"],
    ['{"hasStartCommand": "yes"}', "hasStartCommand: "],
    ['{"shapes": "STATIC"}', "it: Unrecognized key"],
    [`{"summary": "${"a".repeat(70_000)}"}`, "it must be a file of at most 65536 bytes"],
  ])("is refused with its field: %.40s", async (text, problem) => {
    expect(await scanOf(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("is no link", async () => {
    await clearScan(folder);
    const other = join(root, "other.json");
    await writeFile(other, '{"summary": "secret"}');
    await symlink(other, folder.scanFile);
    expect(await readScan(folder, masker)).toEqual({ problem: expect.stringContaining("must be a file") });
  });
});
