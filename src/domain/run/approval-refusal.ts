import { forbiddenReason } from "../../model/people/role.ts";
import { APPROVE, STATUS_AT } from "../../model/run/gates-ahead.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import { type PresentApprover, type QuorumInput, judgeApproval } from "../../model/approval/quorum.ts";
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
