export const RESOURCE_ACTIONS = ["CREATE", "UPDATE", "REPLACE", "DELETE", "READ", "FORGET", "NO_OP"] as const;
export type ResourceAction = (typeof RESOURCE_ACTIONS)[number];

/** JSON as a provider defines it. Numbers that a double cannot hold exactly are strings. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One resource that a plan changes. Importing and moving are orthogonal to the action. */
export interface ResourceChange {
  address: string;
  type: string;
  name: string;
  module: string | null;
  action: ResourceAction;
  /** With REPLACE: whether the new one is made before the old one goes; otherwise null. */
  createBeforeDestroy: boolean | null;
  previousAddress: string | null;
  imported: boolean;
  /** Sensitive values are null and named in `sensitivePaths`. */
  before: Json;
  /** Sensitive values, and values known after apply, are null and named in the two path lists. */
  after: Json;
  /** Paths as `tags.Name` or `disks[0].key`; the empty string is the whole value. */
  sensitivePaths: string[];
  unknownPaths: string[];
}

export interface OutputChange {
  name: string;
  action: ResourceAction;
  sensitive: boolean;
}

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

/** A plan as a runner reports it: everything masked, nothing sensitive in clear. */
export interface PlanContent {
  engine: EngineVersion;
  /** SHA-256 (hex) of the plan file as the engine wrote it. */
  digest: string;
  /** The engine's own word: exit code 2 of `plan -detailed-exitcode`. */
  hasChanges: boolean;
  complete: boolean;
  counts: PlanCounts;
  /** Serial of the state that the plan was made from; 0 where there was none. */
  stateSerial: number;
  text: string;
  /** Destructions come first; a resource that stays as it is (no move, no import) is not listed. */
  resourceChanges: ResourceChange[];
  outputChanges: OutputChange[];
  /**
   * Addresses of all resource instances that the engine knows, changed or not, data sources included: with `complete`
   * there are no others. Absent if they are too many, or if a key is masked.
   */
  instances?: string[] | undefined;
}

/** The counter of each destructive action. It decides whether a person is asked. */
const DESTRUCTIVE = { DELETE: "destructions", REPLACE: "replacements", FORGET: "forgets" } as const;

/** A destructive action that a plan lists more often than it counts; null if its counts are right. */
export function understated({ counts, resourceChanges }: Pick<PlanContent, "counts" | "resourceChanges">) {
  const actions = ["DELETE", "REPLACE", "FORGET"] as const;
  const listed = (action: ResourceAction) => resourceChanges.filter((change) => change.action === action).length;
  return actions.find((action) => listed(action) > counts[DESTRUCTIVE[action]]) ?? null;
}

export interface Plan
  extends Omit<PlanContent, "text" | "resourceChanges" | "outputChanges" | "counts" | "instances">,
    PlanCounts {
  id: string;
  runId: string;
  /** Counts up within the run, from 1. */
  version: number;
  targets: string[];
  replace: string[];
  outputChanges: OutputChange[];
  /** Since when the files that an apply needs are no longer kept; null: they are. */
  archiveExpiredAt: string | null;
  createdAt: string;
}

/** Why a plan can no longer be approved or applied; null where it can. */
export function staleReason(plan: Pick<Plan, "stateSerial">, workspace: { stateSerial: number }): string | null {
  return plan.stateSerial === workspace.stateSerial
    ? null
    : `The state moved from serial ${plan.stateSerial} to ${workspace.stateSerial} since the plan was made.`;
}
