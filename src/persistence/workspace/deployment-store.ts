import { RUNTIME_HEALTHS } from "../../model/health/runtime-health.ts";
import { RUN_KINDS, RUN_OUTCOMES } from "../../model/lifecycle/run-kind.ts";
import { FAILED_STATUSES, GATE_STATUSES, LIVE_STATUSES, RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { DeploymentInput, EndedDeployment } from "../../model/workspace/workspace.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

const DEPLOYING_KINDS = ["DEPLOY", "DESTROY", "APPLY"] as const;
const AT_WORK = LIVE_STATUSES.filter((status) => !GATE_STATUSES.includes(status));

/** Reads the facts from which the deployment status of each workspace is derived. */
export async function findDeploymentInputs(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(DeploymentInput | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("run")
          .select(["run.kind", "run.status", "run.outcome", "run.applied_at"])
          .whereRef("run.workspace_id", "=", "workspace.id")
          .where("run.kind", "in", DEPLOYING_KINDS)
          .where("run.finished_at", "is not", null)
          .where((or) => or.or([or("run.applying_at", "is not", null), or("run.status", "in", FAILED_STATUSES)]))
          .orderBy("run.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .leftJoin("workspace_health", "workspace_health.workspace_id", "workspace.id")
    .select((eb) => [
      "workspace.id",
      "workspace.paused",
      "workspace_health.health",
      "last.kind",
      "last.status",
      "last.outcome",
      "last.applied_at",
      eb
        .exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace.id")
            .where("run.finished_at", "is", null)
            .where("run.kind", "in", DEPLOYING_KINDS)
            .where("run.status", "in", AT_WORK),
        )
        .as("deploying"),
      eb
        .exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace.id")
            .where("run.applied_at", "is not", null),
        )
        .as("applied"),
    ])
    .where("workspace.id", "in", workspaceIds)
    .execute();
  const facts = inOrder(workspaceIds, rows, (row) => row.id);
  return facts.map((row) =>
    row === null
      ? null
      : {
          paused: row.paused,
          deploying: Boolean(row.deploying),
          applied: Boolean(row.applied),
          health: wordOrNull(RUNTIME_HEALTHS, row.health) ?? "UNKNOWN",
          last: toEnded(row),
        },
  );
}

/** A workspace without such a run has a row of nulls. */
function toEnded(row: {
  kind: string | null;
  status: string | null;
  outcome: string | null;
  applied_at: string | null;
}): EndedDeployment | null {
  if (row.kind === null || row.status === null) return null;
  return {
    kind: word(RUN_KINDS, row.kind),
    status: word(RUN_STATUSES, row.status),
    outcome: wordOrNull(RUN_OUTCOMES, row.outcome),
    applied: row.applied_at !== null,
  };
}
