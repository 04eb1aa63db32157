import { can, type TokenAction, type TokenCaller } from "../../model/permission.ts";
import { RUN_ACTIONS, type RunAction } from "../../model/run.ts";
import { type Decision, decide, type RunCommand } from "../../model/run-machine.ts";
import type { RunActionAvailability } from "../domain.ts";
import { retryRefusal } from "./retry-run.ts";
import { factsOf, type LockedRun } from "./locked-run.ts";

interface ActionSpec {
  permission: TokenAction;
  command: (planVersion: number, atMs: number) => RunCommand;
  /** Whether what the machine would do is this action. */
  is?: (decision: Decision) => boolean;
}

const named = (name: string) => (decision: Decision) => decision.accepted && decision.name === name;

const ACTIONS: Record<Exclude<RunAction, "RETRY">, ActionSpec> = {
  APPROVE_PLAN: {
    permission: "run:approve",
    command: (planVersion) => ({ type: "approvePlan", planVersion, quorumReached: true }),
  },
  APPROVE_APPLY: {
    permission: "run:approve",
    command: (planVersion) => ({ type: "approveApply", planVersion, quorumReached: true }),
  },
  REJECT: { permission: "run:reject", command: (planVersion) => ({ type: "reject", planVersion }) },
  DISCARD: { permission: "run:discard", command: (planVersion) => ({ type: "discard", planVersion }) },
  REPLAN: { permission: "run:replan", command: (planVersion) => ({ type: "replan", planVersion }) },
  CANCEL: { permission: "run:cancel", command: (_, atMs) => ({ type: "cancel", force: false, atMs }) },
  STOP: {
    permission: "run:cancel",
    command: (_, atMs) => ({ type: "cancel", force: false, atMs }),
    is: named("requestStop"),
  },
  FORCE_STOP: {
    permission: "run:forceStop",
    command: (_, atMs) => ({ type: "cancel", force: true, atMs }),
    is: named("forceStop"),
  },
};

/** What the caller could do with a run now, and what would be answered otherwise. */
export function runActions(caller: TokenCaller, subject: LockedRun, at: Date): RunActionAvailability[] {
  return RUN_ACTIONS.map((action) => availability(action, caller, subject, at));
}

function availability(action: RunAction, caller: TokenCaller, subject: LockedRun, at: Date): RunActionAvailability {
  const refused = (code: RunActionAvailability["code"], reason: string): RunActionAvailability => ({
    action,
    allowed: false,
    code,
    reason,
  });
  const permission = action === "RETRY" ? "run:retry" : ACTIONS[action].permission;
  if (!can(caller, permission)) return refused("FORBIDDEN", "Your token's role does not allow this.");
  if (action === "RETRY") {
    const refusal = retryRefusal(subject.run);
    return refusal === null
      ? { action, allowed: true, code: null, reason: null }
      : refused("RUN_STATE_CONFLICT", refusal);
  }
  const { command, is } = ACTIONS[action];
  const decision = decide(factsOf(subject), command(subject.plan?.version ?? 0, at.getTime()));
  if (!decision.accepted) return refused(decision.code, decision.reason);
  if (is !== undefined && !is(decision)) {
    return refused("RUN_STATE_CONFLICT", `There is nothing to ${action === "STOP" ? "stop" : "force"} now.`);
  }
  return { action, allowed: true, code: null, reason: null };
}
