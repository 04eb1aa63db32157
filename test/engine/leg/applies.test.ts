import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isSameProcess } from "../../../src/os/process-identity.ts";
import { refusal } from "../../support/fake-protocol-server.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start({
    inherited: {
      PATH: process.env["PATH"] ?? "",
      SERVER_SECRET: "parent-canary",
      TF_CLI_ARGS: "-bad",
      TF_TOKEN_registry_example: "registry-canary",
    },
  });
});
afterEach(() => harness[Symbol.asyncDispose]());

const data = (name: string, body = "") => `resource "terraform_data" "${name}" {\n${body}\n}\n`;
const provisioner = (command: string, more = "") =>
  `provisioner "local-exec" {\n command = ${JSON.stringify(command)}\n${more}\n}`;
const failing = {
  "main.tf": data("a") + data("b", `${provisioner("echo it is bad; exit 3")}\ndepends_on = [terraform_data.a]`),
};

/** A resource whose provisioner makes its mark in the log and then waits for a file that nobody makes. */
function slow(): { files: Record<string, string>; release: string } {
  const release = join(harness.workDir, "go");
  const wait = `echo waiting; until [ -e ${release} ]; do sleep 0.05; done`;
  return {
    files: { "main.tf": data("a") + data("b", `${provisioner(wait)}\ndepends_on = [terraform_data.a]`) },
    release,
  };
}

const waiting = () => harness.server.lines.some(({ text }) => text === "terraform_data.b (local-exec): waiting");

test("a failed apply says what it did and what went wrong; the next plan lists the rest", async () => {
  const ended = await harness.apply(await harness.plan(failing));
  expect(ended).toMatchObject({
    type: "failed",
    failure: { code: "APPLY_PARTIAL", stage: "APPLY", appliedAddresses: ["terraform_data.a"] },
  });
  const failure = ended.type === "failed" ? ended.failure : undefined;
  expect(failure?.summary).toBe("terraform_data.b: local-exec provisioner error");
  expect(failure?.message).toMatch(/on main.tf line \d+, in resource "terraform_data" "b":\n +\d+: provisioner/);
  expect(failure?.message).toContain("exit status 3. Output: it is bad");
  expect(failure?.evidence).toContain("terraform_data.b (local-exec): it is bad");
  expect(failure?.likelyCause).toContain("terraform_data.b");
  expect(failure?.stateUncertain).toBeUndefined();
  expect(harness.server.lock).toBeNull();
  const rest = await harness.plan(failing);
  expect(rest.resourceChanges.map(({ address }) => address)).toEqual(["terraform_data.b"]);
});

test("an apply that did nothing, and one of a plan whose state moved", async () => {
  const plan = await harness.plan({ "main.tf": data("b", provisioner("exit 3")) });
  const archive = harness.server.archive;
  expect(await harness.apply(plan)).toMatchObject({ failure: { code: "APPLY_FAILED", appliedAddresses: [] } });
  harness.server.archive = archive;
  expect(await harness.apply(plan)).toMatchObject({ failure: { code: "PLAN_STALE", summary: "Saved plan is stale" } });
});

test("an engine that a variable made end before it did anything has neither planned nor applied", async () => {
  const asks = (name: string) => ({ variables: [variable(name, "-help", { category: "ENVIRONMENT" })] });
  const files = { "main.tf": data("a") };
  await harness.offerPlan(files, asks("TF_CLI_ARGS_plan"));
  expect(await harness.server.ended()).toMatchObject({
    failure: { code: "PLAN_FAILED", likelyCause: expect.stringContaining("TF_CLI_ARGS_plan") },
  });
  await harness.offerPlan(files, asks("TF_CLI_ARGS_show"));
  expect(await harness.server.ended()).toMatchObject({
    failure: {
      code: "PLAN_FAILED",
      stage: "PLAN",
      summary: "The engine did not describe the plan in a form that the runner reads.",
      likelyCause: expect.stringContaining("TF_CLI_ARGS_show"),
    },
  });
  const plan = await harness.plan(files);
  const { archive } = harness.server;
  const ended = await harness.apply(plan, asks("TF_CLI_ARGS_apply"));
  expect(ended).toMatchObject({
    type: "failed",
    failure: {
      code: "APPLY_FAILED",
      summary: "The engine ended without reporting that it applied the plan (exit code 0).",
      likelyCause: expect.stringContaining("TF_CLI_ARGS_apply"),
      appliedAddresses: [],
    },
  });
  expect(harness.server.stateVersions).toEqual([]);
  harness.server.archive = archive;
  const more = { variables: [variable("TF_CLI_ARGS_apply", "-parallelism=1", { category: "ENVIRONMENT" })] };
  expect(await harness.apply(plan, more)).toMatchObject({ type: "applied", appliedAddresses: ["terraform_data.a"] });
});

