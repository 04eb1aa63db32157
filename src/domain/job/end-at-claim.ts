import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import { staleReason } from "../../model/plan/plan.ts";
import { isStateRollback } from "../../model/run/run.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import type { RunCommand } from "../../model/lifecycle/run-machine.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findUncertainSince } from "../../persistence/run/uncertain-run-store.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import type { ChangeDetails } from "../lifecycle/transition-changes.ts";
import { SKIPPED_REASON } from "../lifecycle/skip-applying.ts";

/** The command that ends a run at its claim, before a runner receives it. */
export interface EndAtClaim {
  command: RunCommand;
  details: Omit<ChangeDetails, "actorId">;
}

/**
 * Returns how a run ends at its claim instead of going to a runner; `null` if it goes. The first reason found counts.
 */
export async function endAtClaim(reader: Reader, locked: LockedRun): Promise<EndAtClaim | null> {
  return skippedApply(locked) ?? stalePlan(locked) ?? (await overtaken(reader, locked));
}

function skippedApply({ run, skipApplying }: LockedRun): EndAtClaim | null {
  if (skipApplying !== true || !isApplyLeg(run.leg)) return null;
  return { command: { type: "skipApply" }, details: { reason: SKIPPED_REASON } };
}

/** Checks an approved run: if its workspace was released at a gate, another run may have moved the state since. */
function stalePlan(locked: LockedRun): EndAtClaim | null {
  return STATUS_TRAITS[locked.run.status].approved ? endIfStale(locked) : null;
}

/** Returns how a run ends whose state moved since the approval; `null` if it did not move. */
export function endIfStale({ plan, rollback, workspace }: LockedRun): EndAtClaim | null {
  const madeFrom = plan ?? rollback;
  const stale = madeFrom === null ? null : staleReason(madeFrom, workspace);
  return stale === null ? null : endStale(stale);
}

/**
 * Checks for an apply since the approval whose result is unknown. It may have made the changes of this plan without
 * saving the state. A person who unlocked the workspace has checked that apply, but not what was approved before it.
 */
async function overtaken(reader: Reader, { run }: LockedRun): Promise<EndAtClaim | null> {
  if (!STATUS_TRAITS[run.status].approved || !(isApplyLeg(run.leg) || isStateRollback(run))) return null;
  const [approvals = []] = await listApprovals(reader, [run.id]);
  const decidedAt = approvals.reduce((newest, { at }) => (at > newest ? at : newest), run.createdAt);
  const number = await findUncertainSince(reader, run.workspaceId, decidedAt);
  if (number === null) return null;
  return endStale(`Run ${number} ended since the approval, and its changes are not known.`);
}

function endStale(stale: string): EndAtClaim {
  const failure: FailureReport = {
    code: "PLAN_STALE",
    summary: "The state moved, or may have moved, after the plan was made.",
    message: `${stale} Nothing was applied. Create a new run.`,
    evidence: [],
  };
  return { command: { type: "fail" }, details: { reason: stale, set: { failure: toFailure(failure, false) } } };
}
