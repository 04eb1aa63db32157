/** Collects the approval rules of a gate and the approvals that count at it. */
import type { Approval, ApprovalDecision, Gate } from "../../model/approval/approval.ts";
import { separatesGatesOf, stagesAt } from "../../model/approval/run-stage.ts";
import { type QuorumInput, stageProgress } from "../../model/approval/quorum.ts";
import { requestersOf } from "../../model/run/run.ts";
import type { LockedRun } from "./machine-input.ts";

/** The decisions that stages count. */
const DECIDES: readonly ApprovalDecision[] = ["APPROVED", "OVERRIDDEN"];

/** A run with everything that decides who must approve it. */
export type GatedRun = Pick<LockedRun, "run" | "plan" | "rules" | "stages"> & Partial<Pick<LockedRun, "planApproved">>;

/** Builds the input of the quorum functions. `approvals`: the result of `readApprovals` for the run. */
export function quorumInput(
  { run, plan, rules, stages, planApproved = false }: GatedRun,
  gate: Gate,
  approvals: readonly Approval[],
): QuorumInput {
  const version = plan?.version ?? 0;
  const counted = approvals.filter(
    ({ counts, decision, planVersion }) => counts && DECIDES.includes(decision) && planVersion === version,
  );
  const atPlan = counted.filter(({ gate: at, decision }) => at === "PLAN" && decision === "APPROVED");
  return {
    gate,
    rules: stagesAt({ run, rules, stages, planApproved }, gate),
    requesterIds: requestersOf(run),
    gatesSeparated: separatesGatesOf({ run, rules, stages }),
    planApproverIds: [...new Set(atPlan.flatMap(({ actorId, countsAs }) => [actorId, countsAs]))],
    approvals: counted.filter((approval) => approval.gate === gate && approval.runId === run.id),
  };
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
