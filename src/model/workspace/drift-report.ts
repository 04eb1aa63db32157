/** Makes the report of a check for drift from its plan. */
import type { ResourceAction } from "../plan/plan.ts";
import type { DriftAction } from "../plan/resource-drift.ts";
import type { DriftMode } from "./drift-settings.ts";

/** The result of a check. CLEAN: no drift but what is ignored. ERRORED: the check failed. */
export const DRIFT_RESULTS = ["CLEAN", "DRIFTED", "ERRORED"] as const;
export type DriftResult = (typeof DRIFT_RESULTS)[number];

/** NONE: the newest check found none. UNKNOWN: nothing was checked yet. ERRORED: the newest check failed. */
export const DRIFT_STATUSES = ["NONE", "DRIFTED", "ACKNOWLEDGED", "UNKNOWN", "ERRORED"] as const;
export type DriftStatus = (typeof DRIFT_STATUSES)[number];

/** A resource that differs. */
export interface DriftedResource {
  address: string;
  type: string;
  /** The change that something else made; `null` if only the plan differs. */
  change: DriftAction | null;
  /** The action of a run on it; `null` if there is none. */
  plannedAction: ResourceAction | null;
  /** The attributes that differ; empty for the whole resource. */
  paths: string[];
}

/** The report of a check. Instants are RFC 3339 with milliseconds and Z. */
export interface DriftReport {
  id: string;
  runId: string;
  workspaceId: string;
  result: DriftResult;
  resourceCount: number;
  outputCount: number;
  /** The resources that differ only in what the workspace ignores. */
  ignoredCount: number;
  /** Equal for reports of equal changes; empty without drift. */
  fingerprint: string;
  /** The names of outputs that differ. */
  outputs: string[];
  createdAt: string;
  /** The changeset whose run undoes the drift; `null` if there is none. */
  changesetId: string | null;
}

/** A resource of a plan, with a digest of the values that it would have. */
export interface PlannedChange {
  address: string;
  type: string;
  action: ResourceAction;
  paths: string[];
  digest: string;
}

/** A resource that something else changed, with a digest of the values that it has. */
export interface FoundChange {
  address: string;
  type: string;
  action: DriftAction;
  paths: string[];
  relevant: boolean;
  digest: string;
}

/** Whether a change of an attribute of a resource is ignored; `*` is the resource as a whole. */
export type Ignores = (address: string, path: string) => boolean;

export interface DriftFindings {
  resources: (DriftedResource & { digest: string })[];
  ignoredCount: number;
}

/**
 * Joins what a run would change with what something else changed. With PLAN, changes count that the configuration depends
 * on; with REFRESH_ONLY all do. Data sources that would be read again do not count, and neither do moves.
 */
export function findDrift(
  planned: readonly PlannedChange[],
  found: readonly FoundChange[],
  { mode, ignores }: { mode: DriftMode; ignores: Ignores },
): DriftFindings {
  const resources = new Map<string, DriftFindings["resources"][number]>();
  for (const { address, type, action, paths, digest } of planned) {
    if (action === "READ" || action === "NO_OP") continue;
    resources.set(address, { address, type, change: null, plannedAction: action, paths, digest });
  }
  for (const { address, type, action, paths, relevant, digest } of found) {
    const known = resources.get(address);
    if (known === undefined && mode === "PLAN" && !relevant) continue;
    const all = [...new Set([...(known?.paths ?? []), ...paths])].toSorted();
    const plannedAction = known?.plannedAction ?? null;
    resources.set(address, {
      address,
      type,
      change: action,
      plannedAction,
      paths: all,
      digest: `${known?.digest ?? ""}${digest}`,
    });
  }
  const kept = [...resources.values()].filter((resource) => !isIgnored(resource, ignores));
  return {
    resources: kept.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    ignoredCount: resources.size - kept.length,
  };
}

function isIgnored({ address, change, plannedAction, paths }: DriftedResource, ignores: Ignores): boolean {
  if (ignores(address, "*")) return true;
  const isWhole = paths.length === 0 || change === "DELETE" || (plannedAction !== null && plannedAction !== "UPDATE");
  return !isWhole && paths.every((path) => ignores(address, path));
}

/** The status of a workspace from its open finding, its newest report, and whether the finding is acknowledged. */
export function driftStatus(
  isDrifted: boolean,
  newest: Pick<DriftReport, "result"> | null,
  isAcknowledged: boolean,
): DriftStatus {
  if (isDrifted) return isAcknowledged ? "ACKNOWLEDGED" : "DRIFTED";
  if (newest === null) return "UNKNOWN";
  return newest.result === "ERRORED" ? "ERRORED" : "NONE";
}
