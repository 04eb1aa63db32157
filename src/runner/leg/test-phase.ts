/** Runs the tests of a configuration between its init and its plan. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS } from "../../model/kit/limits.ts";
import { isUnmet, NO_TESTS, type TestReport } from "../../model/run/test-report.ts";
import { appliedRuns, isTestFile, TEST_FOLDER } from "../../model/source/test-files.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import type { EngineSession } from "../session/engine-session.ts";
import { describeExit, failureReport, LegFailure, type ReportContext } from "../session/failure-report.ts";
import type { JobContext } from "./job-context.ts";
import { enterPhase } from "./phase-change.ts";

/** The first version of both engines that has tests. */
const FIRST_MINOR = 6;
/** Applied runs that a failure names. */
const NAMED = 10;

type TestContext = Pick<JobContext, "job" | "client" | "control" | "log" | "folder" | "masker"> & ReportContext;

/** Runs the tests if the workspace wants them. Throws the failure TESTS_FAILED if they do not pass, or may not be run. */
export async function runTests(context: TestContext, session: EngineSession, engine: FoundEngine): Promise<void> {
  const { job, client, control, log, folder, masker } = context;
  const { tests: mode = "OFF" } = job;
  if (mode === "OFF") return;
  requireTests(context, engine);
  const files = await listTestFiles(folder);
  if (files.length === 0) {
    await log.write("The configuration has no tests.");
    await client.report({ type: "tested", tests: NO_TESTS });
    return;
  }
  if (mode === "PLAN_ONLY") await requirePlans(context, files);
  await enterPhase("TEST", context, session, { type: "testing" });
  const { result, output, results } = await session.test();
  control.throwIfStopped();
  const report = results.report(result.code === 0, masker);
  await client.report({ type: "tested", tests: report });
  if (!isUnmet(report)) return;
  const summary = summaryOf(report, describeExit(result));
  const failure = failureReport(context, {
    code: "TESTS_FAILED",
    stage: "TEST",
    summary,
    errors: output.errors,
    text: result.stderr,
    likelyCause: leftWarning(report),
  });
  throw new LegFailure({ ...failure, summary: masker.mask(summary) });
}

function summaryOf(
  { failedCount, erroredCount, passedCount, skippedCount, results }: TestReport,
  exit: string,
): string {
  const bad = results.find(isUnmet);
  const count = failedCount + erroredCount;
  if (bad === undefined || count === 0) return `The tests could not be run (${exit}).`;
  const all = count + passedCount + skippedCount;
  return `${count} of ${all} tests did not pass: ${bad.file}, run "${bad.run}".`;
}

function leftWarning({ leftResources }: TestReport): string | undefined {
  if (leftResources.length === 0) return undefined;
  return `Tests created resources that could not be destroyed. No state has them: ${leftResources.join(", ")}.`;
}

function refused(context: ReportContext, summary: string): LegFailure {
  return new LegFailure({ ...failureReport(context, { code: "TESTS_FAILED", stage: "TEST", summary }), summary });
}

/** Throws the failure TESTS_FAILED if an engine is too old to have tests. */
export function requireTests(context: ReportContext, { name, version }: FoundEngine): void {
  const [, major = "0", minor = "0"] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= FIRST_MINOR)) return;
  throw refused(
    context,
    `${name} ${version} has no tests: they need 1.${FIRST_MINOR} or newer. Use a runner with a newer engine, or set \`tests\` of the workspace to OFF.`,
  );
}

/** Refuses tests that create real things: a run applies unless it states otherwise. */
async function requirePlans(context: TestContext, files: readonly string[]): Promise<void> {
  const { folder, masker } = context;
  if (files.length > LIMITS.testFiles) {
    throw refused(
      context,
      `The configuration has more than ${LIMITS.testFiles} test files. Set \`tests\` to ALL, or OFF.`,
    );
  }
  const found: string[] = [];
  for (const file of files) {
    const body = await folder
      .readFromEngine(join(folder.engineFolder, file), LIMITS.testFileBytes)
      .catch(() => undefined);
    const read = body === undefined ? null : appliedRuns(file, body.toString());
    if (read === null || read.problem !== null) {
      const why = read?.problem ?? `it is no file of at most ${LIMITS.testFileBytes} bytes`;
      throw refused(context, masker.mask(`The test file ${file} cannot be read, so it may create resources: ${why}.`));
    }
    found.push(...read.runs.map((run) => `${file}, run "${run}"`));
  }
  if (found.length === 0) return;
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : "";
  const named = found.slice(0, NAMED).join("; ");
  const advice = "Add `command = plan` there, or set `tests` of the workspace to ALL.";
  throw refused(
    context,
    masker.mask(`Tests would create resources, and \`tests\` is PLAN_ONLY: ${named}${more}. ${advice}`),
  );
}

/** Lists the test files that the engine finds: in its folder, and in the one for tests. */
async function listTestFiles(folder: TestContext["folder"]): Promise<string[]> {
  await folder.requireEngineFolder();
  const below = join(folder.engineFolder, TEST_FOLDER);
  const hasFolder = (await lstat(below).catch(() => null)) !== null;
  const own = (await readdir(folder.engineFolder)).filter(isTestFile);
  const inFolder = hasFolder ? (await readdir(below).catch(() => [])).filter(isTestFile) : [];
  return [...own.toSorted(), ...inFolder.toSorted().map((name) => `${TEST_FOLDER}/${name}`)];
}
