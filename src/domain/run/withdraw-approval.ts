import type { Gate } from "../../model/approval/approval.ts";
import { lacksOverride } from "../../model/approval/quorum.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import { staleReason } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { waitingAlarm } from "../lifecycle/alarm.ts";
import { requestedApplyAt } from "../lifecycle/quorum-input.ts";
import { readApprovals } from "../lifecycle/read-approvals.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import type { WithdrawApprovalInput } from "./approval-commands.ts";
import { callingApprover } from "./calling-approver.ts";
import { commandRun } from "./run-command.ts";
import { judgeWithdrawal, type Withdrawal } from "./withdrawal.ts";

/**
 * Withdraws all approvals of the caller at a gate: while the run waits there, and after the last gate until it is
 * claimed. If the gate then lacks an approval, the run returns to it.
 */
export function withdrawApproval(deps: Deps, caller: ActorCaller, input: WithdrawApprovalInput): Promise<Run> {
  const { runId, gate, comment } = input;
  const spec = {
    name: "withdrawApproval",
    permission: permissionToApprove(gate),
    words: "withdrawing approvals",
    runId,
    comment,
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const [approvals = []] = await readApprovals(tx, [locked.run]);
    const withdrawal = judgeWithdrawal(locked, gate, approvals, caller.actor.id);
    if (!withdrawal.accepted) throw new UserError(withdrawal.code, withdrawal.reason, { runId });
    const events: RunEventBody[] = [];
    for (const { stage } of withdrawal.own) {
      const decided = { gate, stage, decision: "WITHDRAWN", comment, applyAt: null } as const;
      const { id } = await recordApproval(tx, deps, callingApprover(deps, caller, []), locked, decided);
      events.push({ type: "APPROVAL_RECORDED", approvalId: id });
    }
    const run = await applyTransition(tx, deps, locked, withdrawal.decision, {
      actorId: caller.actor.id,
      reason: comment,
      events,
      set: { ...timeChanges(deps, locked, withdrawal), ...asksAgain(gate, withdrawal) },
    });
    return withdrawal.decision.change === null ? run : discardIfStale(tx, deps, { ...locked, run });
  });
}

/** Removes the apply time that a withdrawn approval requested, if the run stays approved. */
function timeChanges({ clock }: Deps, locked: LockedRun, { left, decision }: Withdrawal): RunChanges {
  const { run } = locked;
  if (decision.change !== null || !STATUS_TRAITS[run.status].approved) return {};
  const applyAt = requestedApplyAt(left);
  return { applyAt, alarmAt: waitingAlarm({ ...locked, run: { ...run, applyAt } }, clock()) };
}

/** Notes whether failures wait for an override again. */
function asksAgain(gate: Gate, { own, left }: Withdrawal): RunChanges {
  const isOverridden = own.some(({ decision }) => decision === "OVERRIDDEN");
  return gate === "PLAN" && isOverridden ? { policyAsks: lacksOverride(left) } : {};
}

/** Discards a run that returned to its gate with a stale plan: another run may have applied meanwhile. */
async function discardIfStale(tx: Transaction, deps: Deps, locked: LockedRun): Promise<Run> {
  const madeFrom = locked.plan ?? locked.rollback;
  const reason = madeFrom === null ? null : staleReason(madeFrom, locked.workspace);
  if (reason === null) return locked.run;
  const discard = mustAccept(locked, { type: "discard", planVersion: null });
  return applyTransition(tx, deps, locked, discard, { actorId: SYSTEM_ACTOR_ID, reason });
}
