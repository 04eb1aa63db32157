import { sql } from "kysely";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** The run that brought about the present configuration of a workspace, with its source. */
export interface AppliedSource {
  runId: string;
  /** `null` if it has not ended, or did not succeed. */
  outcome: string | null;
  /** Whether it was limited to targets. */
  isTargeted: boolean;
  /** `null` if it has none. */
  blobId: string | null;
  /** The folder of the source in which the engine runs. */
  workFolder: string;
  /** The digest of what is read; `null` if the source is no repository. */
  inputsDigest: string | null;
  /** The address of the page of its commit; `null` if there is none. */
  commitUrl: string | null;
  revision: string | null;
  /** Whether another run of the workspace is live that may change something. */
  isBusy: boolean;
}

/**
 * Finds the run that applied the configuration of each workspace last: that of the newest state that a run wrote which was
 * no refresh, or a later one that found nothing to change in all of it. `null` if there is none.
 */
export async function findAppliedSources(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(AppliedSource | null)[]> {
  if (workspaceIds.length === 0) return [];
  const { rows } = await sql<AppliedSource & { workspaceId: string }>`
    select asked.id as "workspaceId", applied.id as "runId", applied.outcome, applied.revision,
      coalesce(applied.source_blob_id, planned.source_blob_id) as "blobId",
      case when applied.source_blob_id is null then coalesce(planned.work_folder, '.') else applied.work_folder end as "workFolder",
      case when applied.source_blob_id is null then planned.inputs_digest else applied.inputs_digest end as "inputsDigest",
      case when applied.source_blob_id is null then planned.commit_url else applied.commit_url end as "commitUrl",
      (applied.targets <> '{}' or coalesce(planned.targets, '{}') <> '{}' or coalesce(plan.targets, '{}') <> '{}') as "isTargeted",
      exists (
        select from run live where live.workspace_id = asked.id and live.finished_at is null and live.kind <> 'PLAN'
      ) as "isBusy"
    from unnest(${workspaceIds}::text[]) as asked (id)
    cross join lateral (
      select run.id, version.serial from state_version version join run on run.id = version.run_id
      where version.workspace_id = asked.id and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and not run.refresh_only
      order by version.serial desc limit 1
    ) written
    left join lateral (
      select run.id from run join plan on plan.run_id = run.id and plan.version = run.plan_version
      where run.workspace_id = asked.id and run.kind = 'DEPLOY' and not run.refresh_only
        and run.outcome = 'NO_CHANGES' and run.targets = '{}' and plan.targets = '{}' and plan.state_serial >= written.serial
      order by run.finished_at desc, run.number desc limit 1
    ) unchanged on true
    join run applied on applied.id = coalesce(unchanged.id, written.id)
    left join run planned on planned.id = applied.plan_run_id
    left join plan on plan.run_id = coalesce(applied.plan_run_id, applied.id) and plan.version = applied.plan_version
  `.execute(reader.sql);
  const sources = inOrder(workspaceIds, rows, ({ workspaceId }) => workspaceId);
  return sources.map((row) => {
    if (row === null) return null;
    const { workspaceId: _, ...source } = row;
    return source;
  });
}
