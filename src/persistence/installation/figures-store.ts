/** Figures about everything in the database, for those who watch over an installation. */
import { sql } from "kysely";
import { RUNTIME_HEALTHS, type RuntimeHealth } from "../../model/health/runtime-health.ts";
import { RUN_STATUSES, type RunStatus } from "../../model/lifecycle/run-status.ts";
import { word } from "../database/closed-set.ts";
import type { Database } from "../database/database.ts";

export interface Figures {
  /** How many runs there are in each status that has any, and how long the longest of them has been in it. */
  runs: { status: RunStatus; count: number; oldestSeconds: number }[];
  /** Jobs under a lease. */
  liveJobs: number;
  workspaces: number;
  /** Workspaces whose health is watched, by their health. */
  health: { health: RuntimeHealth; count: number }[];
}

/** Reads figures; gives up after `limitMs`, because no other work may wait for figures. */
export function readFigures(database: Database, at: string, limitMs: number): Promise<Figures> {
  return database.transaction(async (tx) => {
    await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx.sql);
    const runs = await tx.sql
      .selectFrom("run")
      .select(({ fn }) => ["status", fn.countAll<number>().as("count")])
      .select(sql<number>`extract(epoch from ${at}::timestamptz - min(status_at))::float8`.as("oldest_seconds"))
      .groupBy("status")
      .execute();
    const jobs = await tx.sql
      .selectFrom("job")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    const workspaces = await tx.sql
      .selectFrom("workspace")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    const health = await tx.sql
      .selectFrom("workspace_health")
      .innerJoin("workspace", "workspace.id", "workspace_health.workspace_id")
      .select(({ fn }) => ["workspace_health.health", fn.countAll<number>().as("count")])
      .where("workspace.deleted_at", "is", null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("probe_target")
            .select("probe_target.id")
            .whereRef("probe_target.workspace_id", "=", "workspace_health.workspace_id"),
        ),
      )
      .groupBy("workspace_health.health")
      .execute();
    return {
      runs: runs.map(({ status, count, oldest_seconds: oldest }) => ({
        status: word(RUN_STATUSES, status),
        count,
        oldestSeconds: Math.max(0, oldest),
      })),
      liveJobs: jobs.count,
      workspaces: workspaces.count,
      health: health.map((row) => ({ health: word(RUNTIME_HEALTHS, row.health), count: row.count })),
    };
  });
}
