/** Sets of policies: the rules of an organization for plans, with the workspaces whose runs they judge. */
import type { RunKind } from "../lifecycle/run-kind.ts";

/** REGO_WASM: Rego that was compiled to a WebAssembly module. */
export const POLICY_LANGUAGES = ["CEL", "REGO_WASM"] as const;
export type PolicyLanguage = (typeof POLICY_LANGUAGES)[number];

/** The product whose input a policy expects, and whose results it gives. */
export const POLICY_DIALECTS = ["HOLDPOINT", "HCP", "SPACELIFT", "SCALR", "CONFTEST", "FORGECROFT"] as const;
export type PolicyDialect = (typeof POLICY_DIALECTS)[number];

/** The moment at which a policy is asked. RUN_CREATE: before the run exists. */
export const POLICY_POINTS = ["RUN_CREATE", "PLAN", "PRE_APPLY"] as const;
export type PolicyPoint = (typeof POLICY_POINTS)[number];

/** ADVISORY: shown. SOFT_MANDATORY: the run waits until it is overridden. MANDATORY: the run is rejected. */
export const ENFORCEMENT_LEVELS = ["ADVISORY", "SOFT_MANDATORY", "MANDATORY"] as const;
export type EnforcementLevel = (typeof ENFORCEMENT_LEVELS)[number];

/**
 * The result of a policy that cannot be judged. FAIL_CLOSED: as if its strongest rule failed. ASK: as a SOFT_MANDATORY
 * failure. FAIL_OPEN: as an ADVISORY failure.
 */
export const POLICY_ERROR_MODES = ["FAIL_CLOSED", "ASK", "FAIL_OPEN"] as const;
export type PolicyErrorMode = (typeof POLICY_ERROR_MODES)[number];

/** SHADOW: it judges each plan beside the active version, is recorded, and decides nothing. */
export const POLICY_VERSION_STATES = ["DRAFT", "SHADOW", "ACTIVE", "RETIRED"] as const;
export type PolicyVersionState = (typeof POLICY_VERSION_STATES)[number];

/** PLAN: an override holds for its plan. SAME_VIOLATIONS: also for a later plan of the run without other violations. */
export const OVERRIDE_HOLDS = ["PLAN", "SAME_VIOLATIONS"] as const;
export type OverrideHolds = (typeof OVERRIDE_HOLDS)[number];

/** Selects workspaces and kinds of runs: each list that is not empty must select them. */
export interface PolicySelector {
  /** Labels as `key` or `key:value`. Those of one key are alternatives; each key must be there. */
  labels: readonly string[];
  /** Names, in which `*` matches any characters and `?` one. */
  names: readonly string[];
  /** `null`: all kinds. */
  kinds: readonly RunKind[] | null;
  workspaceIds: readonly string[];
  excludedWorkspaceIds: readonly string[];
}

/** The people who may override results. Without actors and teams: any approver of the plan gate. */
export interface PolicyOverriders {
  approverIds: readonly string[];
  teamIds: readonly string[];
  minimum: number;
  excludeRequester: boolean;
  holds: OverrideHolds;
}

export interface PolicySet {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  language: PolicyLanguage;
  dialect: PolicyDialect;
  selector: PolicySelector;
  onError: PolicyErrorMode;
  /** It judges plans without changes as well. */
  judgesUnchanged: boolean;
  /** It fails if parts of the plan document were left out. */
  needsWholePlan: boolean;
  overriders: PolicyOverriders;
  enabled: boolean;
  createdAt: string;
}
