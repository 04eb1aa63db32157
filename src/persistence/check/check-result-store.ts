/** Results of external checks. */
import { type Selectable, sql } from "kysely";
import {
  CHECK_STAGES,
  CHECK_STATUSES,
  type CheckOutcome,
  type CheckStage,
  type ExternalCheckResult,
} from "../../model/check/external-check.ts";
import { RUN_KINDS, type RunKind } from "../../model/lifecycle/run-kind.ts";
import type { Placed } from "../../model/people/place.ts";
import { ENFORCEMENT_LEVELS, POLICY_ERROR_MODES } from "../../model/policy/policy-set.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Tables } from "../database/tables.ts";

/** All but the outcomes, which may be large. */
const COLUMNS = [
  "id",
  "check_id",
  "run_id",
  "stage",
  "plan_version",
  "level",
  "on_error",
  "estimates_cost",
  "progress_seconds",
  "total_seconds",
  "status",
  "message",
  "url",
  "round",
  "attempts",
  "attempt_error",
  "created_at",
  "began_at",
  "accepted_at",
  "progressed_at",
  "finished_at",
  "due_at",
] as const;
type Row = Pick<Selectable<Tables["external_check_result"]>, (typeof COLUMNS)[number]>;
const QUALIFIED = COLUMNS.map((column) => `external_check_result.${column}` as const);

function toResult(row: Row): ExternalCheckResult {
  return {
    id: row.id,
    checkId: row.check_id,
    runId: row.run_id,
    stage: word(CHECK_STAGES, row.stage),
    planVersion: row.plan_version,
    level: word(ENFORCEMENT_LEVELS, row.level),
    onError: word(POLICY_ERROR_MODES, row.on_error),
    estimatesCost: row.estimates_cost,
    progressSeconds: row.progress_seconds,
    totalSeconds: row.total_seconds,
    status: word(CHECK_STATUSES, row.status),
    message: row.message,
    url: row.url,
    round: row.round,
    attempts: row.attempts,
    attemptError: row.attempt_error,
    createdAt: row.created_at,
    beganAt: row.began_at,
    acceptedAt: row.accepted_at,
    progressedAt: row.progressed_at,
    finishedAt: row.finished_at,
    dueAt: row.due_at,
  };
}

/** Inserts results that are due at once. Those that exist already are left as they are. */
export async function insertResults(
  tx: Transaction,
  results: readonly Pick<
    ExternalCheckResult,
    | "id"
    | "checkId"
    | "runId"
    | "stage"
    | "planVersion"
    | "level"
    | "onError"
    | "estimatesCost"
    | "progressSeconds"
    | "totalSeconds"
    | "createdAt"
  >[],
): Promise<void> {
  await tx.sql
    .insertInto("external_check_result")
    .values(
      results.map((result) => ({
        id: result.id,
        check_id: result.checkId,
        run_id: result.runId,
        stage: result.stage,
        plan_version: result.planVersion,
        level: result.level,
        on_error: result.onError,
        estimates_cost: result.estimatesCost,
        progress_seconds: result.progressSeconds,
        total_seconds: result.totalSeconds,
        status: "PENDING",
        created_at: result.createdAt,
        began_at: result.createdAt,
        due_at: result.createdAt,
      })),
    )
    .onConflict((conflict) => conflict.columns(["run_id", "stage", "plan_version", "check_id"]).doNothing())
    .execute();
  tx.announce("checks");
}

/** Finds the run of a result; `null` if there is no such result. */
export async function findRunOfResult(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("external_check_result")
    .select("run_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.run_id ?? null;
}

/** Locks a result; `null` if there is none. The row of its run must be locked before, where both are needed. */
export async function lockResult(tx: Transaction, id: string): Promise<ExternalCheckResult | null> {
  const row = await tx.sql
    .selectFrom("external_check_result")
    .select(COLUMNS)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toResult(row);
}

/** Writes the progress of a result, whose row must be locked, and ends the lease of a request. */
export async function updateResult(
  tx: Transaction,
  result: ExternalCheckResult,
  outcomes?: readonly CheckOutcome[],
): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({
      status: result.status,
      message: result.message,
      url: result.url,
      round: result.round,
      attempts: result.attempts,
      attempt_error: result.attemptError,
      began_at: result.beganAt,
      accepted_at: result.acceptedAt,
      progressed_at: result.progressedAt,
      finished_at: result.finishedAt,
      due_at: result.dueAt,
      lease_id: null,
      lease_until: null,
      ...(outcomes !== undefined && { outcomes: JSON.stringify(outcomes) }),
    })
    .where("id", "=", result.id)
    .execute();
  if (result.dueAt !== null) tx.announce("checks");
}

/** Results of runs in kept workspaces, with their place. */
export async function findResults(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<ExternalCheckResult> | null)[]> {
  const rows = await reader.sql
    .selectFrom("external_check_result")
    .innerJoin("run", "run.id", "external_check_result.run_id")
    .innerJoin("workspace", "workspace.id", "run.workspace_id")
    .select([...QUALIFIED, ...PLACE_OF_RUN])
    .where("external_check_result.id", "in", ids)
    .where("workspace.deleted_at", "is", null)
    .execute();
  return placedInOrder(ids, rows, toResult);
}

