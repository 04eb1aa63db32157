/** Reads the runs that wait in a workspace, in order. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AdmissionConditions } from "../../model/admission/eligibility.ts";
import type { Run } from "../../model/run/run.ts";
import { CLAIMABLE_STATUSES, STATUS_OF } from "../../model/lifecycle/run-status.ts";
import type { Reader } from "../database/database.ts";
import { type Prepared, prepared, preparedBy, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

type Runs = ReturnType<typeof ofWorkspace>;

/** Speculative runs hold nothing, so that none waits for another; the others have their workspace one at a time. */
type Lane = "speculative" | "holding";

/** A waiting run with the blockers that its listeners were last notified of. */
export interface WaitingRun {
  run: Run;
  /** Empty if nothing blocks the run. */
  blockers: string;
}

/** A row of a workspace in the dispatch table, as far as the workspace determines it. */
export interface DispatchedRun {
  runId: string;
  class: number;
  priority: number;
  poolId: string | null;
  labels: string[];
}

/** The waiting runs of a workspace. Every list is in the order in which its runs go. */
export interface Line {
  /** The run that has the workspace. */
  holder: Run | null;
  /** Those that wait for a runner and have the workspace or want it. */
  waiting: WaitingRun[];
  /** The first of the queue that nothing but another run is in the way of. */
  next: Run | null;
  /** Speculative plans: the first that wait for a runner, and those of the queue that nothing is in the way of. */
  plans: WaitingRun[];
  queuedPlans: Run[];
  /** The first of the queue, blocked or not. */
  queued: WaitingRun[];
  /** Its rows in the dispatch table. */
  dispatched: DispatchedRun[];
}

/** How many runs of a line are read at most. */
export interface LineLimits {
  plans: number;
  queuedPlans: number;
  queued: number;
}

type LineRow = RunRow & {
  part: string;
  reported_blockers: string;
  dispatch_class: number | null;
  dispatch_priority: number | null;
  dispatch_pool_id: string | null;
  dispatch_labels: string[] | null;
};

const lineOf = preparedBy(
  (conditions: AdmissionConditions, limits: LineLimits) =>
    [isStopped(conditions), conditions.lock, ...Object.values(limits)].join(),
  prepareLine,
);

function prepareLine(conditions: AdmissionConditions, limits: LineLimits): Prepared<Record<string, unknown>, LineRow> {
  return prepared((db, slot: Slot<Record<string, unknown>>) => {
    const workspaceId = sql<string>`${slot("workspaceId")}::text`;
    const at = sql<string>`${slot("at")}::timestamptz`;
    const lane = (of: Lane) => inLane(db, workspaceId, of);
    const parts = [
      part("holder", ofWorkspace(db, workspaceId).where("holds_workspace", "=", sql.lit(true))),
      part("waiting", claimable(lane("holding")).limit(sql.lit(1000))),
      part("next", queued(lane("holding"), conditions, at).limit(sql.lit(1))),
      part("plan", claimable(lane("speculative")).limit(sql.lit(limits.plans))),
      part("queuedPlan", queued(lane("speculative"), conditions, at).limit(sql.lit(limits.queuedPlans))),
      part("queued", inQueue(inOrder(ofWorkspace(db, workspaceId))).limit(sql.lit(limits.queued))),
      dispatchedPart(workspaceId),
    ];
    return sql<LineRow>`${sql.join(parts, sql` union all `)}`;
  });
}

/**
 * Reads the waiting runs of a workspace in one statement: every change needs them. Statuses and kinds are literals: the
 * indexes are partial, and with a parameter Postgres plans the statement each time (a third of a claim).
 */
export async function readLine(
  reader: Reader,
  workspaceId: string,
  conditions: AdmissionConditions,
  limits: LineLimits,
): Promise<Line> {
  const rows = await lineOf(conditions, limits)(reader, { workspaceId, at: conditions.at });
  const of = (name: string) => rows.filter((row) => row.part === name);
  const [holder = null] = of("holder").map(toRun);
  const [next = null] = of("next").map(toRun);
  return {
    holder,
    next,
    waiting: of("waiting").map(toWaiting),
    plans: of("plan").map(toWaiting),
    queuedPlans: of("queuedPlan").map(toRun),
    queued: of("queued").map(toWaiting),
    dispatched: of("dispatched").map((row) => ({
      runId: row.id,
      class: row.dispatch_class ?? 0,
      priority: row.dispatch_priority ?? 0,
      poolId: row.dispatch_pool_id,
      labels: row.dispatch_labels ?? [],
    })),
  };
}

