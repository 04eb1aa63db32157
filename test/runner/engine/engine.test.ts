import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEngine } from "../../../src/runner/engine/engine-discovery.ts";
import {
  apiEnvironment,
  engineEnvironment,
  ignoredVariables,
  inheritable,
} from "../../../src/runner/engine/engine-environment.ts";
import { collectorSettings } from "../../../src/runner/engine/garbage-collector.ts";
import { withLineage } from "../../../src/runner/job/state-lineage.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-engine-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const tofu = 'if [ "$2" = -json ]; then echo \'{"terraform_version":"1.9.0"}\'; else echo "OpenTofu v1.9.0"; fi';

test("the engine that is named, by path or by name, is asked what it is", async () => {
  const path = await program("engine", tofu);
  expect(await findEngine(path, {})).toEqual({ path, name: "tofu", version: "1.9.0" });
  expect(await findEngine("engine", { PATH: folder })).toEqual({ path, name: "tofu", version: "1.9.0" });
});

test("without a name the first of terraform and tofu that works", async () => {
  expect(await findEngine(undefined, { PATH: folder })).toBeNull();
  const path = await program("tofu", tofu);
  expect(await findEngine("", { PATH: `/nowhere:${folder}` })).toMatchObject({ path });
  await program("terraform", "exit 1");
  expect(await findEngine(undefined, { PATH: folder })).toMatchObject({ path });
});

test("a name that does not work is an error that names the variable", async () => {
  await expect(findEngine("nothing", { PATH: folder })).rejects.toThrow(/^HOLDPOINT_ENGINE: .*"nothing"/);
  await expect(findEngine(join(folder, "nothing"), {})).rejects.toThrow("HOLDPOINT_ENGINE");
  await expect(findEngine(await program("bad", "echo hello"), {})).rejects.toThrow("HOLDPOINT_ENGINE");
});

const terraform = (version: string) => `echo '{"terraform_version":"${version}"}'`;

test.each(["0.15.5", "1.4.7"])("version %s is refused, named or found, with what to do", async (version) => {
  const path = await program("terraform", terraform(version));
  const message = `HOLDPOINT_ENGINE: "${path}" is terraform ${version}; Holdpoint needs 1.5 or newer.`;
  await expect(findEngine(path, {})).rejects.toThrow(message);
  // Another engine beside it would be used for states that this one has written.
  await program("tofu", tofu);
  await expect(findEngine(undefined, { PATH: folder })).rejects.toThrow(message);
});

test.each(["1.5.0", "1.5.0-rc1", "1.11.4", "2.0.0"])("version %s is taken", async (version) => {
  expect(await findEngine(await program("terraform", terraform(version)), {})).toMatchObject({ version });
});

test("the environment is the allow-list; the runner's own settings cannot be changed", () => {
  const parent = {
    PATH: "/bin",
    LANG: "C",
    HTTPS_PROXY: "p",
    no_proxy: "n",
    TF_VAR_x: "1",
    TF_CLI_CONFIG_FILE: "f",
    TF_CLI_ARGS_plan: "-x",
    HOME: "/h",
    DATABASE_URL: "d",
    HOLDPOINT_ADMIN_TOKEN: "t",
    XTF_A: "x",
  };
  expect(Object.keys(inheritable(parent)).sort()).toEqual(["HTTPS_PROXY", "LANG", "PATH", "TF_VAR_x", "no_proxy"]);
  const variables = [
    variable("A", "1", { category: "ENVIRONMENT" }),
    variable("PATH", "/mine", { category: "ENVIRONMENT" }),
    variable("TF_HTTP_ADDRESS", "evil", { category: "ENVIRONMENT" }),
    variable("TF_WORKSPACE", "evil", { category: "ENVIRONMENT" }),
    variable("bad name", "x", { category: "ENVIRONMENT" }),
    variable("NUL", "\0", { category: "ENVIRONMENT" }),
    variable("not_here", "x"),
  ];
  const folders = { home: "/home", tmp: "/tmp", pluginCache: null };
  const environment = engineEnvironment(parent, variables, folders, {
    collector: { GOGC: "400" },
    backend: { TF_HTTP_ADDRESS: "ours" },
  });
  expect(environment).toMatchObject({
    A: "1",
    PATH: "/mine",
    HOME: "/home",
    TMPDIR: "/tmp",
    TF_HTTP_ADDRESS: "ours",
    TF_INPUT: "0",
  });
  expect(environment["GOGC"]).toBe("400");
  expect(environment).not.toHaveProperty("not_here");
  const ignored = ["TF_HTTP_ADDRESS", "TF_WORKSPACE", "bad name", "NUL"];
  expect(ignoredVariables({ variables, runToken: null })).toEqual(ignored);
});

