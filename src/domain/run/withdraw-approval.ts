import type { Gate } from "../../model/approval/approval.ts";
import { isPassed, lacksOverride, type QuorumInput } from "../../model/approval/quorum.ts";
import { stagesAt } from "../../model/approval/run-stage.ts";
import type { AcceptedTransition } from "../../model/lifecycle/run-machine.ts";
import { isOpenFailure } from "../../model/policy/verdict.ts";
import { WITHDRAW } from "../../model/run/gates-ahead.ts";
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
import { readCarriedOverrides } from "../policy/held-overrides.ts";
import { withdrawCarriedOverride } from "../../persistence/policy/policy-override-store.ts";
import { readPlanFindings } from "../lifecycle/plan-findings.ts";
import { storePolicyStages } from "../lifecycle/store-policy-stages.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import type { WithdrawApprovalInput } from "./approval-commands.ts";
import { callingApprover } from "./calling-approver.ts";
import { commandRun, decideOrThrow } from "./run-command.ts";
import { judgeWithdrawal, type Withdrawal } from "./withdrawal.ts";

/**
 * Withdraws all approvals and overrides of the caller at a gate: while the run waits there, and after the last gate until it is
 * claimed. Overrides are withdrawn at the apply gate as well, and also those of earlier plans that hold for this one. If the gate
 * then lacks a decision, the run returns to it.
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
    const [carried = []] = await readCarriedOverrides(tx, [locked.run]);
    const withdrawal = judgeWithdrawal({ subject: locked, approvals, carried }, gate, caller.actor.id);
    if (!withdrawal.accepted) throw new UserError(withdrawal.code, withdrawal.reason, { runId });
    const events = await recordWithdrawals(tx, deps, caller, { locked, input, withdrawal });
    const asked = await askAgain(tx, deps, locked, withdrawal);
    const left = { ...withdrawal.left, rules: stagesAt(asked.locked, gate) };
    // Others hold for all failures: nothing at the gate has changed, which may have needed no approval.
    const isUnchanged = withdrawal.own.length === 0 && asked.set.stageCount === undefined;
    const quorumReached = isUnchanged || isPassed(left);
    const decision = decideOrThrow(asked.locked, { type: WITHDRAW[gate], quorumReached });
    const run = await applyTransition(tx, deps, asked.locked, decision, {
      actorId: caller.actor.id,
      reason: comment,
      events,
      set: { ...timeChanges(deps, locked, { left, decision }), ...asksAgain(gate, withdrawal, left), ...asked.set },
    });
    return decision.change === null ? run : discardIfStale(tx, deps, { ...asked.locked, run });
  });
}

/** Records a withdrawal for each stage, and returns the events. */
async function recordWithdrawals(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  {
    locked,
    input: { gate, comment },
    withdrawal: { own, carried },
  }: { locked: LockedRun; input: WithdrawApprovalInput; withdrawal: Withdrawal },
): Promise<RunEventBody[]> {
  const events: RunEventBody[] = [];
  for (const stage of new Set([...own, ...carried].map((decided) => decided.stage))) {
    const decided = { gate, stage, decision: "WITHDRAWN", comment, applyAt: null } as const;
    const { id } = await recordApproval(tx, deps, callingApprover(deps, caller, []), locked, decided);
    events.push({ type: "APPROVAL_RECORDED", approvalId: id });
    const { id: runId, planVersion } = locked.run;
    for (const { approvalId } of carried.filter((override) => override.stage === stage)) {
      await withdrawCarriedOverride(tx, { runId, planVersion, approvalId }, id);
    }
  }
  return events;
}

/** Adds the stages of failures that no override holds for any more. */
async function askAgain(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  { carried }: Withdrawal,
): Promise<{ locked: LockedRun; set: RunChanges }> {
  if (carried.length === 0) return { locked, set: {} };
  const { findings } = await readPlanFindings(tx, locked, deps.clock());
  const asked = new Set(locked.stages.flatMap(({ origin }) => (origin.source === "OVERRIDE" ? [origin.ownerId] : [])));
  const open = findings.filter((finding) => isOpenFailure(finding) && !asked.has(finding.ownerId));
  return storePolicyStages(tx, locked, open);
}

/** Removes the apply time that a withdrawn approval requested, if the run stays approved. */
function timeChanges(
  { clock }: Deps,
  locked: LockedRun,
  { left, decision }: { left: QuorumInput; decision: AcceptedTransition },
): RunChanges {
  const { run } = locked;
  if (decision.change !== null || !STATUS_TRAITS[run.status].approved) return {};
  const applyAt = requestedApplyAt(left);
  return { applyAt, alarmAt: waitingAlarm({ ...locked, run: { ...run, applyAt } }, clock()) };
}

/** Notes whether failures wait for an override again. */
function asksAgain(gate: Gate, { own, carried }: Withdrawal, left: QuorumInput): RunChanges {
  const isOverridden = carried.length > 0 || own.some(({ decision }) => decision === "OVERRIDDEN");
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
