/** Builds the input of decisions about a run from what was read of it. */
import type { Approval } from "../../model/approval/approval.ts";
import { type EffectiveRules, effectiveRules } from "../../model/approval/run-rules.ts";
import { type RunStage, separatesGatesOf, stagesAt } from "../../model/approval/run-stage.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { approverOf, identityRefusal, isPassed } from "../../model/approval/quorum.ts";
import { rollbackAutoApply } from "../../model/run/rollback.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import type { MachinePlan, MachineInput } from "../../model/lifecycle/run-machine.ts";
import { autoApplyOf } from "../../model/workspace/drift-settings.ts";
import { type Organization, unexpiredLock, type Workspace } from "../../model/workspace/workspace.ts";
import { frozenUntil } from "../rules/freeze.ts";
import { type Judge, judgedPoints } from "../../model/policy/judge.ts";
import type { StateRollback } from "../../model/state/state-version.ts";

/** A workspace with its effective rules at a given time. */
export interface WorkspaceContext {
  /** Without a lock that has expired. */
  workspace: Workspace;
  rules: EffectiveRules;
  /** `null` if no freeze window is open. */
  frozenUntil: string | null;
  /** The policies and external checks that judge its runs. Empty if no decision depends on them. */
  judges: readonly Judge[];
  /** Whether the workspace has probes that are sent after an apply. */
  hasProbes: boolean;
}

export interface LockedRun extends WorkspaceContext {
  run: Run;
  /** The newest plan; for an APPLY, that of its PLAN run. */
  plan: Plan | null;
  /** The state that a rollback restores; `null` for any other run. */
  rollback: StateRollback | null;
  /** The stages that were decided for that plan, beside those that rules always define. */
  stages: readonly RunStage[];
  /** The plan of this APPLY was approved in its PLAN run, by the rules of an APPLY. */
  planApproved: boolean;
  /** A person has approved the newest plan, and with it its warnings. */
  warningsAccepted: boolean;
  /** The workspace skips applies. Absent if the next step is no apply. */
  skipApplying?: boolean;
}

export function workspaceContextAt(
  at: Date,
  row: Workspace,
  organization: Pick<Organization, "rules">,
  { judges, hasProbes }: Pick<WorkspaceContext, "judges" | "hasProbes"> = { judges: [], hasProbes: false },
): WorkspaceContext {
  const rules = effectiveRules(organization.rules, row.rules);
  const frozen = frozenUntil(rules.freezeWindows, at);
  return { workspace: withoutExpiredLock(row, at), rules, frozenUntil: frozen, judges, hasProbes };
}

/** Whether the apply of a run of this kind is verified: by probes of its workspace, or by external checks. */
export function isVerified(
  { workspace, judges, hasProbes }: Pick<WorkspaceContext, "workspace" | "judges" | "hasProbes">,
  kind: RunKind,
): boolean {
  if (judges.some(({ points, kinds }) => points.includes("VERIFY") && (kinds?.includes(kind) ?? true))) return true;
  return hasProbes && (kind !== "DESTROY" || workspace.verification.afterDestroy === "EXPECT_GONE");
}

/**
 * Whether the approvals of a PLAN run are enough for the plan gate of an APPLY of its plan. Rules may differ by kind,
 * and may have changed since. `stages`: those decided for the APPLY, whose policies judge the plan
 * again. `approvals`: all approvals of the PLAN run.
 */
export function passedPlanGate(
  rules: EffectiveRules,
  apply: Pick<Run, "kind" | "createdById" | "requestedByIds">,
  stages: readonly RunStage[],
  approvals: readonly Approval[],
): boolean {
  const given = approvals.filter(({ gate, decision, counts }) => gate === "PLAN" && decision === "APPROVED" && counts);
  const staged = { run: apply, rules, stages: stages.filter(({ origin }) => origin.source === "RULE") };
  const asked = stagesAt(staged, "PLAN");
  const gate = { gate: "PLAN", gatesSeparated: separatesGatesOf(staged) } as const;
  if (asked.length === 0) {
    return given.some((approval) => identityRefusal(null, gate, approverOf(approval)) === null);
  }
  return isPassed({
    ...gate,
    rules: asked,
    requesterIds: [apply.createdById, ...apply.requestedByIds],
    planApproverIds: [],
    approvals: given,
  });
}

/** Whether an approval of a run is one of its newest plan, and so of the warnings about it. */
export function acceptsWarnings({ id, planVersion }: Pick<Run, "id" | "planVersion">, approval: Approval): boolean {
  const { runId, gate, decision, counts } = approval;
  return runId === id && gate === "PLAN" && decision === "APPROVED" && counts && approval.planVersion === planVersion;
}

/** Returns the workspace without a lock that has expired. */
export function withoutExpiredLock(workspace: Workspace, at: Date): Workspace {
  if (workspace.lock === null) return workspace;
  return { ...workspace, lock: unexpiredLock(workspace.lock, at.toISOString()) };
}

export function machinePlan(plan: Plan, { refreshOnly }: Pick<Run, "refreshOnly">): MachinePlan {
  return { ...plan, targeted: plan.targets.length > 0, refreshOnly };
}

/** Builds the input of the run machine. */
export function machineInput({ run, workspace, plan, rollback, rules, stages, ...context }: LockedRun): MachineInput {
  const staged = { run, rules, stages };
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
      autoApply: rollbackAutoApply(run, autoApplyOf(run, workspace)),
      interruptApply: workspace.interruptApply,
      skipApplying: context.skipApplying ?? false,
      // A paused workspace starts no runs, hence no auto-apply either.
      locked: workspace.lock !== null || workspace.paused,
      frozen: context.frozenUntil !== null,
      stateSerial: workspace.stateSerial,
    },
    rules: {
      plan: stagesAt(staged, "PLAN").length > 0,
      apply: stagesAt(staged, "APPLY").length > 0,
    },
    planApproved: context.planApproved,
    policies: judgedPoints(context.judges, { kind: run.kind, plan }),
    warnings: context.warningsAccepted ? 0 : run.policyWarnings,
    probes: isVerified({ workspace, judges: context.judges, hasProbes: context.hasProbes }, run.kind),
    limits: { attempts: rules.limits.attemptsPerLeg, forceAfterMs: rules.limits.forceStopAfterMs },
  };
}
