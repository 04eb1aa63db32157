import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import { staleReason } from "../../model/plan/plan.ts";
import { isStateRollback } from "../../model/run/run.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import type { RunCommand } from "../../model/lifecycle/run-machine.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findUncertainSince } from "../../persistence/run/uncertain-run-store.ts";
import type { LockedRun } from "../lifecycle/locked-run.ts";
import type { ChangeDetails } from "../lifecycle/record-transition.ts";
import { SKIPPED_REASON } from "../lifecycle/skip-applying.ts";

/** What ends a run that is PREPARING for its claim, before any runner hears of it. */
export interface EndAtClaim {
  command: RunCommand;
  details: Omit<ChangeDetails, "actorId">;
}

/** Whether a run ends at its claim instead of going to a runner; null: it goes. The first reason counts. */
export async function endAtClaim(reader: Reader, locked: LockedRun): Promise<EndAtClaim | null> {
  return skippedApply(locked) ?? stalePlan(locked) ?? (await overtaken(reader, locked));
}

function skippedApply({ run, skipApplying }: LockedRun): EndAtClaim | null {
  if (skipApplying !== true || !isApplyLeg(run.leg)) return null;
  return { command: { type: "skipApply" }, details: { reason: SKIPPED_REASON } };
}

/** Where the workspace was let go at a gate, another run may have moved the state after the approval. */
function stalePlan(locked: LockedRun): EndAtClaim | null {
  return STATUS_TRAITS[locked.run.status].approved ? endIfStale(locked) : null;
}

/** How a run ends whose state has moved since it was approved; null: it has not. */
export function endIfStale({ plan, rollback, workspace }: LockedRun): EndAtClaim | null {
  const madeFrom = plan ?? rollback;
  const stale = madeFrom === null ? null : staleReason(madeFrom, workspace);
  return stale === null ? null : endStale(stale);
}

/**
 * An apply that was lost may have made what this plan makes, and have saved nothing: the same saved plan, or one of
 * another run where the workspace is let go at the gates. Who unlocked the workspace has checked that one; what was
 * approved before does not follow by itself.
 */
async function overtaken(reader: Reader, { run }: LockedRun): Promise<EndAtClaim | null> {
  if (!STATUS_TRAITS[run.status].approved || !(isApplyLeg(run.leg) || isStateRollback(run))) return null;
  const [approvals = []] = await listApprovals(reader, [run.id]);
  const decidedAt = approvals.reduce((newest, { at }) => (at > newest ? at : newest), run.createdAt);
  const number = await findUncertainSince(reader, run.workspaceId, decidedAt);
  if (number === null) return null;
  return endStale(`Run ${number} ended since the approval, and it is not known what it changed.`);
}

function endStale(stale: string): EndAtClaim {
  const failure: FailureReport = {
    code: "PLAN_STALE",
    summary: "The state moved, or may have, after the plan was made.",
    message: `${stale} Nothing was applied: make a new plan.`,
    evidence: [],
  };
  return { command: { type: "fail" }, details: { reason: stale, set: { failure: toFailure(failure, false) } } };
}
