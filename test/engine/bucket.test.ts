/** Artifacts in S3: a real engine's run, what lies in the bucket, and a bucket that is wrong or away. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bucket, startBucket } from "../support/bucket.ts";
import { makeDataDir, removeDataDir, startServerProcess } from "../support/server-process.ts";
import { data, type Holdpoint, MASTER_KEY, PATIENCE_MS, startHoldpoint } from "../e2e/holdpoint.ts";

const RECORDER = new URL("../support/record-modules.mjs", import.meta.url).href;
const MAIN = fileURLToPath(new URL("../../src/main.mjs", import.meta.url));
let bucket: Bucket;
let holdpoint: Holdpoint;
let env: Record<string, string>;
let dataDir: string;
/** The file with the packages that the server has loaded. */
let loaded: string;

beforeAll(async () => {
  bucket = await startBucket();
  env = {
    HOLDPOINT_S3_BUCKET: bucket.settings.bucket,
    HOLDPOINT_S3_ENDPOINT: bucket.settings.endpoint,
    HOLDPOINT_S3_ACCESS_KEY_ID: bucket.accessKey.accessKeyId,
    HOLDPOINT_S3_SECRET_ACCESS_KEY: bucket.accessKey.secretAccessKey,
    HOLDPOINT_S3_PREFIX: bucket.settings.prefix,
  };
  dataDir = await makeDataDir();
  // An outage at the start keeps no server from starting.
  bucket.faults = [503];
  loaded = join(dirname(dataDir), "loaded");
  holdpoint = await startHoldpoint({ ...env, ...recordModules(loaded) });
});
afterAll(async () => {
  await holdpoint[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
});

/** The environment of a process that writes the names of the packages that it loads into a file. */
function recordModules(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${RECORDER}`, RECORD_MODULES: file };
}

/** The packages that were loaded, and among them those of the AWS SDK. */
async function readLoaded(file: string): Promise<{ all: string[]; sdk: string[] }> {
  const all = (await readFile(file, "utf8")).trim().split("\n");
  return { all, sdk: all.filter((name) => /^@(?:aws-sdk|aws|smithy)\//.test(name)) };
}

/** A command on the database of the server. */
async function command(args: string[], more: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOLDPOINT_DATA_DIR: dataDir,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_PORT: "0",
      DATABASE_URL: holdpoint.database.url,
      ...more,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += String(piece)));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

it("a run's source, archive and state lie in the bucket, sealed, and an outage is ridden out", {
  timeout: PATIENCE_MS,
}, async () => {
  expect(holdpoint.server.output()).toContain("The bucket cannot be reached");
  const workspace = await holdpoint.workspace("artifacts", { "main.tf": data("kept", 'input = "swordfish"') });
  bucket.faults = [503, "RESET", "HALF"];
  const run = await workspace.plan();
  expect(bucket.faults).toEqual([]);
  expect(await bucket.keys()).toHaveLength(3);
  // For the archive or, where the apply continues in the folder of its plan, for the state.
  bucket.faults = [503];
  expect((await workspace.finish(run.id)).outcome).toBe("APPLIED");
  const keys = await bucket.keys();
  expect(keys).toHaveLength(4);
  for (const key of keys) {
    const bytes = await bucket.bytes(key);
    expect(bytes.length).toBeGreaterThan(100);
    expect(bytes.includes("swordfish")).toBe(false);
    // Neither a gzip nor a JSON.
    expect(bytes[0]).toBe(1);
  }
});

it("without its bucket nothing can be run, and the log has the reason; afterwards it can", {
  timeout: PATIENCE_MS,
}, async () => {
  const workspace = await holdpoint.workspace("away", { "main.tf": data("kept") });
  bucket.fault = 503;
  await expect(workspace.createRun()).rejects.toThrow(/STORE_UNAVAILABLE/);
  expect(holdpoint.server.output()).toMatch(/The bucket artifacts at http.* answers 503 SlowDown/);
  bucket.fault = null;
  const run = await workspace.createRun();
  expect(run).toMatch(/^run_/);
});

it("a backup reports what is not in it; a bucket that refuses keeps a server from starting", {
  timeout: PATIENCE_MS,
}, async () => {
  const file = join(tmpdir(), `holdpoint-bucket-${process.pid}.backup`);
  const backup = await command(["backup", file], env);
  await rm(file, { force: true });
  expect(backup.output).toMatch(/\d+ artifacts \(\d+ bytes\) lie in S3 and are not in it/);
  const refused = await command(["serve"], { ...env, HOLDPOINT_S3_BUCKET: "not-there" });
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/HOLDPOINT_S3_BUCKET: The bucket not-there at .* answers 404 NoSuchBucket/);
  expect(`${refused.output}${holdpoint.server.output()}`).not.toContain(bucket.accessKey.secretAccessKey);
});

it("loads the AWS SDK with a bucket, and not without one", { timeout: PATIENCE_MS }, async () => {
  expect((await readLoaded(loaded)).sdk).toContain("@aws-sdk/client-s3");
  const file = join(dirname(dataDir), "loaded-without");
  await using server = await startServerProcess({
    env: {
      DATABASE_URL: holdpoint.database.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_RUNNER_NAME: "without-bucket",
      ...recordModules(file),
    },
  });
  expect(server.output()).toMatch(/\d+ artifacts lie in S3 and cannot be read/);
  const { all, sdk } = await readLoaded(file);
  expect(all).toContain("graphql");
  expect(sdk).toEqual([]);
});
