import { forbiddenReason } from "../../model/people/role.ts";
import { APPROVE, STATUS_AT } from "../../model/run/gates-ahead.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import {
  judgeApproval,
  judgeOverride,
  type PresentApprover,
  type QuorumInput,
  type StageProgress,
} from "../../model/approval/quorum.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import type { UserErrorCode } from "../../model/kit/user-error.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

/**
 * Returns the refusal that approveRun would give the caller for the current plan; `null` if it would accept. Assumes
 * valid input. `approver`: the caller.
 */
export function approvalRefusal(
  caller: ActorCaller,
  approver: PresentApprover,
  subject: LockedRun,
  quorum: QuorumInput,
): { code: UserErrorCode; reason: string } | null {
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