/** Lists the results of each run, oldest first. */
export async function listResultsOfRuns(reader: Reader, runIds: readonly string[]): Promise<ExternalCheckResult[][]> {
  const rows = await reader.sql
    .selectFrom("external_check_result")
    .select(COLUMNS)
    .where("run_id", "in", runIds)
    .orderBy("id")
    .execute();
  return grouped(runIds, rows.map(toResult), ({ runId }) => runId);
}

/** A result with what its verdict depends on. */
export type DecidingResult = ExternalCheckResult & { checkName: string; runKind: RunKind };

/** Lists the results of stages of a run that decide about its newest plan, oldest first; not those that were canceled. */
export async function listDecidingResults(
  reader: Reader,
  { id, planVersion }: { id: string; planVersion: number },
  stages: readonly CheckStage[],
): Promise<DecidingResult[]> {
  const rows = await reader.sql
    .selectFrom("external_check_result")
    .innerJoin("external_check", "external_check.id", "external_check_result.check_id")
    .innerJoin("run", "run.id", "external_check_result.run_id")
    .select([...QUALIFIED, "external_check.name as check_name", "run.kind as run_kind"])
    .where("run_id", "=", id)
    .where("stage", "in", stages)
    .where("external_check_result.status", "<>", "CANCELED")
    .where((eb) => eb.or([eb("stage", "=", "PRE_PLAN"), eb("external_check_result.plan_version", "=", planVersion)]))
    .orderBy("external_check_result.id")
    .execute();
  return rows.map((row) => ({ ...toResult(row), checkName: row.check_name, runKind: word(RUN_KINDS, row.run_kind) }));
}

/** Cancels what is open of a run that has left a stage. Results after its apply stay. The row of the run must be locked. */
export async function cancelOpenResults(tx: Transaction, runId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({ status: "CANCELED", finished_at: at, due_at: null, lease_id: null, lease_until: null })
    .where("run_id", "=", runId)
    .where("stage", "<>", "POST_APPLY")
    .where("finished_at", "is", null)
    .execute();
}

/** Reads the outcomes of results, which are empty without any. */
export async function findOutcomes(reader: Reader, ids: readonly string[]): Promise<CheckOutcome[][]> {
  const rows = await reader.sql
    .selectFrom("external_check_result")
    .select(["id", "outcomes"])
    .where("id", "in", ids)
    .execute();
  return inOrder(ids, rows, ({ id }) => id).map((row) => row?.outcomes ?? []);
}

/** Removes the outcomes of results of runs that ended before an instant. Status and message stay. */
export async function clearOutcomes(tx: Transaction, runIds: readonly string[], before: string): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({ outcomes: "[]" })
    .where("run_id", "in", runIds)
    .where("finished_at", "<", before)
    .where(sql<boolean>`outcomes <> '[]'`)
    .execute();
}

/** Makes what no service has accepted yet of a check due at once. */
export async function hastenRequests(tx: Transaction, checkId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({ due_at: at })
    .where("check_id", "=", checkId)
    .where("status", "=", "PENDING")
    .execute();
  tx.announce("checks");
}

/** Makes what is open of a check due at once. */
export async function hastenResults(tx: Transaction, checkId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({ due_at: at })
    .where("check_id", "=", checkId)
    .where("finished_at", "is", null)
    .execute();
  tx.announce("checks");
}

interface Lease {
  /** The server. */
  by: string;
  at: string;
  /** Until when the results belong to it. */
  until: string;
}

/** Takes results that are due and belong to no other server. */
export async function leaseResults(statement: Statement, { by, at, until }: Lease, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update external_check_result set lease_id = ${by}, lease_until = ${until}
    where id in (
      select id from external_check_result
      where due_at <= ${at} and (lease_until is null or lease_until <= ${at})
      order by due_at limit ${atMost} for update skip locked
    )
    returning id`.execute(statement.sql);
  return rows.map(({ id }) => id);
}

/** Gives back the results that a server has: others may take them at once. */
export async function releaseResults(statement: Statement, by: string): Promise<void> {
  await statement.sql
    .updateTable("external_check_result")
    .set({ lease_id: null, lease_until: null })
    .where("lease_id", "=", by)
    .execute();
}

/** When the next result is due; `null` if none is. A result that a server has at `at` is not counted. */
export async function findNextDue(reader: Reader, at: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("external_check_result")
    .select("due_at")
    .where("due_at", "is not", null)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", at)]))
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

/** Finds when the last result about the newest plan of a run has ended, or ends at the latest; `null` without results. */
export async function findLastLimit(
  reader: Reader,
  { id, planVersion }: { id: string; planVersion: number },
): Promise<string | null> {
  const { rows } = await sql<{ last_limit: string | null }>`
    select max(coalesce(finished_at, began_at + total_seconds * interval '1 second')) as last_limit
    from external_check_result
    where run_id = ${id} and plan_version = ${planVersion} and stage <> 'POST_APPLY'
      and status <> 'CANCELED'`.execute(reader.sql);
  return rows[0]?.last_limit ?? null;
}
