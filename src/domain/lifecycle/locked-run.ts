/** Reads a run under its row lock, with everything that decisions about it depend on. */
import type { Approval } from "../../model/approval/approval.ts";
import { type EffectiveRules, effectiveRules, separatesGates, stagesOf } from "../../model/approval/run-rules.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { approverOf, identityRefusal, isPassed } from "../../model/approval/quorum.ts";
import { isStateRollback, plannedBy, type Run } from "../../model/run/run.ts";
import type { MachinePlan, MachineInput } from "../../model/lifecycle/run-machine.ts";
import type { StateRollback } from "../../model/state/state-version.ts";
import { type Organization, unexpiredLock, type Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findStateRollbacks } from "../../persistence/state/state-version-store.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { lockRun } from "../../persistence/run/run-store.ts";
import { lockWorkspaceOfRun } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { frozenUntil } from "./freeze.ts";
import { skipsApplying } from "./skip-applying.ts";

/** A workspace with its effective rules at a given time. */
export interface WorkspaceContext {
  /** Without a lock that has expired. */
  workspace: Workspace;
  rules: EffectiveRules;
  /** `null` if no freeze window is open. */
  frozenUntil: string | null;
}

export interface LockedRun extends WorkspaceContext {
  run: Run;
  /** The newest plan; for an APPLY, that of its PLAN run. */
  plan: Plan | null;
  /** The state that a rollback restores; `null` for any other run. */
  rollback: StateRollback | null;
  /** The plan of this APPLY was approved in its PLAN run, by the rules of an APPLY. */
  planApproved: boolean;
  /** The workspace skips applies. Absent if the next step is no apply. */
  skipApplying?: boolean;
}

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
  const [organization = null] = await findOrganizations(tx, [row.organizationId]);
  if (organization === null) throw new Error(`The organization of ${row.id} does not exist.`);
  return workspaceContextAt(clock(), row, organization);
}

export function workspaceContextAt(
  at: Date,
  row: Workspace,
  organization: Pick<Organization, "rules">,
): WorkspaceContext {
  const rules = effectiveRules(organization.rules, row.rules);
  return { workspace: withoutExpiredLock(row, at), rules, frozenUntil: frozenUntil(rules.freezeWindows, at) };
}

/** Reads everything that decisions about a run depend on. The run's row must be locked. */
export async function readLockedRun(tx: Transaction, context: WorkspaceContext, run: Run): Promise<LockedRun> {
  const plan = run.planVersion === 0 ? null : await findNewestPlan(tx, plannedBy(run));
  const [approvals = []] = run.planRunId === null ? [] : await listApprovals(tx, [run.planRunId]);
  const [rollback = null] = isStateRollback(run) ? await findStateRollbacks(tx, [run.id]) : [];
  return { ...context, run, plan, rollback, planApproved: passedPlanGate(context.rules, run, approvals) };
}

/**
 * Whether the approvals of a PLAN run are enough for the plan gate of an APPLY of its plan. Rules may differ by kind,
 * and may have changed since. `approvals`: all approvals of the PLAN run.
 */
export function passedPlanGate(
  rules: EffectiveRules,
  apply: Pick<Run, "kind" | "createdById">,
  approvals: readonly Approval[],
): boolean {
  const given = approvals.filter(({ gate, decision, counts }) => gate === "PLAN" && decision === "APPROVED" && counts);
  const stages = stagesOf(rules, "PLAN", apply.kind);
  const gate = { gate: "PLAN", gatesSeparated: separatesGates(rules, apply.kind) } as const;
  if (given.length === 0 || stages.length === 0) {
    return given.some((approval) => identityRefusal(null, gate, approverOf(approval)) === null);
  }
  return isPassed({
    ...gate,
    rules: stages,
    requesterIds: [apply.createdById],
    planApproverIds: [],
    approvals: given,
  });
}

/** Returns the workspace without a lock that has expired. */
export function withoutExpiredLock(workspace: Workspace, at: Date): Workspace {
  if (workspace.lock === null) return workspace;
  return { ...workspace, lock: unexpiredLock(workspace.lock, at.toISOString()) };
}

export function machinePlan(plan: Plan, { refreshOnly }: Pick<Run, "refreshOnly">): MachinePlan {
  return { ...plan, targeted: plan.targets.length > 0, refreshOnly };
}

/** Builds the input of the run machine. Policies and probes have no setting yet. */
export function machineInput({ run, workspace, plan, rollback, rules, ...context }: LockedRun): MachineInput {
  return {
    kind: run.kind,
    status: run.status,
    leg: run.leg,
    attempt: run.attempt,
    plan: plan === null ? null : machinePlan(plan, run),
    rollback,
    stopRequestedAtMs: run.cancelRequest === null ? null : Date.parse(run.cancelRequest.at),
    workspace: {
      planApproval: workspace.planApproval,
      autoApply: workspace.autoApply,
      interruptApply: workspace.interruptApply,
      skipApplying: context.skipApplying ?? false,
      // A paused workspace starts no runs, hence no auto-apply either.
      locked: workspace.lock !== null || workspace.paused,
      frozen: context.frozenUntil !== null,
      stateSerial: workspace.stateSerial,
    },
    rules: {
      plan: stagesOf(rules, "PLAN", run.kind).length > 0,
      apply: stagesOf(rules, "APPLY", run.kind).length > 0,
    },
    planApproved: context.planApproved,
    policies: false,
    probes: false,
    limits: { attempts: rules.limits.attemptsPerLeg, forceAfterMs: rules.limits.forceStopAfterMs },
  };
}
