import { LIMITS } from "../../model/kit/limits.ts";
import { separatesGatesOf, stagesAt } from "../../model/approval/run-stage.ts";
import { metDemands } from "../../model/policy/met-demands.ts";
import type { Finding } from "../../model/policy/verdict.ts";
import { requestersOf } from "../../model/run/run.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import { listRunStages } from "../../persistence/approval/run-stage-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listDecidingResults } from "../../persistence/policy/result-store.ts";
import type { LockedRun } from "./machine-input.ts";

/**
 * Returns the ids of the demands for approvals that people met in the PLAN run of an APPLY. Other runs, and those of which
 * nothing is demanded, cost no statement.
 */
export async function readMetDemands(
  reader: Reader,
  { run, rules }: Pick<LockedRun, "run" | "rules">,
  found: readonly Finding[],
): Promise<Set<string>> {
  const { planRunId, planVersion } = run;
  const demands = found.filter(({ approvers }) => approvers !== null);
  if (planRunId === null || demands.length === 0) return new Set();
  const [stages = []] = await listRunStages(reader, [planRunId]);
  const [approvals = []] = await listApprovals(reader, [planRunId]);
  const earlier = await listDecidingResults(reader, { id: planRunId, planVersion }, ["PLAN"], LIMITS.findingsRead);
  const gate = {
    rules: stagesAt({ run: { kind: "PLAN" }, rules, stages }, "PLAN"),
    // A PLAN run has no other gate.
    approvals: approvals.filter(
      (approval) => approval.decision === "APPROVED" && approval.counts && approval.planVersion === planVersion,
    ),
    demands: earlier.map((result) => ({ ...result, judgeId: result.versionId, ownerId: result.setId })),
  };
  const gatesSeparated = separatesGatesOf({ run, rules, stages: [] });
  return metDemands(demands, gate, { requesterIds: requestersOf(run), gatesSeparated });
}
