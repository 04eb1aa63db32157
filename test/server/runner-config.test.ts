import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRunnerConfig } from "../../src/server/runner-config.ts";
import { ConfigError } from "../../src/server/setting.ts";

const FACTS = { cwd: "/srv/here", uid: 1000, hostname: "machine" };
const TOKEN = "hpr_0123456789-token-of-the-tests";
const NEEDED = ["--server", "https://holdpoint.example.com/base/", "--pool", "builders"];
const ENV = { HOLDPOINT_RUNNER_TOKEN: TOKEN };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-runner-config-"));
});
afterAll(() => rm(folder, { recursive: true }));

function problems(argv: string[], env: NodeJS.ProcessEnv = ENV): string[] {
  try {
    parseRunnerConfig(argv, env, FACTS);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toContain(TOKEN);
    return [...error.problems];
  }
}

test("what is needed is enough; root's work folder is the system's", () => {
  expect(parseRunnerConfig(NEEDED, ENV, FACTS)).toMatchObject({
    serverUrl: "https://holdpoint.example.com/base",
    token: TOKEN,
    pool: "builders",
    name: "machine",
    slots: 1,
    labels: [],
    sendsChecks: false,
    networkAllow: [],
    probing: null,
    workDir: "/srv/here/.holdpoint-runner",
    engineSettings: { prefix: [], firstUid: 60_900 },
  });
  expect(parseRunnerConfig(NEEDED, ENV, { ...FACTS, uid: 0 }).workDir).toBe("/var/lib/holdpoint-runner");
});

test("a variable that looks like a setting and is none is refused", () => {
  expect(problems(NEEDED, { ...ENV, HOLDPOINT_RUNNER_SLOT: "4" })).toEqual([
    "HOLDPOINT_RUNNER_SLOT is no setting. Did you mean HOLDPOINT_RUNNER_SLOTS?",
  ]);
  expect(problems([], { HOLDPOINT_SERVERS: "https://holdpoint.example.com" })).toHaveLength(4);
});

test("every setting, as a flag or in the environment; a flag wins", () => {
  const env = {
    HOLDPOINT_SERVER: "http://10.0.0.1:4000",
    HOLDPOINT_RUNNER_TOKEN: TOKEN,
    HOLDPOINT_RUNNER_POOL: "default/builders",
    HOLDPOINT_RUNNER_NAME: "from the environment",
    HOLDPOINT_RUNNER_SLOTS: "4",
    HOLDPOINT_RUNNER_LABELS: "linux, gpu,linux",
    HOLDPOINT_RUNNER_WORK_DIR: "work",
    HOLDPOINT_ENGINE: "./bin/tofu",
    HOLDPOINT_ENGINE_PREFIX: "/usr/bin/docker run {env} --user={uid} -v {folder}:{folder}",
    HOLDPOINT_ENGINE_UID: "70000",
    HOLDPOINT_ENGINE_MAX_PROCESSES: "512",
    HOLDPOINT_ENGINE_MAX_MEMORY: "8G",
    HOLDPOINT_ENGINE_MAX_FILE_SIZE: "2147483648",
    HOLDPOINT_RUNNER_CHECKS: "true",
    HOLDPOINT_RUNNER_NETWORK_ALLOW: "127.0.0.1:8080",
    HOLDPOINT_RUNNER_PROBES: "50",
    HOLDPOINT_RUNNER_PROBE_ALLOW: "10.20.0.0/16, db.internal:5432",
    HOLDPOINT_LOG_LEVEL: "debug",
  };
  expect(parseRunnerConfig(["--name", "r1"], env, FACTS)).toEqual({
    serverUrl: "http://10.0.0.1:4000",
    token: TOKEN,
    pool: "default/builders",
    name: "r1",
    slots: 4,
    labels: ["linux", "gpu"],
    workDir: "/srv/here/work",
    engine: "/srv/here/bin/tofu",
    engineSettings: {
      bounds: { maxProcesses: 512, maxMemoryBytes: 8 * 1024 ** 3, maxFileBytes: 2 * 1024 ** 3 },
      prefix: ["/usr/bin/docker", "run", "{env}", "--user={uid}", "-v", "{folder}:{folder}"],
      firstUid: 70_000,
    },
    sendsChecks: true,
    networkAllow: [{ type: "network", address: "127.0.0.1", prefix: 32, port: 8080 }],
    probing: {
      perSecond: 50,
      allow: [
        { type: "network", address: "10.20.0.0", prefix: 16, port: null },
        { type: "name", name: "db.internal", port: 5432 },
      ],
    },
    logLevel: "debug",
    inherited: {},
  });
});

test("a token comes from a file that others cannot read", async () => {
  const file = join(folder, "token");
  await writeFile(file, `${TOKEN}\n`, { mode: 0o600 });
  expect(parseRunnerConfig([...NEEDED, "--token-file", file], {}, FACTS)?.token).toBe(TOKEN);
  await chmod(file, 0o644);
  expect(problems([...NEEDED, "--token-file", file], {})).toEqual([
    `--token-file (HOLDPOINT_RUNNER_TOKEN_FILE) names a file that every user can read: chmod 600 ${file}`,
  ]);
  expect(problems([...NEEDED, "--token-file", `${file}.missing`], {})[0]).toContain("names a file that cannot be read");
});

test("every problem is named at once, with the flag and what would be right", () => {
  expect(problems([], {})).toEqual([
    "--server (HOLDPOINT_SERVER) is missing: set the address of the server",
    "--token-file (HOLDPOINT_RUNNER_TOKEN_FILE) or HOLDPOINT_RUNNER_TOKEN is missing: set a token of the pool",
    "--pool (HOLDPOINT_RUNNER_POOL) is missing: set the pool that the token belongs to",
  ]);
  const given = {
    "--server": "https://me:secret@h",
    "--token": `${TOKEN} ${TOKEN}`,
    "--pool": "p",
    "--slots": "0",
    "--labels": "Linux",
    "--engine-uid": "0",
    "--max-memory": "1M",
    "--max-processes": "many",
    "--engine-prefix": "docker run --user={uid} --env={env} {what}",
    "--max-file-size": "3X",
    "--checks": "maybe",
    "--network-allow": "10/8",
  };
  const wrong = problems(Object.entries(given).flat(), {});
  expect(wrong.map((problem) => problem.split(" ")[0])).toEqual([
    "--token",
    "--server",
    "--slots",
    "--labels",
    "--max-processes",
    "--max-memory",
    "--max-file-size",
    "--engine-prefix",
    "--engine-uid",
    "--checks",
    "--network-allow",
  ]);
  expect(wrong.join("\n")).not.toContain("secret");
  expect(wrong.find((problem) => problem.includes("prefix"))).toContain("has {env}, {what}; there are {folder}");
  expect(problems([...NEEDED, "--engine-prefix", "docker run --user={uid}"])[0]).toContain("absolute path");
});

test("an unknown flag, and a token without its flag, are not repeated but explained", () => {
  expect(problems(["--no-such", "x"])).toEqual(["Unknown option '--no-such'. --help lists the flags"]);
  expect(problems([TOKEN])).toEqual(["There is an argument without a flag before it. --help lists the flags"]);
});
