/** The rules of a version of a policy set, as the evaluator gets them. */
import type { RunKind } from "../lifecycle/run-kind.ts";
import type { Json } from "../plan/json.ts";
import type { ResourceAction } from "../plan/plan.ts";
import type { EnforcementLevel, PolicyPoint } from "./policy-set.ts";

/** People whose approval a policy demands: a stage of the plan gate. */
export interface DemandedApprovers {
  /** The name of the stage. */
  name: string;
  approverIds: readonly string[];
  teamIds: readonly string[];
  minimum: number;
  excludeRequester: boolean;
}

/** A policy of a version: what it is asked, when, and what a violation does. */
export interface Policy {
  name: string;
  point: PolicyPoint;
  level: EnforcementLevel;
  /** Whether a violation at level ADVISORY stops auto-apply. */
  stopsAutoApply: boolean;
}

/** RESOURCE: `when` is asked for each changed resource that `types` and `actions` name. PLAN: once. */
export const POLICY_EACH = ["RESOURCE", "PLAN"] as const;
export type PolicyEach = (typeof POLICY_EACH)[number];

/** A rule in CEL. `when` is true for a violation. */
export interface CelRule extends Policy {
  each: PolicyEach;
  /** `null`: all types of resources. */
  types: readonly string[] | null;
  /** `null`: all actions but NO_OP and READ. */
  actions: readonly ResourceAction[] | null;
  when: string;
  /** Text, with `{{expression}}` replaced by the value of a CEL expression. */
  message: string;
  remediation: string | null;
  /** Set: a match demands approvals and is no violation. */
  approvers: DemandedApprovers | null;
}

/** An entry point of a compiled module, such as `terraform/deny`. */
export interface WasmPolicy extends Policy {
  entrypoint: string;
}

interface CelSource {
  language: "CEL";
  rules: readonly CelRule[];
}

interface WasmSource {
  language: "REGO_WASM";
  policies: readonly WasmPolicy[];
  data: Json;
}

export type PolicySource = CelSource | (WasmSource & { module: Uint8Array });

/** A source as its version stores it: the module is a blob. */
export type StoredPolicySource = CelSource | WasmSource;

/** The kinds of runs whose plans are judged. */
export const JUDGED_KINDS = ["DEPLOY", "DESTROY", "PLAN", "APPLY"] as const satisfies readonly RunKind[];
