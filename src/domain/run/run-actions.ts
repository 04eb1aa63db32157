import { forbiddenReason } from "../../model/people/role.ts";
import { type Gate, GATES } from "../../model/approval/approval.ts";
import { type FollowUpRefusal, promotionRefusal, retryRefusal, rollbackRefusal } from "../../model/run/follow-up.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { type Run, RUN_ACTIONS, type RunAction } from "../../model/run/run.ts";
import type { PresentApprover } from "../../model/approval/quorum.ts";
import { permissionToApprove, permissionToRun, RUN_PERMISSIONS } from "../../model/run/run-permission.ts";
import { type Decision, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import type { RunActionAvailability } from "./run-action-availability.ts";
import { quorumInput } from "../lifecycle/quorum-input.ts";
import { approvalRefusal, overridingRefusal } from "./approval-refusal.ts";
import { permissionToDiscard } from "./discard-run.ts";
import { type DecidedRun, withdrawalRefusal } from "./withdrawal.ts";
import { machineInput, type LockedRun } from "../lifecycle/machine-input.ts";

interface ActionSpec {
  permission: Permission | ((run: Run) => Permission);
  /** The permission that the command asks for beside it. */
  demands?: Permission;
  command: (planVersion: number, atMs: number) => RunCommand;
  /** Whether the machine's decision amounts to this action. */
  is?: (decision: Decision) => boolean;
}

/** Actions that the approval rules decide as well, with their gates. */
const GATE_OF = { APPROVE_PLAN: "PLAN", APPROVE_APPLY: "APPLY" } as const satisfies Partial<Record<RunAction, Gate>>;

function isApproval(action: RunAction): action is keyof typeof GATE_OF {
  return action in GATE_OF;
}

const named = (name: string) => (decision: Decision) => decision.accepted && decision.name === name;

/** Actions that create a run from this one, without a decision of the machine. */
interface FollowUpSpec extends Pick<ActionSpec, "permission" | "demands"> {
  refusal: (caller: ActorCaller, subject: LockedRun) => FollowUpRefusal | null;
}

const FOLLOW_UPS = {
  RETRY: { permission: ({ kind }) => permissionToRun(kind), refusal: retryRefusal },
  PROMOTE: { permission: permissionToRun("DEPLOY"), refusal: (_, { run }) => promotionRefusal(run) },
  ROLLBACK: { permission: permissionToRun("DEPLOY"), refusal: (_, { run }) => rollbackRefusal(run) },
} as const satisfies Partial<Record<RunAction, FollowUpSpec>>;

function isFollowUp(action: RunAction): action is keyof typeof FOLLOW_UPS {
  return action in FOLLOW_UPS;
}

/** Actions whose availability depends on approvals. */
type ApprovalAction = keyof typeof GATE_OF | "OVERRIDE_POLICIES" | "WITHDRAW_APPROVAL";

/** Actions that the machine alone decides, once the role allows them. */
const ACTIONS: Record<Exclude<RunAction, keyof typeof FOLLOW_UPS | ApprovalAction>, ActionSpec> = {
  REJECT: { permission: permissionToApprove("PLAN"), command: (planVersion) => ({ type: "reject", planVersion }) },
  DISCARD: { permission: permissionToDiscard, command: (planVersion) => ({ type: "discard", planVersion }) },
  REPLAN: {
    permission: ({ kind }) => permissionToRun(kind),
    command: (planVersion) => ({ type: "replan", planVersion }),
  },
  CANCEL: { permission: "RUN_CANCEL", command: (_, atMs) => ({ type: "cancel", force: false, atMs }) },
  STOP: {
    permission: "RUN_CANCEL",
    command: (_, atMs) => ({ type: "cancel", force: false, atMs }),
    is: named("requestStop"),
  },
  FORCE_STOP: {
    permission: "RUN_CANCEL",
    demands: "RUN_FORCE_STOP",
    command: (_, atMs) => ({ type: "cancel", force: true, atMs }),
    is: named("forceStop"),
  },
};

/** The permissions that decide about actions, including those that depend on the run (DISCARD, RETRY). */
export const ACTION_PERMISSIONS: readonly Permission[] = [
  ...[...Object.values<FollowUpSpec>(FOLLOW_UPS), ...Object.values(ACTIONS)].flatMap(({ permission }) =>
    typeof permission === "function" ? [] : [permission],
  ),
  ...RUN_PERMISSIONS,
  ...GATES.map(permissionToApprove),
  "RUN_DISCARD",
  "RUN_FORCE_STOP",
  "WORKSPACE_FORCE_UNLOCK",
];

/**
 * Returns the actions of a run with their refusal for the caller. `approver`: the caller.
 */
export function runActions(
  caller: ActorCaller,
  approver: PresentApprover,
  decided: DecidedRun,
  at: Date,
): RunActionAvailability[] {
  return RUN_ACTIONS.map((action) => {
    if (!isDecided(action)) return availability(action, caller, decided.subject, at);
    const refusal = refusalOf(action, caller, approver, decided);
    return { action, allowed: refusal === null, code: refusal?.code ?? null, reason: refusal?.reason ?? null };
  });
}

function isDecided(action: RunAction): action is ApprovalAction {
  return isApproval(action) || action === "OVERRIDE_POLICIES" || action === "WITHDRAW_APPROVAL";
}

function refusalOf(
  action: ApprovalAction,
  caller: ActorCaller,
  approver: PresentApprover,
  decided: DecidedRun,
): ReturnType<typeof approvalRefusal> {
  const { subject, approvals } = decided;
  if (action === "WITHDRAW_APPROVAL") return withdrawalRefusal(caller, decided);
  if (action === "OVERRIDE_POLICIES") {
    return overridingRefusal(caller, approver, subject, quorumInput(subject, "PLAN", approvals));
  }
  return approvalRefusal(caller, approver, subject, quorumInput(subject, GATE_OF[action], approvals));
}

function availability(
  action: Exclude<RunAction, ApprovalAction>,
  caller: ActorCaller,
  subject: LockedRun,
  at: Date,
): RunActionAvailability {
  const refused = (code: RunActionAvailability["code"], reason: string): RunActionAvailability => ({
    action,
    allowed: false,
    code,
    reason,
  });
  const spec: ActionSpec | FollowUpSpec = isFollowUp(action) ? FOLLOW_UPS[action] : ACTIONS[action];
  const permission = typeof spec.permission === "function" ? spec.permission(subject.run) : spec.permission;
  const needed = spec.demands === undefined ? [permission] : [permission, spec.demands];
  const missing = needed.find((one) => !can(caller, one, subject.run));
  if (missing !== undefined) return refused("FORBIDDEN", forbiddenReason("this", missing));
  if ("refusal" in spec) {
    const refusal = spec.refusal(caller, subject);
    if (refusal === null) return { action, allowed: true, code: null, reason: null };
    return refused(refusal.code, refusal.code === "INVALID_INPUT" ? `The run ${refusal.reason}` : refusal.reason);
  }
  const { command, is } = spec;
  const decision = decide(machineInput(subject), command(subject.plan?.version ?? 0, at.getTime()));
  if (!decision.accepted) return refused(decision.code, decision.reason);
  if (is !== undefined && !is(decision)) {
    return refused("RUN_STATE_CONFLICT", `There is nothing to ${action === "STOP" ? "stop" : "force"} now.`);
  }
  return { action, allowed: true, code: null, reason: null };
}
