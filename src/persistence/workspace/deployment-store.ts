import { sql } from "kysely";
import { RUNTIME_HEALTHS } from "../../model/health/runtime-health.ts";
import { RUN_KINDS, RUN_OUTCOMES } from "../../model/lifecycle/run-kind.ts";
import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { DeploymentInput, EndedDeployment } from "../../model/workspace/workspace.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { IS_DEPLOYING, LAST_DEPLOYMENT, WAS_APPLIED } from "./deployment-sql.ts";

interface FactsRow {
  id: string;
  paused: boolean;
  health: string | null;
  kind: string | null;
  status: string | null;
  outcome: string | null;
  applied_at: string | null;
  deploying: boolean;
  applied: boolean;
}

/** Reads the facts from which the deployment status of each workspace is derived. */
export async function findDeploymentInputs(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(DeploymentInput | null)[]> {
  const { rows } = await sql<FactsRow>`
    select workspace.id, workspace.paused, health.health, last.kind, last.status, last.outcome, last.applied_at,
      ${IS_DEPLOYING} as deploying, ${WAS_APPLIED} as applied
    from workspace left join lateral (${LAST_DEPLOYMENT}) last on true
      left join workspace_health health on health.workspace_id = workspace.id
    where workspace.id = any(${workspaceIds}::text[])
  `.execute(reader.sql);
  const facts = inOrder(workspaceIds, rows, (row) => row.id);
  return facts.map((row) =>
    row === null
      ? null
      : {
          paused: row.paused,
          deploying: row.deploying,
          applied: row.applied,
          health: wordOrNull(RUNTIME_HEALTHS, row.health) ?? "UNKNOWN",
          last: toEnded(row),
        },
  );
}

/** A workspace without such a run has a row of nulls. */
function toEnded(row: FactsRow): EndedDeployment | null {
  if (row.kind === null || row.status === null) return null;
  return {
    kind: word(RUN_KINDS, row.kind),
    status: word(RUN_STATUSES, row.status),
    outcome: wordOrNull(RUN_OUTCOMES, row.outcome),
    applied: row.applied_at !== null,
  };
}
