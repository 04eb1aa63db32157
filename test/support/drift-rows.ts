/** Rows of drift, as a check leaves them. */
import type { Scene } from "../domain/scene.ts";

/** Stores drift of the plan of a run, its report, and an acknowledgement; gives the id of the report. */
export async function insertDriftRows(
  { rows, server }: Pick<Scene, "rows" | "server">,
  { workspaceId, runId, actorId }: { workspaceId: string; runId: string; actorId: string },
): Promise<string> {
  const id = server.deps.newId("driftReport");
  await rows(
    `insert into resource_drift (plan_id, position, address, type, action, paths, relevant, before, after, sensitive_paths, bytes)
      select id, 1, 'a.b', 'a', 'UPDATE', '{size}', true, '{"size": 1}', '{"size": 2}', '{}', 20
      from plan where run_id in (select id from run where workspace_id = $1) on conflict do nothing`,
    workspaceId,
  );
  await rows(
    `insert into drift_report (id, run_id, workspace_id, result, resource_count, output_count, ignored_count, fingerprint,
        outputs, created_at, reconcile_due, changeset_id)
      select $1, run.id, $3, 'DRIFTED', 1, 1, 1, 'f', '{o}', now(), false, run.changeset_id from run where run.id = $2`,
    id,
    runId,
    workspaceId,
  );
  await rows(
    `insert into drifted_resource (report_id, position, address, type, change, planned_action, paths)
      values ($1, 1, 'a.b', 'a', 'UPDATE', 'UPDATE', '{size}')`,
    id,
  );
  await rows(
    `insert into drift_acknowledgement (workspace_id, fingerprint, until, note, actor_id, at)
      values ($1, 'f', '2100-01-01', 'known', $2, now())`,
    workspaceId,
    actorId,
  );
  return id;
}
