import { isVerifying } from "../../model/lifecycle/run-status.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import { lockVerification, updateVerification } from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import { commandRun } from "../run/run-command.ts";
import { failVerification } from "./settle-verification.ts";

/** The judgement of a person about the result of an apply. */
export const JUDGEMENTS = ["GOOD", "BAD"] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export interface ConcludeVerificationInput {
  runId: string;
  judgement: Judgement;
  comment: string;
}

/** Ends the verification of a run by the judgement of a person, also before its probes have a result. */
export function concludeVerification(deps: Deps, caller: ActorCaller, input: ConcludeVerificationInput): Promise<Run> {
  const { runId, judgement, comment } = input;
  const spec = {
    name: "concludeVerification",
    permission: "APPLY_APPROVE",
    words: "judging the result of applies",
    runId,
    comment,
    check: (check) => check.require(comment.trim() !== "", "comment", "must explain the judgement."),
  } satisfies Parameters<typeof commandRun>[2];
  return commandRun(deps, caller, spec, async (tx, locked) => {
    const found = isVerifying(locked.run.status) ? await lockVerification(tx, runId) : null;
    if (found === null) {
      const reason = `Cannot judge the result of a run that is ${locked.run.status}: it must be VERIFYING.`;
      throw new UserError("RUN_STATE_CONFLICT", reason, { runId });
    }
    const judged = { ...found, concludedById: caller.actor.id, comment };
    if (judgement === "BAD") {
      return failVerification(tx, deps, locked, { ...judged, status: "FAILED" }, caller.actor.id);
    }
    const passed = { ...judged, status: "PASSED", finishedAt: deps.clock().toISOString() } as const;
    await updateVerification(tx, passed, null);
    return applyTransition(tx, deps, locked, mustAccept(locked, { type: "concluded" }), {
      actorId: caller.actor.id,
      reason: comment,
      events: [{ type: "VERIFICATION_CHANGED", verificationId: passed.id, to: passed.status }],
    });
  });
}
