import { toFailure } from "../../model/lifecycle/failure.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToApprove } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Deps } from "../kit/deps.ts";
import { recordApproval } from "../lifecycle/record-approval.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { callingApprover } from "./calling-approver.ts";
import { checkPlanVersion, commandRun, decideOrThrow } from "./run-command.ts";

export interface RejectRunInput {
  runId: string;
  planVersion: number;
  comment: string | null;
}

/** Rejects a run at its plan gate, at any stage. The run ends as REJECTED. */
export function rejectRun(deps: Deps, caller: ActorCaller, input: RejectRunInput): Promise<Run> {
  const { runId, planVersion, comment } = input;
  const spec = {
    name: "rejectRun",
    permission: permissionToApprove("PLAN"),
    words: "rejecting runs",
    runId,
    comment,
    check: (check) => checkPlanVersion(check, planVersion),
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const decision = decideOrThrow(locked, { type: "reject", planVersion });
    const { id: approvalId } = await recordApproval(tx, deps, callingApprover(deps, caller, []), locked, {
      gate: "PLAN",
      stage: null,
      decision: "REJECTED",
      comment,
      applyAt: null,
    });
    const failure = toFailure(
      {
        code: "APPROVAL_REJECTED",
        summary: `${caller.actor.name} rejected plan ${planVersion}.`,
        message: comment ?? "No comment was given.",
        evidence: [],
      },
      false,
    );
    return applyTransition(tx, deps, locked, decision, {
      actorId: caller.actor.id,
      reason: comment,
      set: { failure },
      events: [{ type: "APPROVAL_RECORDED", approvalId }],
    });
  });
}
