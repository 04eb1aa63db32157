import type { PolicyVersionState } from "./policy-set.ts";
import type { Policy } from "./policy-source.ts";
import type { PolicyTestReport } from "./policy-test.ts";

/** A version of a set. It never changes but for its state. Instants are RFC 3339 with milliseconds and Z. */
export interface PolicySetVersion {
  id: string;
  setId: string;
  /** Counts up within the set, from 1. */
  number: number;
  state: PolicyVersionState;
  /** The SHA-256 (hexadecimal) of its source. */
  digest: string;
  message: string | null;
  policies: readonly Policy[];
  /** The results of its tests; `null` if it was never tested. */
  testReport: PolicyTestReport | null;
  createdById: string;
  createdAt: string;
  activatedAt: string | null;
}
