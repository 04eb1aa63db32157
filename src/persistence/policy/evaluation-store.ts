/** Evaluations: one version of a policy set at one point of a run, judged by the server that has its lease. */
import { type Selectable, sql } from "kysely";
import type { EvaluationPoint, EvaluationStatus, PolicyEvaluation } from "../../model/policy/policy-evaluation.ts";
import { EVALUATION_POINTS, EVALUATION_STATUSES } from "../../model/policy/policy-evaluation.ts";
import type { Placed } from "../../model/people/place.ts";
import { STATUS_OF } from "../../model/lifecycle/run-status.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Tables } from "../database/tables.ts";

const COLUMNS = [
  "id",
  "run_id",
  "point",
  "plan_version",
  "version_id",
  "shadow",
  "status",
  "passed",
  "dropped",
  "error",
  "cpu_ms",
  "created_at",
  "finished_at",
] as const;
type Row = Pick<Selectable<Tables["policy_evaluation"]>, (typeof COLUMNS)[number]>;
/** The columns of an evaluation, for statements that read more tables. */
export const QUALIFIED = COLUMNS.map((column) => `policy_evaluation.${column}` as const);

/** Converts a row to the evaluation that it stores. */
export function toEvaluation(row: Row): PolicyEvaluation {
  return {
    id: row.id,
    runId: row.run_id,
    point: word(EVALUATION_POINTS, row.point),
    planVersion: row.plan_version,
    versionId: row.version_id,
    isShadow: row.shadow,
    status: word(EVALUATION_STATUSES, row.status),
    passed: row.passed,
    dropped: row.dropped,
    error: row.error,
    cpuMs: row.cpu_ms,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** Inserts evaluations that wait for a server. Those that exist are left as they are. */
export async function insertEvaluations(
  tx: Transaction,
  evaluations: readonly Pick<
    PolicyEvaluation,
    "id" | "runId" | "point" | "planVersion" | "versionId" | "isShadow" | "createdAt"
  >[],
): Promise<void> {
  if (evaluations.length === 0) return;
  await tx.sql
    .insertInto("policy_evaluation")
    .values(
      evaluations.map((one) => ({
        id: one.id,
        run_id: one.runId,
        point: one.point,
        plan_version: one.planVersion,
        version_id: one.versionId,
        shadow: one.isShadow,
        status: "PENDING",
        created_at: one.createdAt,
      })),
    )
    .onConflict((conflict) => conflict.columns(["run_id", "point", "plan_version", "version_id"]).doNothing())
    .execute();
  tx.announce("judgements");
}

/** An evaluation of a run at its creation, which ended before it. */
export interface JudgedEvaluation extends Omit<PolicyEvaluation, "point" | "planVersion" | "finishedAt"> {
  finishedAt: string;
}

/** Inserts the evaluations of a run that was just created. Its first events name those that decide. */
export async function insertJudgedEvaluations(
  tx: Transaction,
  evaluations: readonly JudgedEvaluation[],
): Promise<void> {
  await tx.sql
    .insertInto("policy_evaluation")
    .values(
      evaluations.map((one) => ({
        id: one.id,
        run_id: one.runId,
        point: "RUN_CREATE",
        plan_version: 0,
        version_id: one.versionId,
        shadow: one.isShadow,
        status: one.status,
        passed: one.passed,
        dropped: one.dropped,
        error: one.error,
        cpu_ms: one.cpuMs,
        created_at: one.createdAt,
        finished_at: one.finishedAt,
        announced: !one.isShadow,
      })),
    )
    .execute();
}

/** An evaluation that a server has under its lease. */
export interface LeasedEvaluation {
  id: string;
  runId: string;
  point: EvaluationPoint;
  planVersion: number;
  versionId: string;
  isShadow: boolean;
  createdAt: string;
  /** How many servers have had it, this one included. */
  attempt: number;
}

interface Lease {
  /** The server. */
  by: string;
  at: string;
  until: string;
}

/**
 * Takes evaluations that no server has; those that decide come before shadows. One whose plan is being estimated waits, so that
 * its policies see the cost.
 */
export async function leaseEvaluations(
  statement: Statement,
  { by, at, until }: Lease,
  atMost: number,
): Promise<LeasedEvaluation[]> {
  const { rows } = await sql<{
    id: string;
    run_id: string;
    point: string;
    plan_version: number;
    version_id: string;
    shadow: boolean;
    created_at: string;
    attempt: number;
  }>`
    update policy_evaluation set status = 'RUNNING', lease_id = ${by}, lease_until = ${until}, attempt = attempt + 1
    where id in (
      select id from policy_evaluation e
      where status in ('PENDING', 'RUNNING') and (lease_until is null or lease_until <= ${at})
        and not exists (select from external_check_result c
          where c.run_id = e.run_id and c.plan_version = e.plan_version and c.estimates_cost and c.finished_at is null)
      order by shadow, id limit ${atMost} for update skip locked
    )
    returning id, run_id, point, plan_version, version_id, shadow, created_at, attempt`.execute(statement.sql);
  return rows.map((row) => ({
    id: row.id,
    runId: row.run_id,
    point: word(EVALUATION_POINTS, row.point),
    planVersion: row.plan_version,
    versionId: row.version_id,
    isShadow: row.shadow,
    createdAt: row.created_at,
    attempt: row.attempt,
  }));
}

/** Extends the leases of a server. Returns the ids of the evaluations that it still has. */
export async function extendLeases(
  statement: Statement,
  { by, until }: Omit<Lease, "at">,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await statement.sql
    .updateTable("policy_evaluation")
    .set({ lease_until: until })
    .where("id", "in", ids)
    .where("lease_id", "=", by)
    .where("status", "=", "RUNNING")
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives evaluations back that a server will not finish: it stops. The attempt does not count. */
export async function releaseEvaluations(statement: Statement, by: string): Promise<void> {
  await statement.sql
    .updateTable("policy_evaluation")
    .set({ status: "PENDING", lease_id: null, lease_until: null, attempt: sql<number>`attempt - 1` })
    .where("lease_id", "=", by)
    .where("status", "=", "RUNNING")
    .execute();
  statement.announce("judgements");
}

/** Ends an evaluation that a server has. Returns whether it still had it: nothing is written otherwise. */
export async function finishEvaluation(
  tx: Transaction,
  { id, by }: { id: string; by: string },
  end: Pick<PolicyEvaluation, "passed" | "dropped" | "error" | "cpuMs"> & {
    status: EvaluationStatus;
    finishedAt: string;
  },
): Promise<boolean> {
  const rows = await tx.sql
    .updateTable("policy_evaluation")
    .set({
      status: end.status,
      passed: end.passed,
      dropped: end.dropped,
      error: end.error,
      cpu_ms: end.cpuMs,
      finished_at: end.finishedAt,
      lease_id: null,
      lease_until: null,
    })
    .where("id", "=", id)
    .where("lease_id", "=", by)
    .where("status", "=", "RUNNING")
    .returning("id")
    .execute();
  return rows.length > 0;
}

/** Cancels what decides and is not finished. The row of the run must be locked. */
export async function cancelEvaluations(tx: Transaction, runId: string, at: string): Promise<void> {
  await tx.sql
    .updateTable("policy_evaluation")
    .set({ status: "CANCELED", finished_at: at, lease_id: null, lease_until: null })
    .where("run_id", "=", runId)
    .where("finished_at", "is", null)
    .where("shadow", "=", false)
    .execute();
}

/** An evaluation that decides, with the name of its set. */
export interface DecidingEvaluation extends PolicyEvaluation {
  setId: string;
  setName: string;
  isAnnounced: boolean;
}

/** Lists the evaluations that decide about the newest plan of a run at these points, without those that were cancelled. */
export async function listDecidingEvaluations(
  reader: Reader,
  { id, planVersion }: { id: string; planVersion: number },
  points: readonly EvaluationPoint[],
): Promise<DecidingEvaluation[]> {
  const rows = await reader.sql
    .selectFrom("policy_evaluation")
    .innerJoin("policy_set_version", "policy_set_version.id", "version_id")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .select([...QUALIFIED, "announced", "policy_set_version.set_id", "policy_set.name"])
    .where("run_id", "=", id)
    .where("plan_version", "=", planVersion)
    .where("point", "in", points)
    .where("shadow", "=", false)
    .where("policy_evaluation.status", "<>", "CANCELED")
    .orderBy("policy_evaluation.id")
    .execute();
  return rows.map((row) => ({
    ...toEvaluation(row),
    setId: row.set_id,
    setName: row.name,
    isAnnounced: row.announced,
  }));
}

/** Notes that the events of finished evaluations are in the stream of the run. */
export async function markAnnounced(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.updateTable("policy_evaluation").set({ announced: true }).where("id", "in", ids).execute();
}

/** Evaluations of runs in kept workspaces, with their place. */
export async function findEvaluations(
  reader: Reader,
  ids: readonly string[],
): Promise<(Placed<PolicyEvaluation> | null)[]> {
  const rows = await reader.sql
    .selectFrom("policy_evaluation")
    .innerJoin("run", "run.id", "policy_evaluation.run_id")
    .innerJoin("workspace", "workspace.id", "run.workspace_id")
    .select([...QUALIFIED, ...PLACE_OF_RUN])
    .where("policy_evaluation.id", "in", ids)
    .where("workspace.deleted_at", "is", null)
    .execute();
  return placedInOrder(ids, rows, toEvaluation);
}

/** Lists the evaluations of each run, oldest first. */
export async function listEvaluationsOfRuns(reader: Reader, runIds: readonly string[]): Promise<PolicyEvaluation[][]> {
  const rows = await reader.sql
    .selectFrom("policy_evaluation")
    .select(COLUMNS)
    .where("run_id", "in", runIds)
    .orderBy("id")
    .execute();
  return grouped(runIds, rows.map(toEvaluation), ({ runId }) => runId);
}

/**
 * Lists runs that wait for a judgement of which nothing is awaited any more, or that have events to record: what is left by
 * a server that ended at the wrong moment.
 */
export async function listRunsToConclude(reader: Reader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from run r
    where (r.status = ${STATUS_OF.judgement} or r.awaited_check is not null)
      and not exists (select from policy_evaluation e
        where e.run_id = r.id and e.plan_version = r.plan_version and e.finished_at is null and not e.shadow)
      and not exists (select from external_check_result c
        where c.run_id = r.id and c.plan_version in (0, r.plan_version) and c.finished_at is null)
    order by r.id limit ${limit}`.execute(reader.sql);
  return rows.map(({ id }) => id);
}
