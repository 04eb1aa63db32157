import { once } from "node:events";
import { appendFile, glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { createVitest, type Vitest } from "vitest/node";
import { type Described, fromOne, isInSample } from "../sample.ts";
import type { Answer, Request, TestOutcome } from "./messages.ts";
import { filesWith, mapTests, type TestMap, testsReaching } from "./test-map.ts";

/** A process of StrykerJS that is killed with a mutant that does not end leaves it to the next one. In the sandbox. */
const MAP = "test-map.json";
/** The name of a mutant in the code that StrykerJS has made. */
const MUTANT = /stryMutAct_\w+\("(\d+)"\)/g;

interface MutantRun {
  activeMutant: Described & { id: string };
  /** Ids of tests. */
  testFilter?: string[];
  hitLimit?: number;
  sandboxFileName: string;
  /** static: while the product is imported. */
  mutantActivation: "runtime" | "static";
}

/** A vitest process that runs tests on request. */
interface Session {
  /** The mutant that it was started with. */
  early: string | null;
  socket: Socket;
  lines: AsyncIterator<string>;
  ended: Promise<unknown>;
}

/**
 * A test runner of StrykerJS that keeps the process of the tests (session.ts) and the database of the tests from one
 * mutant to the next. StrykerJS' own one starts a process for each mutant: 4 s of CPU time for imports, where the tests
 * that reach the mutant take a few hundred milliseconds.
 */
class SessionRunner {
  #vitest: Vitest | undefined;
  #server: Server | undefined;
  #folder = "";
  #session: Session | undefined;
  #map: TestMap | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    process.env["NODE_ENV"] = "test";
    process.env["VITEST"] = "1";
    this.#folder = await mkdtemp(join(tmpdir(), "mutation-"));
    const path = join(this.#folder, "socket");
    this.#server = createServer().listen(path);
    process.env["MUTATION_SOCKET"] = path;
    process.env["MUTATION_FILES"] = (await testFiles()).join("\n");
    const config = "test/mutation/session/vitest.config.ts";
    this.#vitest = await createVitest("test", { config, watch: false, onConsoleLog: () => false });
    // Here, as StrykerJS' timeout of a mutant does not run yet: a busy machine may need minutes for the imports.
    this.#session = await this.#open(null);
  }

  async dryRun() {
    const files = (await testFiles()).map((path) => ({ path, ids: null }));
    const answer = await this.#ask(null, { files, mutant: null, hitLimit: null });
    const { tests, hits } = answer;
    const failed = tests.filter(({ error }) => error !== null);
    if (failed.length > 0) return { status: "error", errorMessage: failed.map(printFailed).join("\n") };
    this.#map = mapTests(tests, hits);
    await writeFile(MAP, JSON.stringify(this.#map));
    const results = tests.map(({ id, name, path, milliseconds }) => {
      return { id, name, fileName: path, timeSpentMs: milliseconds, status: 0 };
    });
    return { status: "complete", tests: results, mutantCoverage: this.#map.coverage };
  }

  async mutantRun(run: MutantRun) {
    // main.ts leaves these out of the results.
    const mutant = fromOne(run.activeMutant);
    if (!isInSample(mutant, process.env["MUTATION_SAMPLE"])) return { status: "error", errorMessage: "no sample" };
    this.#map ??= JSON.parse(await readFile(MAP, "utf8")) as TestMap;
    const result = await this.#judge(this.#map, run);
    await noteResult(mutant, result.status);
    return result;
  }

  async #judge(map: TestMap, run: MutantRun) {
    const answer = await this.#try(map, run);
    const failed = failedOf(answer);
    if (failed === undefined || (await this.#passesAlone(map, failed))) return resultOf(answer, run);
    return resultOf(await this.#try(map, run), run);
  }

  async #try(map: TestMap, { activeMutant, testFilter, hitLimit, sandboxFileName, mutantActivation }: MutantRun) {
    const isEarly = mutantActivation === "static";
    const ids = isEarly || testFilter === undefined ? await this.#testsOf(map, sandboxFileName) : testFilter;
    const request = { files: filesWith(map, ids), mutant: activeMutant.id, hitLimit: hitLimit ?? null };
    return await this.#ask(isEarly ? activeMutant.id : null, request);
  }

  /** A test that fails without those before it would seem to notice every mutant that it reaches. */
  async #passesAlone(map: TestMap, { id, path }: TestOutcome): Promise<boolean> {
    const test = map.tests.find((one) => one.id === id);
    if (test === undefined || test.passesAlone !== null) return true;
    const { tests } = await this.#ask(null, { files: [{ path, ids: [id] }], mutant: null, hitLimit: null });
    test.passesAlone = tests.every(({ error }) => error === null);
    await writeFile(MAP, JSON.stringify(map));
    return test.passesAlone;
  }

  /** The tests that reach anything in the file of the mutant. */
  async #testsOf(map: TestMap, path: string): Promise<string[]> {
    const code = await readFile(path, "utf8");
    return testsReaching(
      map,
      [...code.matchAll(MUTANT)].map(([, id = ""]) => id),
    );
  }

  async #ask(early: string | null, request: Request): Promise<Answer> {
    if (this.#session?.early !== early) {
      await this.#end();
      this.#session = await this.#open(early);
    }
    const { socket, lines } = this.#session;
    socket.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(await nextLine(lines)) as Answer;
  }

  async #open(early: string | null): Promise<Session> {
    if (this.#vitest === undefined || this.#server === undefined) throw new Error("Not initialized.");
    delete process.env["MUTATION_EARLY"];
    if (early !== null) process.env["MUTATION_EARLY"] = early;
    const ended = this.#vitest.start();
    const [socket] = (await once(this.#server, "connection")) as [Socket];
    const lines = createInterface(socket)[Symbol.asyncIterator]();
    await nextLine(lines);
    return { early, socket, lines, ended };
  }

  async #end(): Promise<void> {
    this.#session?.socket.end();
    await this.#session?.ended;
    this.#session = undefined;
    this.#vitest?.state.filesMap.clear();
  }

  async dispose(): Promise<void> {
    await this.#end();
    await this.#vitest?.close();
    this.#server?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function printFailed({ path, name, error }: TestOutcome): string {
  return `${relative(process.cwd(), path)}: ${name}: ${error}`;
}

function failedOf({ tests }: Answer): TestOutcome | undefined {
  return tests.find(({ error }) => error !== null);
}

function resultOf(answer: Answer, { hitLimit }: MutantRun) {
  if (hitLimit !== undefined && answer.hitCount > hitLimit) return { status: "timeout", reason: "an endless loop" };
  const failed = failedOf(answer);
  const nrOfTests = answer.tests.length;
  if (failed === undefined) return { status: "survived", nrOfTests };
  return { status: "killed", killedBy: [failed.id], failureMessage: failed.error, nrOfTests };
}

/** A line for each mutant, so that survivors are known before the end. */
async function noteResult({ fileName, location, mutatorName, replacement }: Described, status: string): Promise<void> {
  const path = process.env["MUTATION_PROGRESS"];
  const file = relative(process.cwd(), fileName).replace(/^(?:\.\.\/)+/, "");
  const place = `${file}:${location.start.line}:${location.start.column}`;
  if (path !== undefined) await appendFile(path, `${status} ${place} ${mutatorName} ${JSON.stringify(replacement)}\n`);
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new Error("The process of the tests has ended.");
  return value;
}

/** In the order of the part, where those that are quick and notice much come first. */
async function testFiles(): Promise<string[]> {
  const globs = (process.env["MUTATION_TESTS"] ?? "").split(" ");
  const found = await Promise.all(globs.map((pattern) => Array.fromAsync(glob(pattern))));
  return [...new Set(found.flatMap((paths) => paths.toSorted().map((path) => resolve(path))))];
}

export const strykerPlugins = [{ kind: "TestRunner", name: "session", injectableClass: SessionRunner }];
