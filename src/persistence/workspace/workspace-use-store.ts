import { RUN_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { WorkspaceUse } from "../../model/workspace/workspace-use.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** How each workspace is in use now; `null` if there is no such workspace, or it was deleted. */
export async function findWorkspaceUses(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(WorkspaceUse | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("run")
          .select(["run.id", "run.number", "run.status"])
          .whereRef("run.workspace_id", "=", "workspace.id")
          .where("run.finished_at", "is", null)
          .orderBy("run.id", "desc")
          .limit(1)
          .as("live"),
      (join) => join.onTrue(),
    )
    .leftJoin("state_lock as lock", "lock.workspace_id", "workspace.id")
    .leftJoin("job", "job.id", "lock.job_id")
    .leftJoin("run as locking", "locking.id", "lock.run_id")
    .leftJoin("actor as locker", "locker.id", "workspace.lock_actor_id")
    .leftJoin("run as interrupted", "interrupted.id", "workspace.lock_run_id")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("state_version as newest")
          .select((of) => [
            "newest.id",
            "newest.resource_count",
            of
              .exists(
                of
                  .selectFrom("state_version as older")
                  .select("older.id")
                  .whereRef("older.workspace_id", "=", "newest.workspace_id")
                  .whereRef("older.serial", "<", "newest.serial"),
              )
              .as("has_older"),
          ])
          .whereRef("newest.workspace_id", "=", "workspace.id")
          .orderBy("newest.serial", "desc")
          .limit(1)
          .as("state"),
      (join) => join.onTrue(),
    )
    .select([
      "workspace.id",
      "locker.name as locker_name",
      "interrupted.number as interrupted_number",
      "live.id as live_id",
      "live.number as live_number",
      "live.status as live_status",
      "lock.lock_id",
      "lock.info as lock_info",
      "lock.run_id as lock_run_id",
      "locking.number as lock_run_number",
      "lock.actor_id as lock_actor_id",
      "job.id as job_id",
      "job.ended_at as job_ended_at",
      "state.id as state_id",
      "state.resource_count",
      "state.has_older",
    ])
    .where("workspace.id", "in", workspaceIds)
    .where("workspace.deleted_at", "is", null)
    .execute();
  const uses = rows.map((row) => ({
    workspaceId: row.id,
    locker: { actorName: row.locker_name, runNumber: row.interrupted_number },
    liveRun:
      row.live_id === null || row.live_number === null || row.live_status === null
        ? null
        : { id: row.live_id, number: row.live_number, status: word(RUN_STATUSES, row.live_status) },
    stateLock:
      row.lock_id === null
        ? null
        : {
            id: row.lock_id,
            who: row.lock_info?.["Who"] ?? "unknown",
            runId: row.lock_run_id,
            runNumber: row.lock_run_number,
            actorId: row.lock_actor_id,
            inUse: row.job_id !== null && row.job_ended_at === null,
          },
    state: row.state_id === null ? null : { resourceCount: row.resource_count, hasOlder: row.has_older === true },
  }));
  return inOrder(workspaceIds, uses, ({ workspaceId }) => workspaceId).map(
    (found) =>
      found && { locker: found.locker, liveRun: found.liveRun, stateLock: found.stateLock, state: found.state },
  );
}

/** How one workspace is in use; its row must be locked. */
export async function getWorkspaceUse(reader: Reader, workspaceId: string): Promise<WorkspaceUse> {
  const [use = null] = await findWorkspaceUses(reader, [workspaceId]);
  if (use === null) throw new Error(`There is no workspace ${workspaceId}.`);
  return use;
}