test("a run that may act on the API gets its token and the address of the server, whatever the workspace sets", () => {
  const variables = [
    variable("HOLDPOINT_TOKEN", "mine", { category: "ENVIRONMENT" }),
    variable("HOLDPOINT_URL", "http://evil.example", { category: "ENVIRONMENT" }),
    variable("HOLDPOINT_OTHER", "x", { category: "ENVIRONMENT" }),
  ];
  const folders = { home: "/home", tmp: "/tmp", pluginCache: null };
  const environmentOf = (runToken: string | null | undefined) => {
    const api = apiEnvironment("http://holdpoint.example", { runToken });
    return engineEnvironment({ HOLDPOINT_TOKEN: "of the runner" }, variables, folders, {
      collector: {},
      backend: {},
      api,
    });
  };
  expect(environmentOf("hpx_1")).toMatchObject({
    HOLDPOINT_TOKEN: "hpx_1",
    HOLDPOINT_URL: "http://holdpoint.example",
    HOLDPOINT_OTHER: "x",
  });
  expect(ignoredVariables({ variables, runToken: "hpx_1" })).toEqual(["HOLDPOINT_TOKEN", "HOLDPOINT_URL"]);
  // Without one the workspace may bring a token of its own.
  for (const none of [null, undefined]) {
    expect(environmentOf(none)).toMatchObject({ HOLDPOINT_TOKEN: "mine", HOLDPOINT_URL: "http://evil.example" });
    expect(ignoredVariables({ variables, runToken: none })).toEqual([]);
  }
  expect(
    engineEnvironment({ HOLDPOINT_TOKEN: "of the runner" }, [], folders, { collector: {}, backend: {} }),
  ).not.toHaveProperty("HOLDPOINT_TOKEN");
});

test("the engine collects less often where there is memory, unless somebody has said how", () => {
  const gibibyte = 1024 ** 3;
  const bounds = { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null };
  const free = { bounds, prefix: [] };
  const collector = { GOGC: "400", GOMEMLIMIT: String(2 * gibibyte) };
  expect(collectorSettings(16 * gibibyte, 2, free)).toEqual(collector);
  expect(collectorSettings(16 * gibibyte, 5, free)).toEqual({});
  expect(collectorSettings(16 * gibibyte, 1, { bounds, prefix: ["docker"] })).toEqual({});
  expect(collectorSettings(16 * gibibyte, 1, { ...free, bounds: { ...bounds, maxMemoryBytes: gibibyte } })).toEqual({});
  const folders = { home: "/home", tmp: "/tmp", pluginCache: null };
  const own = { collector, backend: {} };
  expect(engineEnvironment({}, [], folders, own)).toMatchObject(collector);
  const byWorkspace = [variable("GOMEMLIMIT", "1GiB", { category: "ENVIRONMENT" })];
  expect(engineEnvironment({}, byWorkspace, folders, own)).toMatchObject({ GOMEMLIMIT: "1GiB" });
  expect(engineEnvironment({}, byWorkspace, folders, own)).not.toHaveProperty("GOGC");
  const byServer = engineEnvironment({ GOGC: "100" }, [], folders, own);
  expect(byServer).toMatchObject({ GOGC: "100" });
  expect(byServer).not.toHaveProperty("GOMEMLIMIT");
});

test.runIf(process.getuid?.() === 0)(
  "as root the engine runs as its own user and cannot read the runner's files",
  async () => {
    const uid = 54321;
    await using harness = await RunnerHarness.start({ engineUid: uid });
    await chmod(harness.workDir, 0o711);
    const command = "id -u; ls .. 2>&1; cat ../runner.json 2>&1; touch ../evil 2>&1; true";
    const files = {
      "main.tf": `resource "terraform_data" "a" {\n provisioner "local-exec" {\n command = "${command}"\n }\n}`,
    };
    await harness.deploy(files);
    expect(harness.server.log).toContain(`(local-exec): ${uid}`);
    expect(harness.server.log.match(/Permission denied/g)?.length).toBeGreaterThanOrEqual(3);
  },
);

test("a first state that was never stored gets a lineage; nothing else of a state is touched", () => {
  const first = Buffer.from('{\n  "version": 4,\n  "serial": 0,\n  "lineage": "",\n  "outputs": {"lineage": ""}\n}');
  const text = withLineage(first, "job_1").toString();
  expect(text).toMatch(/"serial": 1,\n {2}"lineage": "[0-9a-f-]{36}",\n {2}"outputs": \{"lineage": ""\}/);
  expect(withLineage(first, "job_1").toString()).toBe(text);
  expect(withLineage(first, "job_2").toString()).not.toBe(text);
  const later = Buffer.from('{"serial": 0, "lineage": "a", "outputs": {"lineage": "", "n": 12345678901234567890}}');
  expect(withLineage(later, "job_1")).toBe(later);
});