/** Of the shell, and where the machine has memory enough. */
const BY_OTHERS = ["PWD", "OLDPWD", "SHLVL", "_", "GOGC", "GOMEMLIMIT"];

test("the engine's environment is the allow-list and the workspace's variables", async () => {
  const files = { "main.tf": data("a", provisioner("env")) };
  await harness.deploy(files, { variables: [variable("REGION", "north", { category: "ENVIRONMENT" })] });
  const names = harness.server.lines.map(({ text }) => /\(local-exec\): ([A-Za-z_]+)=/.exec(text)?.[1]).filter(Boolean);
  expect(harness.server.log).toContain("REGION=north");
  expect(harness.server.log).not.toContain("parent-canary");
  const own = ["CHECKPOINT_DISABLE", "HOME", "PATH", "REGION", "TMPDIR"];
  expect(
    names
      .filter((name) => !name?.startsWith("TF_") && !BY_OTHERS.includes(name ?? ""))
      .toSorted((a = "", b = "") => (a < b ? -1 : 1)),
  ).toEqual(own);
  expect(harness.server.log).toContain("TF_HTTP_PASSWORD=(sensitive value)");
  expect(harness.server.log).toContain("TF_TOKEN_registry_example=(sensitive value)");
});

test("an archive that is not the approved plan, and another engine, are refused before anything happens", async () => {
  const plan = await harness.plan({ "main.tf": data("a") });
  expect(await harness.apply({ ...plan, digest: "0".repeat(64) })).toMatchObject({
    failure: { code: "HANDOVER_FAILED" },
  });
  const engine = { name: "terraform", version: "0.0.1" };
  expect(await harness.apply({ ...plan, engine })).toMatchObject({ failure: { code: "ENGINE_MISSING" } });
  expect(harness.server.messages).toHaveLength(1);
  expect(harness.server.stateVersions).toEqual([]);
});

test("an apply that the server does not want any more has neither locked nor read the state", async () => {
  const plan = await harness.plan({ "main.tf": data("a", provisioner("echo applied")) });
  const { server } = harness;
  server.intervene = async ({ path, body }) => {
    if (path !== "messages" || JSON.parse(body.toString()).type !== "prepared") return undefined;
    // The engine starts meanwhile.
    const jobs = join(harness.workDir, "jobs");
    while (!(await readdir(jobs, { recursive: true })).some((name) => name.endsWith("engine.json"))) await nextTurn();
    return { status: 200, body: { goOn: false } };
  };
  server.requests.length = 0;
  harness.offerApply(plan);
  const paths = () => server.requests.map(({ path }) => path);
  await server.until(() => paths().includes("messages") && paths().lastIndexOf("claim") > paths().indexOf("messages"));
  expect(paths().filter((path) => path === "messages" || path.startsWith("state"))).toEqual(["messages"]);
  expect(server.log).not.toContain("applied");
});

test("an apply that is to stop before the server has answered ends by itself, and has done nothing", async () => {
  const plan = await harness.plan({ "main.tf": data("a", provisioner("echo applied")) });
  const { server } = harness;
  const engineLog = join(harness.workDir, "engine.log");
  const variables = Object.entries({ TF_LOG: "debug", TF_LOG_PATH: engineLog }).map(([name, value]) => {
    return variable(name, value, { category: "ENVIRONMENT" });
  });
  const engine = async () => {
    const jobs = join(harness.workDir, "jobs");
    const name = (await readdir(jobs, { recursive: true })).find((file) => file.endsWith("engine.json"));
    return JSON.parse(await readFile(join(jobs, name ?? ""), "utf8"));
  };
  server.intervene = async ({ path, body }) => {
    if (path !== "messages" || JSON.parse(body.toString()).type !== "prepared") return undefined;
    // From here on it does not end at a signal, but only when it hears of its lock.
    while (!(await readFile(engineLog, "utf8").catch(() => "")).includes("LOCK http")) await nextTurn();
    const started = await engine();
    server.cancelRequested = true;
    while (isSameProcess(started)) await nextTurn();
    return undefined;
  };
  server.requests.length = 0;
  const ended = await harness.apply(plan, { variables });
  expect(ended).toMatchObject({ type: "stopped", failure: { code: "APPLY_INTERRUPTED" } });
  expect(ended).not.toHaveProperty("failure.stateUncertain");
  expect(server.requests.filter(({ path }) => path.startsWith("state"))).toEqual([]);
  expect(server.log).not.toContain("(local-exec)");
});

