import { stagesAt } from "../../model/approval/run-stage.ts";
import { ANY_OVERRIDER, policyStages, type StageFinding } from "../../model/policy/policy-stages.ts";
import { insertRunStages } from "../../persistence/approval/run-stage-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOverriders } from "../../persistence/policy/policy-set-store.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";
import type { LockedRun } from "./machine-input.ts";

/**
 * Adds the stages that policies ask for to the plan gate of a run whose plan was judged. `findings`: the failures that people may
 * override, and the demands for approvals. Returns the run with its stages, and the columns to change with its status.
 */
export async function storePolicyStages(
  tx: Transaction,
  locked: LockedRun,
  findings: readonly StageFinding[],
): Promise<{ locked: LockedRun; set: Pick<RunChanges, "stageCount"> }> {
  if (findings.length === 0) return { locked, set: {} };
  const { run, workspace, plan, planApproved } = locked;
  const failing = findings.filter(({ approvers }) => approvers === null);
  const ownerIds = [...new Set(failing.map(({ ownerId }) => ownerId))];
  const found = ownerIds.length === 0 ? [] : await findOverriders(tx, ownerIds);
  const gate = stagesAt(locked, "PLAN");
  const isAsked = workspace.planApproval === "ALWAYS" && run.kind !== "PLAN" && !planApproved;
  const added = policyStages(findings, (id) => found[ownerIds.indexOf(id)] ?? ANY_OVERRIDER, {
    requirePresence: gate.some(({ requirePresence }) => requirePresence),
    approvesPlan: isAsked && gate.length === 0,
  });
  const stages = [...locked.stages, ...added];
  const at = { runId: run.id, planVersion: plan?.version ?? 0, after: locked.stages.length };
  await insertRunStages(tx, at, added);
  return { locked: { ...locked, stages }, set: { stageCount: stages.length } };
}
