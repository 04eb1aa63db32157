/** Runs that wait in a workspace, in order. */
import { sql } from "kysely";
import type { AdmissionConditions } from "../../model/admission/eligibility.ts";
import type { Run } from "../../model/run/run.ts";
import { CLAIMABLE_STATUSES, STATUS_OF } from "../../model/lifecycle/run-status.ts";
import type { Reader } from "../database/database.ts";
import { RUN_COLUMNS, toRun } from "./run-row.ts";

/** Speculative runs hold nothing, so that none waits for another; the others have their workspace one at a time. */
type Lane = "speculative" | "holding";

/** Who comes first in a workspace. */
export interface Line {
  /** The run that has the workspace. */
  holder: Run | null;
  /** Those that wait for a runner and have the workspace or want it, in the order in which they are claimed. */
  waiting: Run[];
  /** The first of the queue that nothing but another run is in the way of. */
  next: Run | null;
  /** Speculative plans: the first that waits for a runner, and those of the queue that nothing is in the way of. */
  plan: Run | null;
  queuedPlans: Run[];
}

/**
 * In one statement: it is asked with every change. Statuses and kinds stand in its text: the indexes are those of one
 * status, and with a parameter in its place Postgres plans the statement anew each time (a third of what a claim cost).
 * `plans`: so many of the queue.
 */
export async function readLine(
  reader: Reader,
  workspaceId: string,
  around: AdmissionConditions,
  plans: number,
): Promise<Line> {
  const lane = (of: Lane) => inLane(reader, workspaceId, of);
  const holder = ofWorkspace(reader, workspaceId).where("holds_workspace", "=", sql.lit(true));
  const parts = [
    sql`${holder.select(sql.lit("holder").as("part"))}`,
    part("waiting", claimable(lane("holding")).limit(sql.lit(1000))),
    part("next", queued(lane("holding"), around).limit(sql.lit(1))),
    part("plan", claimable(lane("speculative")).limit(sql.lit(1))),
    part("queuedPlan", queued(lane("speculative"), around).limit(sql.lit(plans))),
  ];
  type Row = Awaited<ReturnType<typeof holder.executeTakeFirstOrThrow>> & { part: string };
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(reader.sql);
  const of = (name: string) => rows.filter((row) => row.part === name).map(toRun);
  const first = (name: string) => of(name)[0] ?? null;
  return {
    holder: first("holder"),
    waiting: of("waiting"),
    next: first("next"),
    plan: first("plan"),
    queuedPlans: of("queuedPlan"),
  };
}

/** The first of the queue alone. */
export async function findNext(reader: Reader, workspaceId: string, around: AdmissionConditions): Promise<Run | null> {
  const row = await queued(inLane(reader, workspaceId, "holding"), around)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row === undefined ? null : toRun(row);
}

function part(name: string, query: ReturnType<typeof inLane>) {
  return sql`${query.select(sql.lit(name).as("part"))}`;
}

function claimable(lane: ReturnType<typeof inLane>) {
  return lane.where(
    "status",
    "in",
    CLAIMABLE_STATUSES.map((status) => sql.lit(status)),
  );
}

/** Those that nothing but another run is in the way of. */
function queued(lane: ReturnType<typeof inLane>, { at, paused, lock }: AdmissionConditions) {
  return lane
    .where("status", "=", sql.lit(STATUS_OF.creation))
    .where((eb) => eb.or([eb("scheduled_at", "is", null), eb("scheduled_at", "<=", at)]))
    .$if(lock === "APPLY_INTERRUPTED", (q) => q.where("kind", "=", sql.lit("UNLOCK")))
    .$if(paused || lock === "MANUAL", (q) => q.where(sql<boolean>`false`));
}

function inLane(reader: Reader, workspaceId: string, lane: Lane) {
  return ofWorkspace(reader, workspaceId)
    .where("kind", lane === "speculative" ? "=" : "<>", sql.lit("PLAN"))
    .orderBy("priority", "desc")
    .orderBy("number");
}

function ofWorkspace(reader: Reader, workspaceId: string) {
  return reader.sql.selectFrom("run").select(RUN_COLUMNS).where("workspace_id", "=", workspaceId);
}
