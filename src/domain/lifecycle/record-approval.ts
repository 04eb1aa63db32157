import type { Approval } from "../../model/approval/approval.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { insertApproval } from "../../persistence/approval/approval-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { approvalDigest } from "./approval-digest.ts";
import type { LockedRun } from "./locked-run.ts";

/** Stores a caller's decision about the current plan of a run and returns it. */
export async function recordApproval(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "newId">,
  caller: ActorCaller,
  { run, plan }: LockedRun,
  decided: Pick<Approval, "gate" | "stage" | "decision" | "comment" | "applyAt">,
): Promise<Approval> {
  const approval = {
    ...decided,
    id: deps.newId("approval"),
    runId: run.id,
    actorId: caller.actor.id,
    planVersion: plan?.version ?? 0,
    planDigest: approvalDigest(run, plan),
    at: deps.clock().toISOString(),
  };
  await insertApproval(tx, approval);
  return { ...approval, counts: decided.decision !== "WITHDRAWN" };
}
