/** Reads the events of one run for listeners, with the version of rights at the instant of each read. */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import { RUN_STATUSES, type RunStatus } from "../../model/lifecycle/run-status.ts";
import type { RunEvent } from "../../model/run/run-event.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { prepared, type Slot, unseen } from "../database/prepared.ts";
import { ACCESS_VERSION } from "../people/access-store.ts";
import { toRunEvent } from "./run-event-store.ts";

export interface RunEventPage {
  /** Oldest first. */
  items: RunEvent[];
  /** 0 without events. */
  accessVersion: number;
}

const eventsAfter = prepared((db, slot: Slot<{ runId: string; after: number }>) =>
  db
    .selectFrom("run_event")
    .selectAll()
    .select(ACCESS_VERSION[0])
    .where("run_id", "=", slot("runId"))
    .where("version", ">", unseen(slot("after"), "int"))
    .orderBy("version")
    .limit(sql.lit(LIMITS.streamPageEvents)),
);

/** Reads the events of a run behind a version, as many as one reader may hold. */
export async function readRunEventsAfter(reader: Reader, runId: string, after: number): Promise<RunEventPage> {
  const rows = await eventsAfter(reader, { runId, after });
  return { items: rows.map(toRunEvent), accessVersion: rows[0]?.access_version ?? 0 };
}

/** How far a run is, and the version of rights. */
export interface RunProgress {
  status: RunStatus;
  version: number;
  accessVersion: number;
}

const progressOf = prepared((db, slot: Slot<{ runId: string }>) =>
  db
    .selectFrom("run")
    .select(["status", "version", ACCESS_VERSION[0]])
    .where("id", "=", slot("runId"))
    .where(inKeptWorkspace("run.workspace_id")),
);

/** Finds how far a run is; `null` if there is no such run, or its workspace was deleted. */
export async function findRunProgress(reader: Reader, runId: string): Promise<RunProgress | null> {
  const [row] = await progressOf(reader, { runId });
  if (row === undefined) return null;
  return { status: word(RUN_STATUSES, row.status), version: row.version, accessVersion: row.access_version };
}
