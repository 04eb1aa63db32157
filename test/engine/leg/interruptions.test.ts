import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isSameProcess, processIdentity } from "../../../src/os/process-identity.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { cleanUpOrphans } from "../../../src/runner/slot/orphan-cleanup.ts";
import { waitUntil } from "../../support/eventually.ts";
import { refusal } from "../../support/fake-protocol-server.ts";
import { RunnerHarness } from "../../support/runner-harness.ts";

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start();
});
afterEach(() => harness[Symbol.asyncDispose]());

const files = { "main.tf": 'resource "terraform_data" "a" {}\n' };

/**
 * Holds every request for the state back while the engine plans; fulfilled when the first has come. Not those for its
 * lock: an engine that hears meanwhile that it is to stop may take it and end without giving it back.
 */
function holdState(): { held: Promise<void>; release: () => void } {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  harness.server.intervene = async ({ path }) => {
    if (path !== "state" || !harness.server.messages.some(({ type }) => type === "initialized")) return undefined;
    held.resolve();
    return released.promise;
  };
  return { held: held.promise, release: () => released.resolve(undefined) };
}

test("stopped while it plans", async () => {
  const { held, release } = holdState();
  await harness.offerPlan(files);
  await held;
  harness.server.cancelRequested = true;
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "heartbeat");
  release();
  expect(await harness.server.ended()).toEqual({ sequence: 3, type: "stopped" });
  expect(harness.server.lock).toBeNull();
});

test("an apply that was to stop before the server knew of its beginning gets no state, however late it asks", async () => {
  const engine = harness.options.engine;
  if (engine === null) throw new Error("There is no engine.");
  const [path, go] = [join(harness.workDir, "engine"), join(harness.workDir, "go")];
  const late = `trap "" INT; while [ "$1" = apply ] && [ ! -e ${go} ]; do sleep 0.02; done; exec ${engine.path} "$@"`;
  await writeFile(path, `#!/bin/sh\n${late}\n`, { mode: 0o755 });
  await using other = await RunnerHarness.start({ engine: { ...engine, path } });
  const plan = await other.plan(files);
  const beats = () => other.server.requests.filter(({ path }) => path === "heartbeat").length;
  let begins = false;
  other.server.intervene = async ({ path, body }) => {
    begins ||= path === "messages" && JSON.parse(body.toString()).type === "prepared";
    if (path !== "messages" || !begins || other.server.cancelRequested) return undefined;
    other.server.cancelRequested = true;
    const before = beats();
    // The second one is sent when the first was answered.
    await other.server.until(() => beats() > before + 1);
    await writeFile(go, "");
    return undefined;
  };
  expect(await other.apply(plan)).toMatchObject({ type: "stopped", failure: { code: "APPLY_INTERRUPTED" } });
  expect(other.server.state).toBeNull();
});

test("a drained plan is handed back at once", async () => {
  const { held, release } = holdState();
  await harness.offerPlan(files);
  await held;
  harness.runner.drain();
  release();
  expect(await harness.server.ended()).toEqual({ sequence: 3, type: "handedBack" });
  await harness.runner.done;
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("a drain ends a waiting claim at once", async () => {
  await harness.server.until(() => harness.server.requests.some(({ path }) => path === "claim"));
  harness.runner.drain();
  await harness.runner.done;
});

test("a plan that was taken back reports nothing, and the runner goes on", async () => {
  const { held, release } = holdState();
  await harness.offerPlan(files);
  await held;
  harness.server.over = true;
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "claim");
  release();
  // It ends with the lease.
  harness.server.lock = null;
  harness.server.intervene = () => undefined;
  expect(await harness.plan(files)).toMatchObject({ hasChanges: true });
});

test("every message is sent again under its number until it is answered", async () => {
  let failures = 2;
  harness.server.intervene = ({ path }) => {
    if (path !== "messages" || failures === 0) return undefined;
    failures -= 1;
    return { status: 503 };
  };
  await harness.plan(files);
  expect(harness.server.messages.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, "prepared"],
    [2, "initialized"],
    [3, "planned"],
  ]);
});

test("a state lock that somebody holds", async () => {
  harness.server.lock = {
    ID: "theirs",
    Operation: "OperationTypeApply",
    Info: "",
    Who: "somebody",
    Version: "",
    Created: "2020-01-01T00:00:00Z",
    Path: "",
  };
  await harness.offerPlan(files);
  expect(await harness.server.ended()).toMatchObject({ type: "failed", failure: { code: "STATE_LOCK_HELD" } });
});

