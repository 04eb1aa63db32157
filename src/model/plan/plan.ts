import type { ChangeReason } from "./change-reason.ts";
import type { FoundCheckBlocks } from "./check-block.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Json } from "./json.ts";
import type { ResourceDrift } from "./resource-drift.ts";

export const RESOURCE_ACTIONS = ["CREATE", "UPDATE", "REPLACE", "DELETE", "READ", "FORGET", "NO_OP"] as const;
export type ResourceAction = (typeof RESOURCE_ACTIONS)[number];

/** One resource that a plan changes. Importing and moving are orthogonal to the action. */
export interface ResourceChange {
  address: string;
  type: string;
  name: string;
  module: string | null;
  action: ResourceAction;
  /** For REPLACE: whether the new resource is created before the old one is destroyed; otherwise `null`. */
  createBeforeDestroy: boolean | null;
  previousAddress: string | null;
  imported: boolean;
  /** Sensitive values are `null` and named in `sensitivePaths`. */
  before: Json;
  /** Values that are sensitive, or known after apply, are `null` and named in the two path lists. */
  after: Json;
  /** Paths such as `tags.Name` or `disks[0].key`; the empty string is the whole value. */
  sensitivePaths: string[];
  unknownPaths: string[];
  /** The attributes that make it a REPLACE, as `sensitivePaths` writes them; at most `REPLACE_PATHS`. */
  replacePaths: string[];
  /**
   * The resources and modules on which it depends directly, by the configuration: addresses without keys, at most
   * `CHANGE_DEPENDENCIES`. Empty in a plan that was stored without them.
   */
  dependsOn: string[];
  /** `null` if the engine states none. */
  reason: ChangeReason | null;
  /** The source address of the provider; `null` in a plan that was stored without it. */
  provider: string | null;
  /** The key of the instance (count, for_each); `null` without one. */
  index: string | null;
  /** The key of the object that an earlier REPLACE left behind; `null` for the current object. */
  deposed: string | null;
  /** `null` if it is not imported, or not imported by an id. */
  importId: string | null;
}

/** Attributes of one REPLACE that are listed. */
export const REPLACE_PATHS = 100;

/** Resources that are listed on which one changed resource depends. */
export const CHANGE_DEPENDENCIES = 100;

export interface OutputChange {
  name: string;
  action: ResourceAction;
  sensitive: boolean;
}

/** The values of an output that a plan changes. */
export interface OutputValues {
  name: string;
  /** As the state has it. Sensitive parts are `null`, and so is what does not exist. */
  before: Json;
  /** As it will be. Sensitive parts are `null`, and so are those that are known only after the apply. */
  after: Json;
  /** Whether some of it is known only after the apply. */
  unknown: boolean;
}

/** An action that the apply invokes: what it does is no change of a resource, and the plan does not show it. */
export interface ActionInvocation {
  address: string;
  type: string;
  /** The resource whose change triggers it; `null` if the plan was asked to invoke it. */
  triggerAddress: string | null;
  /** The event that triggers it, as the engine names it, such as AfterCreate. */
  triggerEvent: string | null;
}

/** Action invocations of a plan that are stored one by one; all of them are counted. */
export const ACTION_INVOCATIONS_SHOWN = 500;

export interface PlanCounts {
  additions: number;
  changes: number;
  destructions: number;
  replacements: number;
  imports: number;
  moves: number;
  forgets: number;
}

/** The engine that made a plan; the apply needs the same. */
export interface EngineVersion {
  /** "terraform" or "tofu". */
  name: string;
  /** As the engine prints it, for example "1.11.4". */
  version: string;
}

/** A plan as a runner reports it, with sensitive values masked. */
export interface PlanContent {
  engine: EngineVersion;
  /** The SHA-256 (hexadecimal) of the plan file. */
  digest: string;
  /** The engine's own verdict: exit code 2 of `plan -detailed-exitcode`. */
  hasChanges: boolean;
  complete: boolean;
  counts: PlanCounts;
  /** The serial of the state that the plan was made from; 0 if there was none. */
  stateSerial: number;
  text: string;
  /** Destructions first. An unchanged resource (no move, no import) is not listed. */
  resourceChanges: ResourceChange[];
  outputChanges: OutputChange[];
  /** The values of `outputChanges`. Absent: a runner that reports none. */
  outputValues?: OutputValues[] | undefined;
  /**
   * Addresses of all resource instances known to the engine, changed or not, with data sources. With `complete` there
   * are no others. Absent if there are too many, or a key is masked.
   */
  instances?: string[] | undefined;
  /** Absent: the engine knows no actions, or the plan invokes none. */
  actionInvocations?: ActionInvocation[] | undefined;
  /** The changes that something else made since the last apply. Absent: none was found, or the runner reports none. */
  drift?: ResourceDrift[] | undefined;
  /** Absent: the configuration has no check blocks, or the plan evaluates none. */
  checks?: FoundCheckBlocks | undefined;
  /** The warnings of the engine. Absent: none, or a runner that reports none. */
  diagnostics?: Diagnostic[] | undefined;
}

/** The counter of each destructive action, on which auto-apply depends. */
const DESTRUCTIVE = { DELETE: "destructions", REPLACE: "replacements", FORGET: "forgets" } as const;

/** Returns a destructive action that a plan lists more often than it counts; `null` if the counts are right. */
export function understated({ counts, resourceChanges }: Pick<PlanContent, "counts" | "resourceChanges">) {
  const actions = ["DELETE", "REPLACE", "FORGET"] as const;
  const listed = (action: ResourceAction) => resourceChanges.filter((change) => change.action === action).length;
  return actions.find((action) => listed(action) > counts[DESTRUCTIVE[action]]) ?? null;
}

export interface Plan
  extends Omit<
      PlanContent,
      | "text"
      | "resourceChanges"
      | "outputChanges"
      | "outputValues"
      | "counts"
      | "instances"
      | "actionInvocations"
      | "drift"
      | "checks"
      | "diagnostics"
    >,
    PlanCounts {
  id: string;
  runId: string;
  /** Counts up within the run, from 1. */
  version: number;
  targets: string[];
  replace: string[];
  outputChanges: OutputChange[];
  /** The first `ACTION_INVOCATIONS_SHOWN`. */
  actionInvocations: ActionInvocation[];
  actionInvocationCount: number;
  /** Check blocks that failed or could not be evaluated. */
  failedCheckCount: number;
  /** Since when the files for an apply are no longer stored; `null` if they are. */
  archiveExpiredAt: string | null;
  createdAt: string;
}

/** Returns why a plan can no longer be approved or applied; `null` if it can. */
export function staleReason(plan: Pick<Plan, "stateSerial">, workspace: { stateSerial: number }): string | null {
  return plan.stateSerial === workspace.stateSerial
    ? null
    : `The state moved from serial ${plan.stateSerial} to ${workspace.stateSerial} since the plan was made.`;
}
