/** Reads a run under its row lock, with everything that decisions about it depend on. */
import { isStateRollback, plannedBy, type Run } from "../../model/run/run.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findStateRollbacks } from "../../persistence/state/state-version-store.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { findDecidingRules } from "../../persistence/policy/judge-store.ts";
import { lockRun } from "../../persistence/run/run-store.ts";
import { lockWorkspaceOfRun } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readStages } from "./run-stages.ts";
import { skipsApplying } from "./skip-applying.ts";
import {
  acceptsWarnings,
  type LockedRun,
  passedPlanGate,
  type WorkspaceContext,
  workspaceContextAt,
} from "./machine-input.ts";

/**
 * Locks a workspace, then its run, always in that order. `null` if the run does not exist or its workspace was deleted.
 * `kept`: the workspace, if the transaction has locked it already.
 */
export async function lockForChange(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "cipher">,
  runId: string,
  kept?: Workspace,
): Promise<LockedRun | null> {
  const workspace = kept ?? (await lockWorkspaceOfRun(tx, runId));
  if (workspace === null) return null;
  return lockRunIn(tx, deps, await readWorkspaceContext(tx, deps, workspace), runId);
}

/** Locks a run of a workspace whose row the transaction has locked. */
export async function lockRunIn(
  tx: Transaction,
  deps: Pick<Deps, "cipher">,
  context: WorkspaceContext,
  runId: string,
): Promise<LockedRun> {
  const run = await lockRun(tx, runId);
  return { ...(await readLockedRun(tx, context, run)), skipApplying: await skipsApplying(tx, deps, run) };
}

/** Reads the context of a workspace now. The row must be locked if a decision depends on it. */
export async function readWorkspaceContext(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  row: Workspace,
): Promise<WorkspaceContext> {
  const rules = await findDecidingRules(tx, row.id);
  if (rules === null) throw new Error(`The workspace ${row.id} or its organization does not exist.`);
  return workspaceContextAt(clock(), row, rules.organization, rules);
}

/** Reads everything that decisions about a run depend on. The run's row must be locked. */
export async function readLockedRun(tx: Transaction, context: WorkspaceContext, run: Run): Promise<LockedRun> {
  const plan = run.planVersion === 0 ? null : await findNewestPlan(tx, plannedBy(run));
  const [approvals = []] = run.planRunId === null ? [] : await listApprovals(tx, [run.planRunId]);
  const [rollback = null] = isStateRollback(run) ? await findStateRollbacks(tx, [run.id]) : [];
  const [stages = []] = await readStages(tx, [run]);
  const planApproved = passedPlanGate(context.rules, run, stages, approvals);
  const warningsAccepted = await areWarningsAccepted(tx, run, planApproved);
  return { ...context, run, plan, rollback, stages, planApproved, warningsAccepted };
}

/** Whether an approver of the newest plan has accepted its warnings. */
async function areWarningsAccepted(tx: Transaction, run: Run, planApproved: boolean): Promise<boolean> {
  if (run.policyWarnings === 0 || planApproved) return planApproved;
  const [approvals = []] = await listApprovals(tx, [run.id]);
  return approvals.some((approval) => acceptsWarnings(run, approval));
}
