import type { Approval, Gate } from "../../model/approval/approval.ts";
import type { EligibleApprover } from "../../model/approval/eligible-approver.ts";
import { gatesAhead, STATUS_AT } from "../../model/run/gates-ahead.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import {
  type PresentApprover,
  type QuorumInput,
  exclusion,
  isOverride,
  judgeApproval,
  repetition,
  type StageProgress,
  stageProgress,
} from "../../model/approval/quorum.ts";
import type { ApprovalRequirement } from "./approval-commands.ts";
import { quorumInput } from "../lifecycle/quorum-input.ts";
import { approvalRefusal, overrideRefusal } from "./approval-refusal.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

/** Returns the stages that a run still needs. `viewer`: the caller. `approvers`: the actors that may approve. */
export function approvalRequirements(
  viewer: { caller: ActorCaller; approver: PresentApprover },
  { subject, approvals }: { subject: LockedRun; approvals: readonly Approval[] },
  approvers: readonly EligibleApprover[],
): ApprovalRequirement[] {
  const atPlan = stageProgress(quorumInput(subject, "PLAN", approvals));
  const approvesPlan = atPlan.some(({ rule }) => !isOverride(rule));
  return gatesAhead(machineInput(subject), approvesPlan).flatMap((gate) => {
    const quorum = quorumInput(subject, gate, approvals);
    return stageProgress(quorum).map((stage) => ({
      ...shown(gate, stage),
      current: stage.current && subject.run.status === STATUS_AT[gate],
      eligibleActorIds: eligible(quorum, stage, approvers),
      ...availability(viewer, subject, quorum, stage),
    }));
  });
}

function shown(gate: Gate, { name, rule, minimum, given, missing, satisfied }: StageProgress) {
  return {
    gate,
    stage: name,
    source: rule === null ? null : (rule.origin?.source ?? "RULE"),
    reason: rule?.origin?.reason ?? null,
    minimum,
    given,
    missing,
    satisfied,
    commentRequired: rule?.commentRequired ?? false,
    requirePresence: rule?.requirePresence ?? false,
    machinesCount: rule?.machinesCount ?? false,
    excludeRequester: rule?.excludeRequester ?? false,
    distinctFromPlanApprover: rule?.distinctFromPlanApprover ?? false,
  };
}

function eligible(quorum: QuorumInput, stage: StageProgress, approvers: readonly EligibleApprover[]): string[] {
  return approvers
    .filter(
      (approver) =>
        approver.gates.includes(quorum.gate) &&
        exclusion(stage.rule, quorum, approver) === null &&
        repetition(stage, approver) === null,
    )
    .map(({ actorId }) => actorId)
    .filter((id) => !stage.given.some(({ actorId }) => actorId === id))
    .slice(0, LIMITS.eligibleActorsShown);
}

function availability(
  viewer: { caller: ActorCaller; approver: PresentApprover },
  subject: LockedRun,
  quorum: QuorumInput,
  stage: StageProgress,
): Pick<ApprovalRequirement, "viewerCanApprove" | "viewerReason"> {
  const reason = viewerReason(viewer, subject, quorum, stage);
  return { viewerCanApprove: reason === null, viewerReason: reason };
}

function viewerReason(
  { caller, approver }: { caller: ActorCaller; approver: PresentApprover },
  subject: LockedRun,
  quorum: QuorumInput,
  stage: StageProgress,
): string | null {
  if (isOverride(stage.rule)) return overrideRefusal(caller, approver, subject, quorum, stage);
  const refusal = approvalRefusal(caller, approver, subject, quorum);
  if (refusal?.code === "FORBIDDEN" && stage.current) return refusal.reason;
  const excluded = exclusion(stage.rule, quorum, approver);
  if (excluded !== null) return excluded;
  if (refusal !== null && stage.current) return refusal.reason;
  if (!stage.current) return stage.satisfied ? "This stage has its quorum." : "Another stage comes first.";
  const verdict = judgeApproval(quorum, approver);
  return verdict.kind === "repeated" && !verdict.quorumReached ? "You approved this stage already." : null;
}
