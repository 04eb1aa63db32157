import { APPROVE, STATUS_AT } from "../../model/run/gates-ahead.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import { type ApprovalVerdict, judgeApproval, openStage, type PresentApprover } from "../../model/approval/quorum.ts";
import type { Run } from "../../model/run/run.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { listTeamIdsOfActor } from "../../persistence/people/team-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueGateWebhooks } from "../lifecycle/enqueue-webhooks.ts";
import type { InputCheck } from "../kit/input.ts";
import { reauthenticationRequired } from "../access/presence.ts";
import { callingApprover, namesTeams } from "./calling-approver.ts";
import type { ApproveRunInput } from "./approval-commands.ts";
import { requestedApplyAt } from "../lifecycle/quorum-input.ts";
import { readQuorumInput } from "../lifecycle/read-approvals.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";

/**
 * Approves one stage of one gate of the plan that the caller names. The run continues once every stage has its quorum.
 * Repeating an approval of a stage adds nothing.
 */
export function approveRun(deps: Deps, caller: ActorCaller, input: ApproveRunInput): Promise<Run> {
  const { runId, gate, planVersion, comment } = input;
  let approver = callingApprover(deps, caller, []);
  const spec = {
    name: "approveRun",
    permission: permissionToApprove(gate),
    words: "approving runs",
    runId,
    comment,
    check: (check) => {
      checkPlanVersion(check, planVersion);
      checkApplyAt(check, input, deps.clock());
    },
    examine: async (tx, locked, check) => {
      if (namesTeams(locked)) {
        const teamIds = await listTeamIdsOfActor(tx, caller.actor.id, deps.clock().toISOString());
        approver = { ...approver, teamIds };
      }
      const verdict = await examine(tx, locked, check, approver, input);
      if (verdict?.kind !== "absent") return;
      throw await reauthenticationRequired(deps, caller, `The approval rule "${verdict.stage.name ?? ""}"`);
    },
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const quorum = await readQuorumInput(tx, locked, gate);
    const verdict = judgeApproval(quorum, approver, input.stage ?? null);
    if (verdict.kind === "otherTurn" && locked.run.status === STATUS_AT[gate]) {
      throw new UserError("RUN_STATE_CONFLICT", verdict.reason, { runId });
    }
    const quorumReached = "quorumReached" in verdict && verdict.quorumReached;
    // The approval of a plan accepts the warnings about it.
    const accepting = gate === "PLAN" ? { ...locked, warningsAccepted: true } : locked;
    const decision = decideOrThrow(accepting, { type: APPROVE[gate], planVersion, quorumReached });
    if (verdict.kind !== "counts") {
      if (!quorumReached) return locked.run;
      // The rules were relaxed meanwhile and are satisfied: the run continues at the time that its approvers gave.
      const set = gate === "APPLY" ? { applyAt: requestedApplyAt(quorum) } : {};
      return applyTransition(tx, deps, locked, decision, { actorId: caller.actor.id, reason: comment, set });
    }
    const approval = await recordApproval(tx, deps, approver, locked, {
      gate,
      stage: verdict.stage.name,
      decision: "APPROVED",
      comment,
      applyAt: input.applyAt ?? null,
    });
    const after = { ...quorum, approvals: [...quorum.approvals, approval] };
    const applyAt = requestedApplyAt(after);
    if (decision.change === null && openStage(quorum) !== openStage(after))
      await enqueueGateWebhooks(tx, deps, locked.run);
    return applyTransition(tx, deps, locked, decision, {
      actorId: caller.actor.id,
      set: gate === "APPLY" && decision.change !== null ? { applyAt } : {},
      events: [{ type: "APPROVAL_RECORDED", approvalId: approval.id }],
    });
  });
}

/**
 * Checks the caller and the comment against the approval rules; returns the verdict. `null`: the run is not at the gate,
 * and is refused later.
 */
async function examine(
  tx: Transaction,
  locked: LockedRun,
  check: InputCheck,
  approver: PresentApprover,
  { gate, comment, stage }: ApproveRunInput,
): Promise<ApprovalVerdict | null> {
  if (locked.run.status !== STATUS_AT[gate]) return null;
  const verdict = judgeApproval(await readQuorumInput(tx, locked, gate), approver, stage ?? null);
  if (verdict.kind === "excluded") throw new UserError("FORBIDDEN", verdict.reason);
  if (verdict.kind !== "counts") return verdict;
  const { rule, name } = verdict.stage;
  if (rule?.commentRequired === true) {
    check.require((comment ?? "").trim() !== "", "comment", `is required by the approval rule "${rule.name}".`);
  }
  if (verdict.ambiguous) {
    check.refuse(
      "stage",
      `must be named, as you approved another stage of this gate: it is the turn of "${name ?? ""}".`,
    );
  }
  return verdict;
}

function checkApplyAt(check: InputCheck, { applyAt = null, gate, stage = null }: ApproveRunInput, now: Date): void {
  check.text("stage", stage);
  if (applyAt === null) return;
  check.require(gate === "APPLY", "applyAt", "is allowed at the gate APPLY only.");
  check.require(Date.parse(applyAt) > now.getTime(), "applyAt", "must be in the future.");
}
