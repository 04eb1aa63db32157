/** Estimates when a waiting run starts, from the durations of earlier runs. */
import type { BlockerInput } from "./blocker-input.ts";
import type { BlockerKind } from "./blocker-kind.ts";
import type { Obstacle, AdmissionConditions } from "./eligibility.ts";

/** The number of earlier runs or jobs that an estimate needs. */
export const ESTIMATE_FROM_RUNS = 5;
/** The number of the newest runs and jobs that are read. */
export const ESTIMATE_BY_RUNS = 20;

/** Obstacles that end by a decision, or at a known time, have no estimate. */
const NOT_ESTIMATED: readonly BlockerKind[] = [
  "WORKSPACE_PAUSED",
  "WORKSPACE_LOCKED",
  "FREEZE_WINDOW",
  "SCHEDULED_AT",
  "UPSTREAM_RUN",
];

/** Returns estimated starts (RFC 3339) by kind of blocker. Never in the past: an overdue run is expected now. */
export function estimatesOf(
  { workspace, place, organization, runners, history }: BlockerInput,
  { at }: AdmissionConditions,
  found: readonly Obstacle[],
): Partial<Record<BlockerKind, string | null>> {
  const nowMs = Date.parse(at);
  const after = (ms: number) => new Date(nowMs + ms).toISOString();
  if (found.some(({ kind }) => NOT_ESTIMATED.includes(kind))) return {};
  if (found.length > 0) {
    const { holder, position } = workspace;
    if (history.holdMs === null) return {};
    const rest = holder === null ? 0 : Math.max(0, Date.parse(holder.since) + history.holdMs - nowMs);
    return { WORKSPACE_BUSY: after(rest + (position - 1) * history.holdMs) };
  }
  if (history.jobMs === null || place === null) return {};
  const { jobMs } = history;
  const rounds = (slots: number) => Math.ceil(place.position / Math.max(1, slots)) * jobMs;
  return {
    ORGANIZATION_LIMIT: after(rounds(organization.limit)),
    NO_RUNNER: runners.present ? after(rounds(organization.busy)) : null,
  };
}
