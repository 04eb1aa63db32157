/** Results of policies: violations, errors, and demands for approvals. */
import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { Placed } from "../../model/people/place.ts";
import {
  EVALUATION_POINTS,
  type EvaluationPoint,
  type PolicyResult,
  STORED_RESULT_STATUSES,
  type StoredResultStatus,
} from "../../model/policy/policy-evaluation.ts";
import { ENFORCEMENT_LEVELS } from "../../model/policy/policy-set.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Tables } from "../database/tables.ts";

type Row = Omit<Selectable<Tables["policy_result"]>, "position">;

const COLUMNS = [
  "id",
  "evaluation_id",
  "policy",
  "rule",
  "level",
  "stops_auto_apply",
  "status",
  "message",
  "addresses",
  "addresses_inferred",
  "remediation",
  "approvers",
  "trace",
  "fingerprint",
  "exception_id",
] as const;
const QUALIFIED = COLUMNS.map((column) => `policy_result.${column}` as const);

function toResult(row: Row): PolicyResult {
  return {
    id: row.id,
    evaluationId: row.evaluation_id,
    policy: row.policy,
    rule: row.rule,
    level: word(ENFORCEMENT_LEVELS, row.level),
    stopsAutoApply: row.stops_auto_apply,
    status: word(STORED_RESULT_STATUSES, row.status),
    message: row.message,
    addresses: row.addresses,
    addressesInferred: row.addresses_inferred,
    remediation: row.remediation,
    approvers: row.approvers,
    trace: row.trace,
    fingerprint: row.fingerprint.toString("hex"),
    exceptionId: row.exception_id,
  };
}

/** Rows of one statement: a version may have some hundred policies with 1,000 results each. */
const AT_ONCE = 2_000;

/** Inserts the results of an evaluation, in order. */
export async function insertResults(
  tx: Transaction,
  evaluationId: string,
  results: readonly Omit<PolicyResult, "evaluationId" | "exceptionId">[],
): Promise<void> {
  for (let start = 0; start < results.length; start += AT_ONCE) {
    const rows = results.slice(start, start + AT_ONCE).map((result, index) => ({
      ...result,
      position: start + index,
      fingerprint: `\\x${result.fingerprint}`,
    }));
    await sql`
      insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
        addresses, addresses_inferred, remediation, approvers, trace, fingerprint)
      select id, ${evaluationId}, position, policy, rule, level, "stopsAutoApply", status, message, addresses,
        "addressesInferred", remediation, nullif(approvers, 'null'), nullif(trace, 'null'), fingerprint
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as result (id text, position integer, policy text,
        rule text, level text, "stopsAutoApply" boolean, status text, message text, addresses text[],
        "addressesInferred" boolean, remediation text, approvers jsonb, trace jsonb, fingerprint bytea)`.execute(
      tx.sql,
    );
  }
}

/** A result that decides about a run, with what it is a result of. */
export interface DecidingResult extends Omit<PolicyResult, "trace" | "remediation"> {
  point: EvaluationPoint;
  versionId: string;
  setId: string;
  setName: string;
}

/** Lists the first results that decide about the newest plan of a run at these points, in order; `limit`: at most as many. */
export async function listDecidingResults(
  reader: Reader,
  { id, planVersion }: { id: string; planVersion: number },
  points: readonly EvaluationPoint[],
  limit: number,
): Promise<DecidingResult[]> {
  const rows = await reader.sql
    .selectFrom("policy_result")
    .innerJoin("policy_evaluation as evaluation", "evaluation.id", "evaluation_id")
    .innerJoin("policy_set_version as version", "version.id", "evaluation.version_id")
    .innerJoin("policy_set", "policy_set.id", "version.set_id")
    .select(QUALIFIED)
    .select(["evaluation.point", "evaluation.version_id", "version.set_id", "policy_set.name as set_name"])
    .where("evaluation.run_id", "=", id)
    .where("evaluation.plan_version", "=", planVersion)
    .where("evaluation.point", "in", points)
    .where("evaluation.shadow", "=", false)
    .where("evaluation.status", "<>", "CANCELED")
    .orderBy("evaluation.id")
    .orderBy("policy_result.position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...toResult(row),
    point: word(EVALUATION_POINTS, row.point),
    versionId: row.version_id,
    setId: row.set_id,
    setName: row.set_name,
  }));
}

