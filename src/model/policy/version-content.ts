import type { StoredPolicySource } from "./policy-source.ts";
import type { PolicyTest } from "./policy-test.ts";

/** The source and the tests of a version, which may be large. */
export interface VersionContent {
  id: string;
  source: StoredPolicySource;
  tests: readonly PolicyTest[];
}
