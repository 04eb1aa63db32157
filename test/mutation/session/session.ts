import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import {
  beforeAll,
  it,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  TestRunner,
  type VitestTestRunner,
  vi,
} from "vitest";
import { collectTests, startTests } from "vitest/internal/browser";
import type { Answer, Coverage, Request, TestFile, TestOutcome } from "./messages.ts";

/**
 * Runs the tests of a part again and again in one process. The product is imported once, and only the test files again
 * and again: a mutant costs its tests, not the imports of all that they need. StrykerJS has put all mutants into the
 * code; the global `__stryker__` says which of them is active.
 */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
}

/** What is waited for in vain ends the test, and not the process: that would cost all imports and a database. */
const PATIENCE = Number(process.env["MUTATION_PATIENCE"] ?? 1);
const TEST_TIMEOUT_MS = PATIENCE * (process.env["MUTATION_DATABASE"] === "true" ? 20_000 : 10_000);

const mutation = ((globalThis as { __stryker__?: Switch }).__stryker__ ??= {});
const { config } = (globalThis as unknown as { __vitest_worker__: { config: TestRunner["config"] } }).__vitest_worker__;
let round = 0;

class Round extends TestRunner {
  #failed = false;
  /** The file's own path stands for what happens beside its tests. */
  #path = "";

  override async importFile(path: string, source: "collect" | "setup"): Promise<unknown> {
    const url = pathToFileURL(path).href;
    return await import(source === "setup" ? url : `${url}?round=${round}`);
  }

  override async onBeforeRunSuite(suite: Parameters<TestRunner["onBeforeRunSuite"]>[0]): Promise<void> {
    this.#path = suite.file.filepath;
    mutation.currentTestId = this.#path;
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.#failed) this.cancel("test-failure");
    mutation.currentTestId = test.id;
    await super.onBeforeRunTask(test as RunnerTestCase);
  }

  override onAfterRunTask(test: RunnerTask): void {
    mutation.currentTestId = this.#path;
    if (test.result?.state === "fail" && mutation.activeMutant !== undefined) this.#failed = true;
    super.onAfterRunTask(test as RunnerTestCase);
  }
}

function openRound(): VitestTestRunner {
  round += 1;
  const limits = { testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS };
  const runner: VitestTestRunner = new Round({ ...config, ...limits });
  // Vitest's own traces are for runners that it makes itself.
  delete runner.trace;
  return runner;
}

async function answer({ files, mutant, hitLimit }: Request): Promise<Answer> {
  mutation.activeMutant = mutant ?? undefined;
  mutation.hitCount = mutant === null ? undefined : 0;
  mutation.hitLimit = hitLimit ?? undefined;
  const tests: TestOutcome[] = [];
  for (const file of files) {
    // To collect the tests of a file is beside its tests as well.
    mutation.currentTestId = file.path;
    const [ran] = await startTests([specificationOf(file)], openRound());
    vi.restoreAllMocks();
    vi.useRealTimers();
    if (ran !== undefined) tests.push(...outcomesOf(ran));
    if (mutant !== null && tests.some(({ error }) => error !== null)) break;
  }
  const hitCount = mutation.hitCount ?? 0;
  mutation.activeMutant = undefined;
  mutation.hitCount = undefined;
  mutation.currentTestId = undefined;
  return { tests, hitCount, hits: mutation.mutantCoverage ?? { static: {}, perTest: {} } };
}

function specificationOf({ path, ids }: TestFile) {
  return { filepath: path, testIds: ids === null ? undefined : [...ids] };
}

function outcomesOf(file: RunnerTestFile): TestOutcome[] {
  const tests = testsOf(file).filter(({ result }) => result?.state === "pass" || result?.state === "fail");
  const outcomes = tests.map(({ id, fullTestName, result }): TestOutcome => {
    const error = result?.state === "fail" ? (result.errors?.[0]?.message ?? "failed") : null;
    return { path: file.filepath, id, name: fullTestName, milliseconds: result?.duration ?? 0, error };
  });
  if (file.result?.state !== "fail" || outcomes.some(({ error }) => error !== null)) return outcomes;
  // A hook, or the file itself.
  const error = firstError(file) ?? "failed";
  return [...outcomes, { path: file.filepath, id: file.filepath, name: "(file)", milliseconds: 0, error }];
}

function testsOf(task: RunnerTask): RunnerTestCase[] {
  return task.type === "test" ? [task as RunnerTestCase] : task.tasks.flatMap(testsOf);
}

function firstError(task: RunnerTask): string | undefined {
  const own = task.result?.errors?.[0]?.message;
  return own ?? (task.type === "suite" ? task.tasks.map(firstError).find((found) => found !== undefined) : undefined);
}

/** In a hook, as no test may declare others. */
beforeAll(async () => {
  const socket = createConnection(process.env["MUTATION_SOCKET"] ?? "");
  // A mutant of what is done while a file is imported has to be active before; all others only afterwards.
  const early = process.env["MUTATION_EARLY"];
  if (early === undefined) await collectTests((process.env["MUTATION_FILES"] ?? "").split("\n"), openRound());
  else mutation.activeMutant = early;
  socket.write("ready\n");
  for await (const line of createInterface(socket)) {
    socket.write(`${JSON.stringify(await answer(JSON.parse(line) as Request))}\n`);
  }
}, 0);

it("has run tests until it was disconnected", () => {});
