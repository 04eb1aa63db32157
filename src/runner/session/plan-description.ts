import type { Job } from "../../ingestion/wire.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { describeAddedArguments } from "../engine/engine-arguments.ts";
import { type PlanJson, parsePlanJson } from "../plan/plan-json.ts";
import type { PlanTree } from "../plan/plan-tree.ts";
import { failureReport, LegFailure, type ReportContext } from "./failure-report.ts";

/**
 * Parses the engine's description of a plan as JSON: the parts that the runner reads, and the whole.
 *
 * @throws LegFailure if the output has another form
 */
export function readShownPlan(
  context: ReportContext & { job: Pick<Job, "leg" | "variables"> },
  text: string,
): { plan: PlanJson; whole: PlanTree } {
  try {
    return parsePlanJson(text);
  } catch (error) {
    const { leg, variables } = context.job;
    const summary = "The engine did not describe the plan in a form that the runner reads.";
    const reason = error instanceof Error ? error.message : String(error);
    const place = isApplyLeg(leg)
      ? ({ code: "HANDOVER_FAILED", stage: "SETUP" } as const)
      : ({ code: "PLAN_FAILED", stage: "PLAN" } as const);
    const likelyCause = describeAddedArguments(variables);
    throw new LegFailure(failureReport(context, { ...place, summary, text: `${summary} ${reason}`, likelyCause }));
  }
}
