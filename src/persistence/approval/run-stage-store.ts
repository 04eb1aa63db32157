/** The stages that were decided for plans of runs. */
import type { Selectable } from "kysely";
import { GATES } from "../../model/approval/approval.ts";
import { type RunStage, STAGE_SOURCES } from "../../model/approval/run-stage.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

function toStage(row: Selectable<Tables["run_stage"]>): RunStage {
  return {
    name: row.name,
    gate: word(GATES, row.gate),
    minimum: row.minimum,
    approverIds: row.approver_ids,
    teamIds: row.team_ids,
    excludeRequester: row.exclude_requester,
    distinctFromPlanApprover: row.distinct_from_plan_approver,
    commentRequired: row.comment_required,
    machinesCount: row.machines_count,
    requirePresence: row.require_presence,
    origin: { source: word(STAGE_SOURCES, row.source), reason: row.reason, ownerId: row.owner_id },
  };
}

/** Adds stages of a plan behind the first `after` ones. */
export async function insertRunStages(
  tx: Transaction,
  { runId, planVersion, after }: { runId: string; planVersion: number; after: number },
  stages: readonly RunStage[],
): Promise<void> {
  if (stages.length === 0) return;
  const rows = stages.map(({ origin, ...stage }, index) => ({
    run_id: runId,
    plan_version: planVersion,
    position: after + index + 1,
    gate: stage.gate,
    source: origin.source,
    reason: origin.reason,
    owner_id: origin.ownerId,
    name: stage.name,
    minimum: stage.minimum,
    approver_ids: stage.approverIds,
    team_ids: stage.teamIds,
    exclude_requester: stage.excludeRequester,
    distinct_from_plan_approver: stage.distinctFromPlanApprover,
    comment_required: stage.commentRequired,
    machines_count: stage.machinesCount,
    require_presence: stage.requirePresence,
  }));
  await tx.sql.insertInto("run_stage").values(rows).execute();
}

const stagesOfRuns = prepared((db, slot: Slot<{ runIds: readonly string[] }>) =>
  db
    .selectFrom("run_stage")
    .innerJoin("run", (join) =>
      join.onRef("run.id", "=", "run_stage.run_id").onRef("run.plan_version", "=", "run_stage.plan_version"),
    )
    .selectAll("run_stage")
    .where("run_stage.run_id", "=", isAnyOf(slot("runIds")))
    .orderBy("run_stage.run_id")
    .orderBy("run_stage.position"),
);

/** Returns the stages of the current plan of each run, in order. */
export async function listRunStages(reader: Reader, runIds: readonly string[]): Promise<RunStage[][]> {
  const rows = await stagesOfRuns(reader, { runIds });
  const found = rows.map((row) => ({ runId: row.run_id, stage: toStage(row) }));
  return grouped(runIds, found, ({ runId }) => runId).map((each) => each.map(({ stage }) => stage));
}
