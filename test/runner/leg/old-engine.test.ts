import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findEngine, type FoundEngine } from "../../../src/runner/engine/engine-discovery.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { requireTests } from "../../../src/runner/leg/test-phase.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { LegFailure } from "../../../src/runner/session/failure-report.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "old-engine-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const context = {
  masker: new Masker(RUNNER_LIMITS.maskLength),
  limits: RUNNER_LIMITS,
  log: { recent: [], headings: [] },
};

/** An engine that answers with a version and can do nothing else. */
async function engineOf(version: string): Promise<FoundEngine | null> {
  const path = join(folder, "terraform");
  await writeFile(path, `#!/bin/sh\necho '{"terraform_version": "${version}"}'\n`);
  await chmod(path, 0o755);
  return findEngine(path, { PATH: "/usr/bin:/bin" });
}

async function refusalOf(version: string): Promise<LegFailure["report"] | null> {
  const engine = await engineOf(version);
  if (engine === null) throw new Error("The engine was not found.");
  try {
    requireTests(context, engine);
    return null;
  } catch (error) {
    if (error instanceof LegFailure) return error.report;
    throw error;
  }
}

test("an engine of version 1.5 is used, but fails a run with tests and states which version they need", async () => {
  const report = await refusalOf("1.5.7");
  expect(report).toMatchObject({ code: "TESTS_FAILED", stage: "TEST" });
  expect(report?.summary).toBe(
    "terraform 1.5.7 has no tests: they need 1.6 or newer. Use a runner with a newer engine, or set `tests` of the workspace to OFF.",
  );
});

test("the first versions that have tests may run them", async () => {
  expect(await refusalOf("1.6.0")).toBeNull();
  expect(await refusalOf("1.6.0-beta1")).toBeNull();
  expect(await refusalOf("2.0.0")).toBeNull();
});

test("an engine without check blocks is not used at all", async () => {
  await expect(engineOf("1.4.7")).rejects.toThrow(/is terraform 1\.4\.7; Holdpoint needs 1\.5 or newer/);
});
