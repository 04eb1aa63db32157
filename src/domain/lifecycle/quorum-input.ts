/** Collects the approval rules of a gate and the approvals that count at it. */
import type { Approval, Gate } from "../../model/approval/approval.ts";
import { separatesGatesOf, stagesAt } from "../../model/approval/run-stage.ts";
import { type QuorumInput, stageProgress } from "../../model/approval/quorum.ts";
import type { Run } from "../../model/run/run.ts";
import type { LockedRun } from "./machine-input.ts";

/** Builds the input of the quorum functions. `approvals`: the result of `readApprovals` for the run. */
export function quorumInput(
  { run, plan, rules, stages }: Pick<LockedRun, "run" | "plan" | "rules" | "stages">,
  gate: Gate,
  approvals: readonly Approval[],
): QuorumInput {
  const version = plan?.version ?? 0;
  const counted = approvals.filter(
    ({ counts, decision, planVersion }) => counts && decision === "APPROVED" && planVersion === version,
  );
  const atPlan = counted.filter((approval) => approval.gate === "PLAN");
  return {
    gate,
    rules: stagesAt({ run, rules, stages }, gate),
    requesterIds: requestersOf(run),
    gatesSeparated: separatesGatesOf({ run, rules, stages }),
    planApproverIds: [...new Set(atPlan.flatMap(({ actorId, countsAs }) => [actorId, countsAs]))],
    approvals: counted.filter((approval) => approval.gate === gate && approval.runId === run.id),
  };
}

/** Returns the people who requested a run: its creator, and that of its current plan or of a run that created it. */
export function requestersOf({
  createdById,
  replannedById,
  requestedByIds,
}: Pick<Run, "createdById" | "replannedById" | "requestedByIds">): string[] {
  return [...new Set([createdById, ...(replannedById === null ? [] : [replannedById]), ...requestedByIds])];
}

/**
 * Returns the earliest time of the apply: of the counted approvals with a time, that of the newest. `null` if none has
 * one.
 */
export function requestedApplyAt(quorum: QuorumInput): string | null {
  const given = stageProgress(quorum).flatMap((stage) => stage.given);
  const newest = quorum.approvals.findLast((approval) => approval.applyAt !== null && given.includes(approval));
  return newest?.applyAt ?? null;
}
