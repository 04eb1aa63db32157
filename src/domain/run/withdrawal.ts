import { forbiddenReason } from "../../model/people/role.ts";
import type { Approval, Gate } from "../../model/approval/approval.ts";
import type { QuorumInput } from "../../model/approval/quorum.ts";
import { decide, type RefusedTransition } from "../../model/lifecycle/run-machine.ts";
import type { UserErrorCode } from "../../model/kit/user-error.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { STATUS_AT, WITHDRAW } from "../../model/run/gates-ahead.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import type { CarriedOverride } from "../../persistence/policy/policy-override-store.ts";
import { quorumInput } from "../lifecycle/quorum-input.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

/** The decisions about a run, and the overrides of earlier plans that hold for its newest one. */
export interface DecidedRun {
  subject: LockedRun;
  /** The result of `readApprovals` for the run. */
  approvals: readonly Approval[];
  carried: readonly CarriedOverride[];
}

/** A withdrawal that the machine accepts. */
export interface Withdrawal {
  accepted: true;
  /** The withdrawn decisions: all of the actor's at the gate, or its overrides alone. */
  own: readonly Approval[];
  /** The withdrawn overrides of earlier plans. */
  carried: readonly CarriedOverride[];
  /** The gate without them. */
  left: QuorumInput;
}

/** Decides whether an actor can withdraw what it decided at a gate. At the apply gate a plan loses overrides alone. */
export function judgeWithdrawal(
  { subject, approvals, carried }: DecidedRun,
  gate: Gate,
  actorId: string,
): Withdrawal | RefusedTransition {
  const quorum = quorumInput(subject, gate, approvals);
  const isBeyond = gate === "PLAN" && subject.run.status === STATUS_AT.APPLY;
  const isOwn = (approval: Approval): boolean =>
    approval.actorId === actorId && (!isBeyond || approval.decision === "OVERRIDDEN");
  const own = quorum.approvals.filter(isOwn);
  const held = gate === "PLAN" ? carried.filter((override) => override.actorId === actorId) : [];
  const left = { ...quorum, approvals: quorum.approvals.filter((approval) => !isOwn(approval)) };
  const decision = decide(machineInput(subject), { type: WITHDRAW[gate], quorumReached: true });
  if (!decision.accepted) return decision;
  if (gate === "PLAN" && quorumInput(subject, "APPLY", approvals).approvals.length > 0) {
    return refused("The run has passed the gate APPLY. Only approvals of that gate can be withdrawn.");
  }
  if (own.length + held.length === 0) {
    const what = isBeyond ? "override" : "approval";
    return refused(`You have no counted ${what} at the gate ${gate} to withdraw.`);
  }
  return { accepted: true, own, carried: held, left };
}

/** Returns the refusal of withdrawApproval for the caller; `null` if it would accept for one of the gates. */
export function withdrawalRefusal(
  caller: ActorCaller,
  decided: DecidedRun,
): { code: UserErrorCode; reason: string } | null {
  const { subject } = decided;
  const refusalAt = (gate: Gate) => {
    const permission = permissionToApprove(gate);
    if (!can(caller, permission, subject.run)) {
      return { code: "FORBIDDEN", reason: forbiddenReason("this", permission) } as const;
    }
    const judged = judgeWithdrawal(decided, gate, caller.actor.id);
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
