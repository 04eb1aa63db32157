/** OFF: tests of the configuration are not run. PLAN_ONLY: only tests that create nothing. ALL: they may create resources. */
export const TEST_MODES = ["OFF", "PLAN_ONLY", "ALL"] as const;
export type TestMode = (typeof TEST_MODES)[number];
