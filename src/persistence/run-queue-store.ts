/** Runs that wait in a workspace, in order. */
import { sql } from "kysely";
import type { Surroundings } from "../model/eligibility.ts";
import type { Run } from "../model/run.ts";
import { CLAIMABLE_STATUSES } from "../model/run-status.ts";
import type { Reader } from "./database.ts";
import { RUN_COLUMNS, toRun } from "./run-store.ts";

/** Speculative runs hold nothing, so that none waits for another; the others have their workspace one at a time. */
export type Lane = "speculative" | "holding";

/** QUEUED runs of a workspace that nothing but another run is in the way of, in the order in which they are admitted. */
export async function listQueued(
  reader: Reader,
  workspaceId: string,
  lane: Lane,
  around: Surroundings,
  limit = 1000,
): Promise<Run[]> {
  if (around.paused) return [];
  const rows = await inLane(reader, workspaceId, lane)
    .where("status", "=", "QUEUED")
    .where((eb) => eb.or([eb("scheduled_at", "is", null), eb("scheduled_at", "<=", around.at)]))
    .$if(around.lock === "APPLY_INTERRUPTED", (q) => q.where("kind", "=", "UNLOCK"))
    .$if(around.lock === "MANUAL", (q) => q.where(sql<boolean>`false`))
    .limit(limit)
    .execute();
  return rows.map(toRun);
}

/** Runs of a workspace that wait for a runner, in the order in which they are claimed. */
export async function listWaiting(reader: Reader, workspaceId: string, lane: Lane, limit = 1000): Promise<Run[]> {
  const rows = await inLane(reader, workspaceId, lane).where("status", "in", CLAIMABLE_STATUSES).limit(limit).execute();
  return rows.map(toRun);
}

function inLane(reader: Reader, workspaceId: string, lane: Lane) {
  return reader.sql
    .selectFrom("run")
    .select(RUN_COLUMNS)
    .where("workspace_id", "=", workspaceId)
    .where("kind", lane === "speculative" ? "=" : "<>", "PLAN")
    .orderBy("priority", "desc")
    .orderBy("number");
}
