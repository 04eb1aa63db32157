/** Lines of JSON between session-runner.ts, which StrykerJS loads, and session.ts, which runs the tests. */

/** How often each mutant was reached, by its id. */
export type Hits = Record<string, number>;

export interface Request {
  /** Paths of test files; null: those that are named by the session's environment. */
  files: readonly TestFile[];
  /** null: none, and the tests are measured. */
  mutant: string | null;
  /** More calls of mutated code than this are an endless loop. */
  hitLimit: number | null;
}

export interface TestFile {
  path: string;
  /** null: all tests of the file. */
  ids: readonly string[] | null;
}

export interface Answer {
  /** Those that ran; without a mutant all, otherwise up to the first that fails. */
  tests: TestOutcome[];
  hitCount: number;
  /** Since the session began. */
  hits: Coverage;
}

export interface TestOutcome {
  path: string;
  /** Stays as long as the file does. */
  id: string;
  name: string;
  milliseconds: number;
  /** null: it passed. */
  error: string | null;
}

export interface Coverage {
  /** While files were imported. */
  static: Hits;
  /** By the id of the test, or by the path of the file for what happens before, between and after its tests. */
  perTest: Record<string, Hits>;
}
