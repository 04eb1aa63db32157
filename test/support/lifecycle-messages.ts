/** What fake runners say in the model test, and what the model makes of it. */
import type { FailureReport } from "../../src/model/lifecycle/failure.ts";
import { isApplyLeg } from "../../src/model/lifecycle/run-kind.ts";
import type { MachinePlan, RunCommand } from "../../src/model/lifecycle/run-machine.ts";
import { fakePlan, type MessageBody } from "./fake-runner.ts";
import type * as model from "./lifecycle-model.ts";
import type { Changes, MessageType } from "./lifecycle-steps.ts";

const DESTROYS = { additions: 0, changes: 0, destructions: 1, replacements: 0, imports: 0, moves: 0, forgets: 0 };

/** What a runner would say next of its own accord. */
export function nextMessage({ run, messageCount }: model.ModelJob): MessageType {
  if (run.stopRequestedAtMs !== null) return "stopped";
  if (run.status === "PREPARING" || (run.status === "APPLYING" && messageCount === 0)) return "prepared";
  if (run.status === "INITIALIZING") return isApplyLeg(run.leg) ? "prepared" : "initialized";
  if (run.status === "PERFORMING") return "performed";
  return run.status === "PLANNING" ? "planned" : "applied";
}

export function bodyOf(
  type: MessageType,
  step: { changes: Changes; uncertain: boolean },
  job: model.ModelJob,
): MessageBody {
  if (type === "planned") {
    const counts = step.changes === "destroys" ? { counts: DESTROYS } : {};
    const plan = fakePlan({ stateSerial: job.stateSerial, hasChanges: step.changes !== "none", ...counts });
    return { type, plan };
  }
  if (type === "applied") return { type, appliedAddresses: [] };
  if (type !== "failed") return { type };
  const stateUncertain = step.uncertain && job.run.status === "APPLYING";
  const failure: FailureReport = {
    code: "APPLY_FAILED",
    summary: "It failed.",
    message: "",
    evidence: [],
    stateUncertain,
  };
  return { type, failure };
}

export function planOf({ counts, ...plan }: ReturnType<typeof fakePlan>, run: model.ModelRun): MachinePlan {
  const { hasChanges, stateSerial, outputChanges, complete } = plan;
  const version = (run.plan?.version ?? 0) + 1;
  const actionInvocationCount = plan.actionInvocations?.length ?? 0;
  return {
    ...counts,
    version,
    hasChanges,
    stateSerial,
    outputChanges,
    actionInvocationCount,
    complete,
    targeted: false,
  };
}

/** What a message asks of the machine; null: it is out of order, whatever the machine says. */
export function commandOf(body: MessageBody, run: model.ModelRun, plan: MachinePlan | null): RunCommand | null {
  const stopping = run.stopRequestedAtMs !== null;
  const { type } = body;
  if (type === "initialized" && stopping && run.leg === "TASK") return { type: "stopped" };
  if (type === "handedBack") {
    if (run.status === "APPLYING" || run.status === "PERFORMING") return null;
    return stopping ? { type: "stopped" } : { type: "leaseLost", handedBack: true };
  }
  if (type === "planned") {
    if (stopping) return { type: "stopped" };
    return plan === null ? null : { type, plan, warnings: 0 };
  }
  if (type === "failed") return { type: "fail" };
  return type === "performed" ||
    type === "restored" ||
    type === "prepared" ||
    type === "initialized" ||
    type === "applied" ||
    type === "stopped"
    ? { type }
    : null;
}