test("a state that the server refuses is kept, and the run says so", async () => {
  const plan = await harness.plan({ "main.tf": data("a") });
  harness.server.intervene = ({ method, path }) => {
    return method === "POST" && path.startsWith("state?") ? refusal(409, "STATE_REFUSED") : undefined;
  };
  expect(await harness.apply(plan)).toMatchObject({
    type: "failed",
    failure: { code: "STATE_NOT_SAVED", stateUncertain: true, appliedAddresses: ["terraform_data.a"] },
  });
  expect(harness.server.lock).toBeNull();
  harness.runner.drain();
  await harness.runner.done;
  const [folder = ""] = await readdir(join(harness.workDir, "jobs"));
  const kept = await readFile(join(harness.workDir, "jobs", folder, "undelivered.tfstate"), "utf8");
  expect(JSON.parse(kept).resources).toHaveLength(1);
});

test("a state that the server refuses once comes from errored.tfstate", async () => {
  const plan = await harness.plan({ "main.tf": data("a") });
  let refusals = 1;
  harness.server.intervene = ({ method, path }) => {
    if (method !== "POST" || !path.startsWith("state?") || refusals === 0) return undefined;
    refusals -= 1;
    return refusal(409, "STATE_REFUSED");
  };
  const ended = await harness.apply(plan);
  expect(ended).toMatchObject({ type: "failed", failure: { code: "APPLY_PARTIAL" } });
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(1);
  expect(harness.server.lock).toBeNull();
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "claim");
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("an apply rides out a server that is away", async () => {
  const { files, release } = slow();
  harness.offerApply(await harness.plan(files));
  await harness.server.until(waiting);
  await harness.server.goAway();
  await writeFile(release, "");
  await harness.server.listen();
  expect(await harness.server.ended()).toMatchObject({ type: "applied" });
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(2);
  expect(harness.server.log).toContain("Apply complete!");
});

test("cancelled while it applies: the engine saves its state, and the failure says what was done", async () => {
  harness.offerApply(await harness.plan(slow().files));
  await harness.server.until(waiting);
  harness.server.cancelRequested = true;
  expect(await harness.server.ended()).toMatchObject({
    type: "stopped",
    failure: { code: "APPLY_INTERRUPTED", appliedAddresses: ["terraform_data.a"] },
  });
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(2);
  expect(harness.server.lock).toBeNull();
});

test("a drain waits for an apply; an interrupt ends it with its state saved", async () => {
  harness.offerApply(await harness.plan(slow().files));
  await harness.server.until(waiting);
  harness.runner.drain();
  harness.runner.interrupt();
  expect(await harness.server.ended()).toMatchObject({ type: "failed", failure: { code: "APPLY_INTERRUPTED" } });
  await harness.runner.done;
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(2);
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("a job that was taken back: the engine is ended, its folder kept, nothing reported", async () => {
  harness.offerApply(await harness.plan(slow().files));
  await harness.server.until(waiting);
  harness.server.over = true;
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "claim");
  expect(harness.server.messages.map(({ type }) => type)).toEqual(["prepared"]);
  const [folder = ""] = await readdir(join(harness.workDir, "jobs"));
  expect(await readdir(join(harness.workDir, "jobs", folder, "work"))).toContain("errored.tfstate");
});

test("a job that was taken back, whose state the server keeps beside the line: the folder goes", async () => {
  harness.offerApply(await harness.plan(slow().files));
  await harness.server.until(waiting);
  const kept: string[] = [];
  harness.server.intervene = ({ method, path, body }) => {
    if (method !== "POST" || !path.startsWith("state?") || !harness.server.over) return undefined;
    kept.push(body.toString());
    return { status: 202, body: { recovered: true } };
  };
  harness.server.over = true;
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "claim");
  // The engine that was interrupted said itself what it had made.
  expect(JSON.parse(kept.at(-1) ?? "").resources).toHaveLength(2);
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});
