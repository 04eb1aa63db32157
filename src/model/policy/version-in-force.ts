import type { PolicySet } from "./policy-set.ts";
import type { Policy } from "./policy-source.ts";

/** A version that judges the runs of a workspace. `shadow`: it is recorded, and decides nothing. */
export interface VersionInForce {
  versionId: string;
  shadow: boolean;
  digest: string;
  policies: readonly Policy[];
  set: PolicySet;
}
