import { forbiddenReason } from "../../model/people/role.ts";
import type { Approval, Gate } from "../../model/approval/approval.ts";
import { type QuorumInput, isPassed } from "../../model/approval/quorum.ts";
import { type AcceptedTransition, decide, type RefusedTransition } from "../../model/lifecycle/run-machine.ts";
import type { UserErrorCode } from "../../model/kit/user-error.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { STATUS_AT, WITHDRAW } from "../../model/run/gates-ahead.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import { quorumInput } from "../lifecycle/quorum-input.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

/** A withdrawal that the machine accepts. */
export interface Withdrawal {
  accepted: true;
  /** The withdrawn approvals: all of the actor's at the gate. */
  own: readonly Approval[];
  /** The gate without them. */
  left: QuorumInput;
  decision: AcceptedTransition;
}

/**
 * Decides whether an actor can withdraw approvals of a gate. `approvals`: the result of `readApprovals` for the run.
 */
export function judgeWithdrawal(
  subject: LockedRun,
  gate: Gate,
  approvals: readonly Approval[],
  actorId: string,
): Withdrawal | RefusedTransition {
  const quorum = quorumInput(subject, gate, approvals);
  const own = quorum.approvals.filter((approval) => approval.actorId === actorId);
  const left = { ...quorum, approvals: quorum.approvals.filter((approval) => approval.actorId !== actorId) };
  const decision = decide(machineInput(subject), { type: WITHDRAW[gate], quorumReached: isPassed(left) });
  if (!decision.accepted) return decision;
  if (gate === "PLAN" && quorumInput(subject, "APPLY", approvals).approvals.length > 0) {
    return refused("The run has passed the gate APPLY. Only approvals of that gate can be withdrawn.");
  }
  if (own.length === 0) return refused(`You have no counted approval at the gate ${gate} to withdraw.`);
  return { accepted: true, own, left, decision };
}

/** Returns the refusal of withdrawApproval for the caller; `null` if it would accept for one of the gates. */
export function withdrawalRefusal(
  caller: ActorCaller,
  subject: LockedRun,
  approvals: readonly Approval[],
): { code: UserErrorCode; reason: string } | null {
  const refusalAt = (gate: Gate) => {
    const permission = permissionToApprove(gate);
    if (!can(caller, permission, subject.run)) {
      return { code: "FORBIDDEN", reason: forbiddenReason("this", permission) } as const;
    }
    const judged = judgeWithdrawal(subject, gate, approvals, caller.actor.id);
    return judged.accepted ? null : { code: judged.code, reason: judged.reason };
  };
  const plan = refusalAt("PLAN");
  const apply = refusalAt("APPLY");
  if (plan === null || apply === null) return null;
  return subject.run.status === STATUS_AT.PLAN ? plan : apply;
}

function refused(reason: string): RefusedTransition {
  return { accepted: false, code: "RUN_STATE_CONFLICT", reason };
}
