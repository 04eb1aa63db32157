/** Demands for approvals that people met in the PLAN run of an APPLY: it applies exactly the plan that they approved. */
import type { Approval } from "../approval/approval.ts";
import { type QuorumInput, stageProgress } from "../approval/quorum.ts";
import type { StageOfRun } from "../approval/run-stage.ts";
import type { DemandedApprovers } from "./policy-source.ts";

/** A demand of a policy, as far as its approvals depend on it. */
export interface Demand {
  id: string;
  /** The id of the version: another one may mean something else by the same words. */
  judgeId: string;
  ownerId: string;
  fingerprint: string;
  approvers: DemandedApprovers | null;
}

/** The plan gate of the PLAN run, with what was demanded there. */
export interface PlanGate {
  /** The stages in order, from `stagesAt`. */
  rules: readonly StageOfRun[];
  /** Approvals of the plan that count. */
  approvals: readonly Approval[];
  demands: readonly Demand[];
}

/**
 * Returns the ids of the demands that were met. Equal demands of a set are met together or not at all: the PLAN run must have
 * had all of them, and enough people must count for the APPLY as well. `requesterIds`: those of the APPLY.
 */
export function metDemands(
  demands: readonly Demand[],
  { rules, approvals, demands: earlier }: PlanGate,
  { requesterIds, gatesSeparated }: Pick<QuorumInput, "requesterIds" | "gatesSeparated">,
): Set<string> {
  const had = new Set(earlier.map(keyOf));
  const gate = { gate: "PLAN", requesterIds, gatesSeparated, planApproverIds: [] } as const;
  const stages = stageProgress({ ...gate, rules, approvals });
  const groups = Map.groupBy(demands, ({ ownerId, approvers }) => JSON.stringify([ownerId, approvers]));
  return new Set(
    [...groups.values()].flatMap((equal) => {
      const isMet = stages.some(({ rule, satisfied }) => satisfied && equal.every((one) => isStageOf(rule, one)));
      return isMet && equal.every((one) => had.has(keyOf(one))) ? equal.map(({ id }) => id) : [];
    }),
  );
}

function keyOf({ judgeId, fingerprint, approvers }: Demand): string {
  return JSON.stringify([judgeId, fingerprint, approvers]);
}

function isStageOf(rule: StageOfRun | null, { ownerId, approvers }: Demand): boolean {
  if (rule?.origin?.source !== "POLICY" || approvers === null) return false;
  return (
    rule.origin.ownerId === ownerId &&
    rule.name === approvers.name &&
    rule.minimum === approvers.minimum &&
    rule.excludeRequester === approvers.excludeRequester &&
    rule.approverIds.join() === approvers.approverIds.join() &&
    rule.teamIds.join() === approvers.teamIds.join()
  );
}
