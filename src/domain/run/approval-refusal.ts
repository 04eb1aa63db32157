import { forbiddenReason } from "../../model/people/role.ts";
import { APPROVE, STATUS_AT } from "../../model/run/gates-ahead.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import {
  judgeApproval,
  judgeOverride,
  type PresentApprover,
  isOverride,
  type QuorumInput,
  type StageProgress,
  stageProgress,
} from "../../model/approval/quorum.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import type { UserErrorCode } from "../../model/kit/user-error.ts";
import type { Run } from "../../model/run/run.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

/** The user error that a command would give. */
interface CommandRefusal {
  code: UserErrorCode;
  reason: string;
}

/**
 * Returns the refusal that approveRun would give the caller for the current plan; `null` if it would accept. Assumes
 * valid input. `approver`: the caller.
 */
export function approvalRefusal(
  caller: ActorCaller,
  approver: PresentApprover,
  subject: LockedRun,
  quorum: QuorumInput,
): CommandRefusal | null {
  const { gate } = quorum;
  const permission = permissionToApprove(gate);
  if (!can(caller, permission, subject.run)) return { code: "FORBIDDEN", reason: forbiddenReason("this", permission) };
  const verdict = judgeApproval(quorum, approver);
  if (subject.run.status === STATUS_AT[gate]) {
    if (verdict.kind === "excluded") return { code: "FORBIDDEN", reason: verdict.reason };
    if (verdict.kind === "absent") return { code: "REAUTHENTICATION_REQUIRED", reason: verdict.reason };
  }
  const quorumReached = "quorumReached" in verdict && verdict.quorumReached;
  const planVersion = subject.plan?.version ?? 0;
  const decision = decide(machineInput(subject), { type: APPROVE[gate], planVersion, quorumReached });
  return decision.accepted ? null : { code: decision.code, reason: decision.reason };
}

/**
 * Returns the refusal that overridePolicies would give the caller for the failures that wait for an override; `null` if it
 * would accept for those of one policy set at least. Assumes valid input. `quorum`: that of the plan gate.
 */
export function overridingRefusal(
  caller: ActorCaller,
  approver: PresentApprover,
  { run }: LockedRun,
  quorum: QuorumInput,
): CommandRefusal | null {
  if (!can(caller, "PLAN_APPROVE", run)) {
    return { code: "FORBIDDEN", reason: forbiddenReason("this", "PLAN_APPROVE") };
  }
  if (run.status !== STATUS_AT.PLAN) return { code: "RUN_STATE_CONFLICT", reason: notAtPlanGate(run) };
  const open = stageProgress(quorum).filter(({ rule, satisfied }) => isOverride(rule) && !satisfied);
  if (open.length === 0) return { code: "RUN_STATE_CONFLICT", reason: "No failures wait for an override." };
  const verdicts = open.flatMap(({ rule }) => judgeOverride(quorum, approver, rule?.origin?.ownerId ?? "") ?? []);
  const refusals = verdicts.flatMap((verdict): CommandRefusal[] => {
    if (verdict.kind === "excluded") return [{ code: "FORBIDDEN", reason: verdict.reason }];
    return verdict.kind === "absent" ? [{ code: "REAUTHENTICATION_REQUIRED", reason: verdict.reason }] : [];
  });
  return refusals.length < verdicts.length
    ? null
    : (refusals.find(({ code }) => code === "FORBIDDEN") ?? refusals[0] ?? null);
}

/** Explains why nothing can be overridden at another status. */
export function notAtPlanGate({ status }: Pick<Run, "status">): string {
  return `Cannot override policies of a run that is ${status}: it does not wait at its plan gate.`;
}

/** Returns why overridePolicies would refuse the caller at a stage, or add nothing to it; `null` if it would accept. */
export function overrideRefusal(
  caller: ActorCaller,
  approver: PresentApprover,
  { run }: LockedRun,
  quorum: QuorumInput,
  { rule, name }: StageProgress,
): string | null {
  if (!can(caller, "PLAN_APPROVE", run)) return forbiddenReason("this", "PLAN_APPROVE");
  const verdict = judgeOverride(quorum, approver, rule?.origin?.ownerId ?? "");
  if (verdict === null) return `No failure asks for the stage "${name ?? ""}" any more.`;
  if (verdict.kind === "excluded" || verdict.kind === "absent") return verdict.reason;
  if (verdict.kind === "repeated") {
    return verdict.stage.satisfied ? "This stage has its quorum." : "You overrode these failures already.";
  }
  return run.status === STATUS_AT.PLAN ? null : `The run does not wait at its plan gate: it is ${run.status}.`;
}
