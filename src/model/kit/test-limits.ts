/** Bounds of the tests of a configuration. Sizes in bytes. */
export const TEST_LIMITS = {
  /** Results that are listed; all are counted. */
  testResults: 500,
  testProblems: 10,
  testProblemBytes: 1000,
  /** The name of a test file, of a run, or the address of a resource. */
  testNameBytes: 500,
  /** All texts of a report together. */
  testReportBytes: 256 * 1024,
  testLeftResources: 100,
  /** A test file that is read to learn whether it applies, and how many are. */
  testFileBytes: 1024 * 1024,
  testFiles: 1000,
} as const;