function toWaiting(row: LineRow): WaitingRun {
  return { run: toRun(row), blockers: row.reported_blockers };
}

/** The first of the queue alone. */
export async function findNext(
  reader: Reader,
  workspaceId: string,
  conditions: AdmissionConditions,
): Promise<Run | null> {
  const row = await queued(inLane(reader.sql, sql`${workspaceId}`, "holding"), conditions, sql`${conditions.at}`)
    .select(RUN_COLUMNS)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row === undefined ? null : toRun(row);
}

/** Lists the first of the queue, blocked or not. */
export async function listQueued(reader: Reader, workspaceId: string, limit: number): Promise<WaitingRun[]> {
  const rows = await inQueue(inOrder(ofWorkspace(reader.sql, sql`${workspaceId}`)))
    .select([...RUN_COLUMNS, "reported_blockers"])
    .limit(sql.lit(limit))
    .execute();
  return rows.map((row) => ({ run: toRun(row), blockers: row.reported_blockers }));
}

/** The columns of all parts are the same, and have their names from the first one. */
function part(name: string, query: Runs): RawBuilder<unknown> {
  return sql`${query.select([
    ...RUN_COLUMNS,
    "reported_blockers",
    sql.lit(name).as("part"),
    sql`null::smallint`.as("dispatch_class"),
    sql`null::integer`.as("dispatch_priority"),
    sql`null::text`.as("dispatch_pool_id"),
    sql`null::text[]`.as("dispatch_labels"),
  ])}`;
}

function dispatchedPart(workspaceId: RawBuilder<string>): RawBuilder<unknown> {
  const columns = [...RUN_COLUMNS, "reported_blockers"].map((name) => sql.ref(`run.${name}`));
  return sql`(select ${sql.join(columns)}, 'dispatched', dispatch.class, dispatch.priority, dispatch.pool_id,
      dispatch.labels
    from dispatch join run on run.id = dispatch.run_id where dispatch.workspace_id = ${workspaceId})`;
}

function claimable(lane: Runs): Runs {
  return lane.where(
    "status",
    "in",
    CLAIMABLE_STATUSES.map((status) => sql.lit(status)),
  );
}

function inQueue(runs: Runs): Runs {
  return runs.where("status", "=", sql.lit(STATUS_OF.creation));
}

/** Those that nothing but another run is in the way of, as of an instant. */
function queued(lane: Runs, conditions: AdmissionConditions, at: RawBuilder<string>): Runs {
  return inQueue(lane)
    .where("awaits_upstream", "=", sql.lit(false))
    .where("awaited_check", "is", null)
    .where((eb) => eb.or([eb("scheduled_at", "is", null), eb("scheduled_at", "<=", at)]))
    .$if(conditions.lock === "APPLY_INTERRUPTED", (q) => q.where("kind", "=", sql.lit("UNLOCK")))
    .$if(isStopped(conditions), (q) => q.where(sql<boolean>`false`));
}

/** Whether no run of the workspace can be admitted. */
function isStopped({ paused, lock }: AdmissionConditions): boolean {
  return paused || lock === "MANUAL";
}

function inLane(db: Kysely<Tables>, workspaceId: RawBuilder<string>, lane: Lane): Runs {
  const kind = lane === "speculative" ? "=" : "<>";
  return inOrder(ofWorkspace(db, workspaceId).where("kind", kind, sql.lit("PLAN")));
}

function inOrder(runs: Runs): Runs {
  return runs.orderBy("priority", "desc").orderBy("number");
}

function ofWorkspace(db: Kysely<Tables>, workspaceId: RawBuilder<string>) {
  return db.selectFrom("run").where("workspace_id", "=", workspaceId);
}
