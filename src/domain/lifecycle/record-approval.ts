import type { Approval } from "../../model/approval/approval.ts";
import type { PresentApprover } from "../../model/approval/quorum.ts";
import { insertApproval } from "../../persistence/approval/approval-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { approvalDigest } from "./approval-digest.ts";
import type { LockedRun } from "./machine-input.ts";

/** Stores an approver's decision about the current plan of a run and returns it. */
export async function recordApproval(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "newId">,
  { actorId, kind: approverKind, countsAs, present }: PresentApprover,
  { run, plan }: LockedRun,
  decided: Pick<Approval, "gate" | "stage" | "decision" | "comment" | "applyAt">,
): Promise<Approval> {
  const approval = {
    ...decided,
    id: deps.newId("approval"),
    runId: run.id,
    actorId,
    approverKind,
    countsAs,
    present,
    planVersion: plan?.version ?? 0,
    planDigest: approvalDigest(run, plan),
    at: deps.clock().toISOString(),
  };
  const teamIds = await insertApproval(tx, approval);
  return { ...approval, teamIds, counts: decided.decision !== "WITHDRAWN" };
}
