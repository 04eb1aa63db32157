/** The results of the tests of a configuration, as the engine reports them. */

/** SKIPPED: it was not run, because an earlier one of its file ended with an error. */
export const TEST_STATUSES = ["PASSED", "FAILED", "ERRORED", "SKIPPED"] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

/** Whether something was tested, and is not as it should be. */
export function isUnmet({ status }: { status: TestStatus }): boolean {
  return status === "FAILED" || status === "ERRORED";
}

/** One `run` block of a test file. */
export interface TestResult {
  /** The test file, from the folder in which the engine runs. */
  file: string;
  run: string;
  status: TestStatus;
  /** Why it did not pass, masked. */
  problems: string[];
}

/** The tests of one attempt of a run. */
export interface TestReport {
  /** SKIPPED: the configuration has no tests. */
  status: TestStatus;
  passedCount: number;
  failedCount: number;
  erroredCount: number;
  skippedCount: number;
  /** In the order of the engine; those that did not pass first, if there are too many. */
  results: TestResult[];
  /** Resources that a test created and could not destroy. */
  leftResources: string[];
}

/** The report of a configuration without test files. */
export const NO_TESTS: TestReport = {
  status: "SKIPPED",
  passedCount: 0,
  failedCount: 0,
  erroredCount: 0,
  skippedCount: 0,
  results: [],
  leftResources: [],
};
