import type { PolicyVersionState } from "./policy-set.ts";
import type { Policy } from "./policy-source.ts";
import type { PolicyTestReport } from "./policy-test.ts";

/** A policy as its version shows it. */
export interface VersionPolicy extends Policy {
  /** The types of resources that it judges; empty: all, or it judges the plan as a whole. */
  types: readonly string[];
}

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
  policies: readonly VersionPolicy[];
  /** The results of its tests; `null` if it was never tested. */
  testReport: PolicyTestReport | null;
  createdById: string;
  createdAt: string;
  activatedAt: string | null;
  /** The actor that activated it last. */
  activatedById: string | null;
}
