/** A plan's folder waits on its runner for the apply. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunnerHarness, variable } from "../support/runner-harness.ts";

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
  await vi.waitUntil(async () => !(await readdir(folder)).includes("home"), { timeout: 10_000 });
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
