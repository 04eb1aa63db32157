/** The health of what a workspace has applied, from that of the targets of its probes. Pure. */
import type { ProbeFailure } from "../probe/probe-sample.ts";
import type { ProbeWeight } from "../probe/probe.ts";

/**
 * HEALTHY: all targets answer well. DEGRADED: one does not, or is slow, or its certificate ends soon. UNREACHABLE: no required
 * target answers. UNKNOWN: too little is known.
 */
export const RUNTIME_HEALTHS = ["HEALTHY", "DEGRADED", "UNREACHABLE", "UNKNOWN"] as const;
export type RuntimeHealth = (typeof RUNTIME_HEALTHS)[number];

/** The health of a workspace, and since when it has it. */
export interface WorkspaceHealth {
  health: RuntimeHealth;
  /** `null` if it was never known. */
  since: string | null;
  /** Why it is not HEALTHY; `null` if it is. */
  reason: string | null;
}

export const NO_HEALTH: WorkspaceHealth = {
  health: "UNKNOWN",
  since: null,
  reason: "No probe watches the health of this workspace.",
};

/** A change of the health of a workspace. */
export interface HealthChange {
  from: RuntimeHealth;
  to: RuntimeHealth;
  /** Why it is not HEALTHY; `null` if it is. */
  reason: string | null;
}

/** One target of a probe as readers see it. */
export interface TargetHealth {
  probe: string;
  /** The element of a list of targets, from 0. */
  number: number;
  /** `null` if it is not known. */
  address: string | null;
  status: RuntimeHealth;
  since: string | null;
  /** The newest sample that is known; `null` if there is none. */
  sampledAt: string | null;
  latencyMs: number | null;
  /** The failure of the last sample that changed something; `null` if it was good. */
  failure: ProbeFailure | null;
  reason: string | null;
}

const WORST_FIRST: readonly RuntimeHealth[] = ["UNREACHABLE", "DEGRADED", "UNKNOWN", "HEALTHY"];

/** Returns the target that is worst; `null` if there is none. */
export function worstOf<Target extends Pick<TargetHealth, "status">>(targets: readonly Target[]): Target | null {
  return WORST_FIRST.flatMap((health) => targets.find(({ status }) => status === health) ?? []).at(0) ?? null;
}

/** A target as the health of its workspace depends on it. */
export interface JudgedTarget {
  probe: string;
  weight: ProbeWeight;
  status: RuntimeHealth;
  /** Why it is not HEALTHY; `null` if it is. */
  reason: string | null;
}

/** The health of a workspace at one moment, without its past. */
export type HealthVerdict = Pick<WorkspaceHealth, "health" | "reason">;

/**
 * Judges the health of a workspace. Required targets that are not known make it UNKNOWN, unless another one is known to be
 * bad: an absent prober is never an outage. Informational targets that are not known count only if there are no required ones.
 */
export function judgeHealth(targets: readonly JudgedTarget[]): HealthVerdict {
  const required = targets.filter(({ weight }) => weight === "REQUIRED");
  const deciding = required.length === 0 ? targets : required;
  if (deciding.length === 0) return { health: NO_HEALTH.health, reason: NO_HEALTH.reason };
  const down = required.filter(({ status }) => status === "UNREACHABLE");
  const [firstDown] = down;
  if (firstDown !== undefined && down.length === required.length) return verdict("UNREACHABLE", firstDown);
  const bad = firstDown ?? targets.find(({ status }) => status === "UNREACHABLE" || status === "DEGRADED");
  if (bad !== undefined) return verdict("DEGRADED", bad);
  const unknown = deciding.find(({ status }) => status === "UNKNOWN");
  return unknown === undefined ? { health: "HEALTHY", reason: null } : verdict("UNKNOWN", unknown);
}

function verdict(health: RuntimeHealth, { probe, reason }: JudgedTarget): HealthVerdict {
  return { health, reason: `The probe ${probe}: ${reason ?? "it has no result."}` };
}