test("sources that cannot be used", async () => {
  const failure = async (offer: Promise<unknown>) => {
    await offer;
    const ended = await harness.server.ended();
    return ended.type === "failed" ? ended.failure : ended;
  };
  expect(await failure(harness.offerPlan(files, { source: { digest: "0".repeat(64) } }))).toMatchObject({
    code: "SOURCE_FETCH_FAILED",
  });
  expect(await failure(harness.offerPlan({ "../evil.tf": "" }))).toMatchObject({
    code: "SOURCE_FETCH_FAILED",
    message: expect.stringContaining("../evil.tf"),
  });
  const unparsable = await failure(harness.offerPlan({ "main.tf": 'resource "x" {' }));
  expect(unparsable).toMatchObject({ code: "INIT_FAILED", summary: expect.not.stringContaining("\n") });
  expect(unparsable).toMatchObject({ message: expect.stringContaining("on main.tf line 1") });
  const unknownProvider =
    'terraform {\n required_providers {\n x = { source = "127.0.0.1:1/no/such" }\n }\n}\nresource "x_y" "z" {}';
  expect(await failure(harness.offerPlan({ "main.tf": unknownProvider }))).toMatchObject({ code: "INIT_FAILED" });
  expect(await failure(harness.offerPlan({ "main.tf": 'output "o" { value = terraform_data.no }' }))).toMatchObject({
    code: expect.stringMatching(/INIT_FAILED|PLAN_FAILED/),
    message: expect.stringContaining("terraform_data"),
  });
});

test("a runner without an engine says so", async () => {
  await using without = await RunnerHarness.start({ engine: null });
  await without.offerPlan(files);
  expect(await without.server.ended()).toMatchObject({ failure: { code: "ENGINE_MISSING" } });
});

test("what a killed runner left is ended and removed; a state that was not delivered is kept", async () => {
  const jobs = join(harness.workDir, "leftovers");
  const engine = spawn("sh", ["-c", "trap '' INT; echo on; while :; do sleep 1; done"], { detached: true });
  await once(engine.stdout, "data");
  const ended = once(engine, "exit");
  const gone = { pid: process.pid, startedAt: "before" };
  const alive = processIdentity(process.pid);
  for (const [name, owner] of [
    ["dead", gone],
    ["kept", gone],
    ["living", alive],
  ] as const) {
    await mkdir(join(jobs, name, "work"), { recursive: true });
    await writeFile(
      join(jobs, name, "runner.json"),
      JSON.stringify({ ...owner, job: { id: name, token: "t" }, savesState: true, workFolder: "." }),
    );
  }
  const identity = processIdentity(engine.pid ?? 0);
  await writeFile(join(jobs, "dead", "engine.json"), JSON.stringify({ ...identity, applying: true }));
  await writeFile(join(jobs, "kept", "work", "errored.tfstate"), "{}");
  const limits = { ...RUNNER_LIMITS, orphanGraceMs: 100 };
  await cleanUpOrphans(jobs, { limits, log: harness.options.log });
  await ended;
  expect(identity !== null && isSameProcess(identity)).toBe(false);
  expect((await readdir(jobs)).sort()).toEqual(["kept", "living"]);
});

test.runIf(process.platform === "linux")("provisioners that outlived their engine are ended", async () => {
  const jobs = join(harness.workDir, "orphans");
  const work = join(jobs, "dead", "work");
  await mkdir(work, { recursive: true });
  // The shell is the group's first process and ends at once; what it started goes on.
  const engine = spawn("sh", ["-c", "sh -c 'echo $$; while :; do sleep 1; done' & exit"], {
    cwd: work,
    detached: true,
  });
  const [pid] = await once(engine.stdout, "data");
  if (engine.exitCode === null) await once(engine, "exit");
  const orphan = processIdentity(Number(String(pid)));
  await writeFile(
    join(jobs, "dead", "engine.json"),
    JSON.stringify({ pid: engine.pid, startedAt: "before", applying: true }),
  );
  await cleanUpOrphans(jobs, { limits: RUNNER_LIMITS, log: harness.options.log });
  await waitUntil(() => orphan !== null && !isSameProcess(orphan));
  expect(await readdir(jobs)).toEqual([]);
});

test("refused messages end the run with a reason", async () => {
  harness.server.intervene = ({ path, body }) => {
    return path === "messages" && body.includes('"planned"') ? refusal(413, "TOO_LARGE") : undefined;
  };
  await harness.offerPlan(files);
  expect(await harness.server.ended()).toMatchObject({ sequence: 3, type: "failed", failure: { code: "PLAN_FAILED" } });
});
