/** A plan's folder waits on its runner for the apply. */
import { mkdir, open, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { digestFolders } from "../../../src/runner/archive/folder-digest.ts";
import { waitUntil } from "../../support/eventually.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start();
});
afterEach(() => harness[Symbol.asyncDispose]());

const files = { "main.tf": 'variable "word" {}\nresource "terraform_data" "a" {\n  input = var.word\n}\n' };
const variables = [variable("word", "unspoken-word", { sensitive: true })];
const jobs = (): Promise<string[]> => readdir(join(harness.workDir, "jobs"));
const fetches = (): number =>
  harness.server.requests.filter(({ method, path }) => method === "GET" && path === "archive").length;
/** In the job that was offered last. */
const isInitialised = (): boolean => harness.server.log.includes("Initializing the backend");

/** Plans, and waits until the folder is on its shelf. */
async function planned() {
  const plan = await harness.plan(files, { variables });
  const [job = ""] = await jobs();
  const folder = join(harness.workDir, "jobs", job);
  // What is not needed goes one after the other.
  await waitUntil(async () => (await readdir(folder)).length <= 3);
  return { plan, folder };
}

test("the apply goes on in it: nothing is fetched or initialised anew, and the values are masked all the same", async () => {
  const { plan, folder } = await planned();
  expect((await readdir(folder)).toSorted()).toEqual(["plan", "runner.json", "work"]);
  expect(await readdir(join(folder, "work"))).toEqual(expect.not.arrayContaining([expect.stringContaining("tfvars")]));
  expect(await harness.apply(plan, { variables })).toMatchObject({ type: "applied" });
  expect([fetches(), isInitialised()]).toEqual([0, false]);
  expect(harness.server.log).not.toContain("unspoken-word");
  harness.runner.drain();
  await harness.runner.done;
  expect(await jobs()).toEqual([]);
});

test("where anything in it was changed meanwhile, the apply has what was handed over", async () => {
  const { plan, folder } = await planned();
  const file = join(folder, "work", "main.tf");
  await writeFile(file, `${await readFile(file, "utf8")}resource "terraform_data" "b" {}\n`);
  expect(await harness.apply(plan, { variables })).toMatchObject({ appliedAddresses: ["terraform_data.a"] });
  expect([fetches(), isInitialised()]).toEqual([1, true]);
  expect(harness.server.log).not.toContain("unspoken-word");
});

test("what the plan's processes still hold of it is not what the apply has", async () => {
  const go = join(harness.workDir, "go");
  const command = `echo waiting; until [ -e ${go} ]; do sleep 0.05; done; cat word.txt`;
  const main = `resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = ${JSON.stringify(command)}\n  }\n}\n`;
  const plan = await harness.plan({ "main.tf": main, "word.txt": "approved" });
  const [job = ""] = await jobs();
  const folder = join(harness.workDir, "jobs", job);
  // What is not needed goes one after the other.
  await waitUntil(async () => (await readdir(folder)).length <= 3);
  await using held = await open(join(folder, "work", "word.txt"), "r+");
  harness.offerApply(plan);
  await waitUntil(() => harness.server.log.includes("): waiting"));
  await held.write("replaced", 0);
  await writeFile(go, "");
  expect(await harness.server.ended()).toMatchObject({ type: "applied" });
  expect([fetches(), harness.server.log]).toEqual([0, expect.stringContaining("): approved")]);
});

test("a folder that an absolute link leads back into is not kept: a provider that came with the source", async () => {
  const [place, cache] = [join(harness.workDir, "job"), join(harness.workDir, "cache")];
  const work = join(place, "work");
  const digest = () => digestFolders([work], process.getuid?.() ?? 0, { bytes: 100, entries: 10 });
  await mkdir(join(work, "terraform.d"), { recursive: true });
  await mkdir(cache);
  await symlink(cache, join(work, "provider"));
  await symlink("terraform.d", join(work, "relative"));
  expect(await digest()).toMatch(/^[0-9a-f]{64}$/);
  // As the engine does: from its data to its cache, and from there to what it installed from.
  await symlink(join(work, "terraform.d"), join(cache, "fake"));
  await symlink(join(cache, "fake"), join(work, "fake"));
  expect(await digest()).toBeNull();
});

test("it goes with the next job of the slot, whatever that is, and with the runner", async () => {
  const { plan, folder } = await planned();
  const { archive } = harness.server;
  const other = await harness.plan({ "main.tf": "" }, { run: { id: "run_2", number: 2, kind: "DEPLOY" } });
  expect(other.hasChanges).toBe(false);
  expect(await jobs()).not.toContain(folder.slice(folder.lastIndexOf("/") + 1));
  harness.server.archive = archive;
  expect(await harness.apply(plan, { variables })).toMatchObject({ type: "applied" });
  expect(fetches()).toBe(1);
  await harness.plan({ ...files, "more.tf": 'resource "terraform_data" "b" {}\n' }, { variables });
  harness.runner.drain();
  await harness.runner.done;
  expect(await jobs()).toEqual([]);
});

test("an apply with hooks, which expect an init, has none of it", async () => {
  const { plan } = await planned();
  const hooks = [{ name: "look", stage: "BEFORE_INIT" as const, command: "true" }];
  expect(await harness.apply(plan, { variables, hooks })).toMatchObject({ type: "applied" });
  expect(isInitialised()).toBe(true);
});
