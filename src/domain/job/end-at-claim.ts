import { type FailureReport, toFailure } from "../../model/failure.ts";
import { staleReason } from "../../model/plan.ts";
import { isApplyLeg } from "../../model/run-kind.ts";
import type { RunCommand } from "../../model/run-machine.ts";
import type { LockedRun } from "../run/locked-run.ts";
import type { ChangeDetails } from "../run/record-change.ts";
import { SKIPPED_REASON } from "../run/skip-applying.ts";

/** What ends a run that is PREPARING for its claim, before any runner hears of it. */
export interface EndAtClaim {
  command: RunCommand;
  details: Omit<ChangeDetails, "actorId">;
}

/** Whether a run ends at its claim instead of going to a runner; null: it goes. The first reason counts. */
export function endAtClaim(locked: LockedRun): EndAtClaim | null {
  return skippedApply(locked) ?? stalePlan(locked);
}

function skippedApply({ run, skipApplying }: LockedRun): EndAtClaim | null {
  if (skipApplying !== true || !isApplyLeg(run.leg)) return null;
  return { command: { type: "skipApply" }, details: { reason: SKIPPED_REASON } };
}

/** Where the workspace was let go at a gate, another run may have moved the state after the approval. */
function stalePlan({ run, plan, workspace }: LockedRun): EndAtClaim | null {
  const stale = run.status !== "CONFIRMED" || plan === null ? null : staleReason(plan, workspace);
  if (stale === null) return null;
  const failure: FailureReport = {
    code: "PLAN_STALE",
    summary: "The state moved after the plan was made.",
    message: `${stale} Nothing was applied: make a new plan.`,
    evidence: [],
  };
  return { command: { type: "fail" }, details: { reason: stale, set: { failure: toFailure(failure, false) } } };
}