/** Whether more results than this decide about the newest plan of a run at these points. No more of them are read. */
export async function hasMoreResults(
  reader: Reader,
  { id, planVersion }: { id: string; planVersion: number },
  points: readonly EvaluationPoint[],
  most: number,
): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("policy_result")
    .innerJoin("policy_evaluation as evaluation", "evaluation.id", "evaluation_id")
    .select("policy_result.id")
    .where("evaluation.run_id", "=", id)
    .where("evaluation.plan_version", "=", planVersion)
    .where("evaluation.point", "in", points)
    .where("evaluation.shadow", "=", false)
    .where("evaluation.status", "<>", "CANCELED")
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the warnings about a run that were found before it was created. */
export async function countCreationWarnings(reader: Reader, runId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("policy_result")
    .innerJoin("policy_evaluation as evaluation", "evaluation.id", "evaluation_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("evaluation.run_id", "=", runId)
    .where("evaluation.point", "=", "RUN_CREATE")
    .where("evaluation.shadow", "=", false)
    .where("policy_result.status", "<>", "WAIVED")
    .where("policy_result.stops_auto_apply", "=", true)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Notes which exceptions cover results; `null`: none does any more. */
export async function setExceptions(
  tx: Transaction,
  covered: readonly { id: string; exceptionId: string | null; status: StoredResultStatus }[],
): Promise<void> {
  for (let start = 0; start < covered.length; start += AT_ONCE) {
    await sql`
      update policy_result r set exception_id = c."exceptionId", status = c.status
      from jsonb_to_recordset(${JSON.stringify(covered.slice(start, start + AT_ONCE))}::jsonb)
        as c (id text, "exceptionId" text, status text)
      where r.id = c.id`.execute(tx.sql);
  }
}

/** Results of runs in kept workspaces, with their place. */
export async function findResults(reader: Reader, ids: readonly string[]): Promise<(Placed<PolicyResult> | null)[]> {
  const rows = await reader.sql
    .selectFrom("policy_result")
    .innerJoin("policy_evaluation", "policy_evaluation.id", "evaluation_id")
    .innerJoin("run", "run.id", "policy_evaluation.run_id")
    .innerJoin("workspace", "workspace.id", "run.workspace_id")
    .select([...QUALIFIED, ...PLACE_OF_RUN])
    .where("policy_result.id", "in", ids)
    .where("workspace.deleted_at", "is", null)
    .execute();
  return placedInOrder(ids, rows, toResult);
}

/** Lists the results of an evaluation; positions are theirs. `statuses`: empty for all. */
export async function listResults(
  reader: Reader,
  evaluationId: string,
  statuses: readonly StoredResultStatus[],
  page: PageRequest<number>,
): Promise<Page<PolicyResult & { position: number }>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("policy_result")
    .select([...COLUMNS, "position"])
    .where("evaluation_id", "=", evaluationId)
    .$if(statuses.length > 0, (q) => q.where("status", "in", statuses))
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(
    page,
    rows.map((row) => ({ ...toResult(row), position: row.position })),
  );
}

/**
 * Removes this many results of runs that ended, at most, and the evaluations once no result is left. Returns the number of
 * removed rows; there may be more if it is `limit` or above. Evaluations at work are left: their results are yet to come.
 */
export async function removeResults(tx: Transaction, runIds: readonly string[], limit: number): Promise<number> {
  const results = await sql`
    delete from policy_result where id in (
      select r.id from policy_evaluation e join policy_result r on r.evaluation_id = e.id
      where e.run_id = any(${runIds}) and e.finished_at is not null limit ${limit}
    )`.execute(tx.sql);
  const removed = Number(results.numAffectedRows ?? 0);
  if (removed === limit) return removed;
  const evaluations = await sql`
    delete from policy_evaluation e where e.run_id = any(${runIds}) and e.finished_at is not null
      and not exists (select from policy_result r where r.evaluation_id = e.id)`.execute(tx.sql);
  return removed + Number(evaluations.numAffectedRows ?? 0);
}
