/** Returns the gates that a run waits at, or will certainly reach if it continues. */
import type { Gate } from "../approval/approval.ts";
import { autoApplies, type MachineInput } from "../lifecycle/run-machine.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

/** The status of a run that waits at each gate. */
export const STATUS_AT = {
  PLAN: "AWAITING_PLAN_APPROVAL",
  APPLY: "AWAITING_APPLY_APPROVAL",
} as const satisfies Record<Gate, RunStatus>;
/** The command of the run machine that approves at each gate. */
export const APPROVE = { PLAN: "approvePlan", APPLY: "approveApply" } as const satisfies Record<Gate, string>;

/** The command of the run machine that withdraws approvals of each gate. */
export const WITHDRAW = { PLAN: "withdrawPlan", APPLY: "withdrawApply" } as const satisfies Record<Gate, string>;

/**
 * Returns the gates in order. Before the plan, an apply gate that auto-apply may skip is left out. `approvesPlan`: the plan gate
 * takes an approval, and not overrides alone.
 */
export function gatesAhead(run: MachineInput, approvesPlan: boolean): Gate[] {
  if (isTerminal(run.status) || run.kind === "UNLOCK") return [];
  if (STATUS_TRAITS[run.status].gate === "APPLY") return ["APPLY"];
  const planning = run.leg === "PLAN" || run.leg === "REPLAN";
  const { queued, gate } = STATUS_TRAITS[run.status];
  if (!planning && !queued && gate === null) return [];
  if (run.kind === "TASK") return ["APPLY"];
  const gates: Gate[] = [];
  if (run.status === STATUS_AT.PLAN || needsPlanGate(run)) gates.push("PLAN");
  if (run.kind !== "PLAN" && needsApplyGate(run, approvesPlan)) gates.push("APPLY");
  return gates;
}

function needsPlanGate({ kind, rules, workspace, planApproved }: MachineInput): boolean {
  return !planApproved && (rules.plan || (kind !== "PLAN" && workspace.planApproval === "ALWAYS"));
}

function needsApplyGate(run: MachineInput, approvesPlan: boolean): boolean {
  if (STATUS_TRAITS[run.status].gate !== null) {
    // An approval of the plan accepts its warnings, and an override does not.
    return !autoApplies(approvesPlan ? { ...run, warnings: 0 } : run, run.plan);
  }
  if (run.kind === "APPLY") return !autoApplies(run, run.plan);
  const { planApproval, autoApply } = run.workspace;
  return run.kind === "DESTROY" || run.rules.apply || planApproval === "ALWAYS" || autoApply === "NEVER";
}
