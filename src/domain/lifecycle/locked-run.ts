/** A run under its row lock, with everything that decisions about it depend on. */
import type { Approval } from "../../model/approval/approval.ts";
import { type EffectiveRules, effectiveRules, stagesOf } from "../../model/approval/run-rules.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { isPassed } from "../../model/approval/quorum.ts";
import { isStateRollback, plannedBy, type Run } from "../../model/run/run.ts";
import type { MachinePlan, MachineInput } from "../../model/lifecycle/run-machine.ts";
import type { StateRollback } from "../../model/state/state-version.ts";
import { type Organization, standingLock, type Workspace } from "../../model/workspace/workspace.ts";
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

/** The workspace of a run at an instant. */
export interface WorkspaceContext {
  /** Without a lock that has expired. */
  workspace: Workspace;
  rules: EffectiveRules;
  /** null: no freeze window is open. */
  frozenUntil: string | null;
}

export interface LockedRun extends WorkspaceContext {
  run: Run;
  /** The newest plan; of an APPLY, that of its PLAN run. */
  plan: Plan | null;
  /** What a run that brings a state back brings; null for any other. */
  rollback: StateRollback | null;
  /** People accepted the plan in the PLAN run that an APPLY applies, as the rules of the APPLY ask. */
  planApproved: boolean;
  /** The workspace goes through everything but applies. Absent: nobody asked, because nothing depends on it. */
  skipApplying?: boolean;
}

/**
 * Locks a run, and its workspace before it: always in that order. null where there is no such run, or its workspace was
 * deleted by the time of the lock. `kept`: the workspace, where the transaction has locked it already.
 */
export async function lockForChange(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "cipher">,
  runId: string,
  kept?: Workspace,
): Promise<LockedRun | null> {
  const workspace = kept ?? (await lockWorkspaceOfRun(tx, runId));
  if (workspace === null) return null;
  const context = await readWorkspaceContext(tx, deps, workspace);
  const run = await lockRun(tx, runId);
  return { ...(await readLockedRun(tx, context, run)), skipApplying: await skipsApplying(tx, deps, run) };
}

/** What holds in a workspace now; its row must be locked where something is decided by it. */
export async function readWorkspaceContext(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  row: Workspace,
): Promise<WorkspaceContext> {
  const [organization = null] = await findOrganizations(tx, [row.organizationId]);
  if (organization === null) throw new Error(`The organization of ${row.id} does not exist.`);
  return workspaceContextAt(clock(), row, organization);
}

export function workspaceContextAt(at: Date, row: Workspace, organization: Organization): WorkspaceContext {
  const rules = effectiveRules(organization.rules, row.rules);
  return { workspace: withoutExpiredLock(row, at), rules, frozenUntil: frozenUntil(rules.freezeWindows, at) };
}

/** A run, whose row must be locked, on its context. */
export async function readLockedRun(tx: Transaction, context: WorkspaceContext, run: Run): Promise<LockedRun> {
  const plan = run.planVersion === 0 ? null : await findNewestPlan(tx, plannedBy(run));
  const [approvals = []] = run.planRunId === null ? [] : await listApprovals(tx, [run.planRunId]);
  const [rollback = null] = isStateRollback(run) ? await findStateRollbacks(tx, [run.id]) : [];
  return { ...context, run, plan, rollback, planApproved: passedPlanGate(context.rules, run, approvals) };
}

/**
 * Whether the approvals that a PLAN run got at its plan gate let an APPLY of its plan pass its own: the same would,
 * given there. Rules may differ between the kinds, and may have been changed since. `approvals`: all of the PLAN run.
 */
export function passedPlanGate(
  rules: EffectiveRules,
  apply: Pick<Run, "kind" | "createdById">,
  approvals: readonly Approval[],
): boolean {
  const given = approvals.filter(({ gate, decision, counts }) => gate === "PLAN" && decision === "APPROVED" && counts);
  const stages = stagesOf(rules, "PLAN", apply.kind);
  if (given.length === 0 || stages.length === 0) return given.length > 0;
  return isPassed({
    gate: "PLAN",
    rules: stages,
    requesterIds: [apply.createdById],
    planApproverIds: [],
    approvals: given,
  });
}

/** The workspace as it is at this instant: a lock that has expired counts as none. */
export function withoutExpiredLock(workspace: Workspace, at: Date): Workspace {
  return { ...workspace, lock: standingLock(workspace.lock, at.toISOString()) };
}

export function machinePlan(plan: Plan, { refreshOnly }: Pick<Run, "refreshOnly">): MachinePlan {
  return { ...plan, targeted: plan.targets.length > 0, refreshOnly };
}

/** What the machine looks at. Policies and probes have no setting yet. */
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
      // A pause keeps runs from beginning, and an apply that begins by itself is no less.
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
