import type { Coverage, Hits, TestFile, TestOutcome } from "./messages.ts";

/** Which tests reach which mutants, from a run without a mutant. */
export interface TestMap {
  tests: readonly MappedTest[];
  coverage: Coverage;
}

interface MappedTest extends Pick<TestOutcome, "path" | "id" | "name" | "milliseconds"> {
  /** Whether it passes without the tests before it in its file; null: not tried yet. */
  passesAlone: boolean | null;
}

/**
 * Coverage as StrykerJS reads it: by tests alone. What only happens beside the tests of a file is reached by all of
 * them. What is reached both by an import and by tests is tried by the tests: a mutant that has to be there during
 * imports costs a process.
 */
export function mapTests(outcomes: readonly TestOutcome[], hits: Coverage): TestMap {
  const tests = outcomes.map(({ path, id, name, milliseconds }) => {
    return { path, id, name, milliseconds, passesAlone: null };
  });
  const perTest: Record<string, Hits> = {};
  for (const { id } of tests) perTest[id] = { ...hits.perTest[id] };
  const reached = new Set(Object.values(perTest).flatMap((found) => Object.keys(found)));
  for (const { id, path } of tests) {
    for (const [mutant, count] of Object.entries(hits.perTest[path] ?? {})) {
      if (!reached.has(mutant)) Object.assign(perTest[id] ?? {}, { [mutant]: count });
    }
  }
  for (const found of Object.values(perTest)) for (const mutant of Object.keys(found)) reached.add(mutant);
  const onlyStatic = Object.entries(hits.static).filter(([mutant]) => !reached.has(mutant));
  return { tests, coverage: { static: Object.fromEntries(onlyStatic), perTest } };
}

/** Files with those of their tests that are asked for; all of a file where one of them needs those before it. */
export function filesWith({ tests }: TestMap, ids: readonly string[]): TestFile[] {
  const asked = new Set(ids);
  return [...Map.groupBy(tests, ({ path }) => path)].flatMap(([path, ofFile]): TestFile[] => {
    const found = ofFile.filter(({ id }) => asked.has(id));
    if (found.length === 0) return [];
    return [{ path, ids: found.some(({ passesAlone }) => passesAlone === false) ? null : found.map(({ id }) => id) }];
  });
}

/** All tests of the files with one that reaches any of these mutants: a test of a constant reaches nothing. All where none does. */
export function testsReaching({ tests, coverage }: TestMap, mutants: readonly string[]): string[] {
  const reaching = tests.filter(({ id }) => mutants.some((mutant) => coverage.perTest[id]?.[mutant] !== undefined));
  const paths = new Set(reaching.map(({ path }) => path));
  return tests.filter(({ path }) => paths.size === 0 || paths.has(path)).map(({ id }) => id);
}
