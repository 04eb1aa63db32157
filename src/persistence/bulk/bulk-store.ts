/** Operations on many runs, and what came of each. */
import { type Selectable, sql } from "kysely";
import { GATES } from "../../model/approval/approval.ts";
import {
  BULK_ACTIONS,
  BULK_STATES,
  type BulkCounts,
  type BulkItem,
  type BulkOperation,
  type BulkResult,
} from "../../model/bulk/bulk.ts";
import { firstIdAt } from "../../model/kit/id.ts";
import { keysOf } from "../../model/kit/keys-of.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { USER_ERRORS } from "../../model/kit/user-error.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import { word, wordOrNull } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";

function toOperation(row: Selectable<Tables["bulk_operation"]>): BulkOperation {
  return {
    id: row.id,
    action: word(BULK_ACTIONS, row.action),
    gate: wordOrNull(GATES, row.gate),
    comment: row.comment,
    state: word(BULK_STATES, row.state),
    totalCount: row.total_count,
    doneCount: row.done_count,
    succeededCount: row.succeeded_count,
    createdById: row.created_by,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

function toResult(row: Selectable<Tables["bulk_item"]>): BulkResult {
  return {
    operationId: row.operation_id,
    position: row.position,
    runId: row.run_id,
    planVersion: row.plan_version,
    ok: row.ok,
    code: wordOrNull(keysOf(USER_ERRORS), row.code),
    message: row.message,
    newRunId: row.new_run_id,
    doneAt: row.done_at,
  };
}

/** The facts by which a repeated request is recognised. */
export interface BulkRequest {
  key: string | null;
  digest: string;
}

/** A new operation with its runs, in the order in which they have their turn. */
export async function insertBulkOperation(
  tx: Transaction,
  operation: BulkOperation,
  request: BulkRequest,
  runs: readonly Pick<BulkItem, "runId" | "planVersion">[],
): Promise<void> {
  await tx.sql
    .insertInto("bulk_operation")
    .values({
      id: operation.id,
      action: operation.action,
      gate: operation.gate,
      comment: operation.comment,
      state: operation.state,
      total_count: operation.totalCount,
      created_by: operation.createdById,
      credential_id: operation.credentialId,
      idempotency_key: request.key,
      request_digest: request.digest,
      created_at: operation.createdAt,
      finished_at: operation.finishedAt,
    })
    .execute();
  const ids = runs.map(({ runId }) => runId);
  const versions = runs.map(({ planVersion }) => planVersion);
  await sql`
    insert into bulk_item (operation_id, position, run_id, plan_version)
    select ${operation.id}, position, run_id, plan_version
    from unnest(${ids}::text[], ${versions}::integer[]) with ordinality as run (run_id, plan_version, position)
  `.execute(tx.sql);
}

/** The operation that used the key since `since`; a use before that is forgotten. */
export async function findBulkByKey(
  tx: Transaction,
  { actorId, key }: { actorId: string; key: string },
  since: string,
): Promise<{ operation: BulkOperation; digest: string } | null> {
  const mine = tx.sql
    .updateTable("bulk_operation")
    .where("created_by", "=", actorId)
    .where("idempotency_key", "=", key);
  await mine.set({ idempotency_key: null }).where("created_at", "<", since).execute();
  const row = await tx.sql
    .selectFrom("bulk_operation")
    .selectAll()
    .where("created_by", "=", actorId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row === undefined ? null : { operation: toOperation(row), digest: row.request_digest };
}

export async function findBulkOperations(reader: Reader, ids: readonly string[]): Promise<(BulkOperation | null)[]> {
  const rows = await reader.sql.selectFrom("bulk_operation").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toOperation), ({ id }) => id);
}

/** Lists the operations of one actor, newest first; positions are ids. */
export async function listBulkOperations(
  reader: Reader,
  actorId: string,
  page: PageRequest<string>,
): Promise<Page<BulkOperation>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("bulk_operation")
    .selectAll()
    .where("created_by", "=", actorId)
    .$if(after !== null, (q) => q.where("id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("id", ">", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toOperation));
}

/** Lists results about runs within a scope, in the order of their turns; positions are theirs. */
export async function listBulkResults(
  reader: Reader,
  scope: CallerScope,
  operationId: string,
  page: PageRequest<number>,
): Promise<Page<BulkResult>> {
  const { after, before } = page;
  const limits = within(scope, SCOPE_OF_RUN);
  const rows = await reader.sql
    .selectFrom("bulk_item")
    .selectAll()
    .where("operation_id", "=", operationId)
    .$if(limits !== null, (q) =>
      q.where(sql<boolean>`exists (select from run where run.id = bulk_item.run_id and ${limits})`),
    )
    .$if(after !== null, (q) => q.where("position", ">", after ?? 0))
    .$if(before !== null, (q) => q.where("position", "<", before ?? 0))
    .orderBy("position", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toResult));
}

/** Counts the items of operations whose runs lie within a scope. */
export async function countBulkItems(
  reader: Reader,
  scope: CallerScope,
  operationIds: readonly string[],
): Promise<BulkCounts[]> {
  const { rows } = await sql<BulkCounts & { id: string }>`
    select operation_id as id, count(*)::int as "totalCount", count(done_at)::int as "doneCount",
      (count(*) filter (where ok))::int as "succeededCount"
    from bulk_item join run on run.id = bulk_item.run_id
    where operation_id = any(${operationIds}::text[]) and ${within(scope, SCOPE_OF_RUN) ?? sql`true`}
    group by operation_id`.execute(reader.sql);
  return inOrder(operationIds, rows, ({ id }) => id).map((row) => ({
    totalCount: row?.totalCount ?? 0,
    doneCount: row?.doneCount ?? 0,
    succeededCount: row?.succeededCount ?? 0,
  }));
}

/** Operations that have something left to do, oldest first. */
export async function listRunningBulk(reader: Reader, limit: number): Promise<BulkOperation[]> {
  const rows = await reader.sql
    .selectFrom("bulk_operation")
    .selectAll()
    .where("state", "=", "RUNNING")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toOperation);
}

/** Finds the item that is next. `null` if there is none. */
export async function findNextBulkItem(reader: Reader, operationId: string): Promise<BulkItem | null> {
  const row = await reader.sql
    .selectFrom("bulk_item")
    .selectAll()
    .where("operation_id", "=", operationId)
    .where("done_at", "is", null)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toResult(row);
}

/**
 * Takes an item for this transaction. Returns whether it is still to be done: no other server works on the operation, and
 * it was not stopped. Its lock comes before all others.
 */
export async function takeBulkItem(tx: Transaction, { operationId, position }: BulkItem): Promise<boolean> {
  const operation = await tx.sql
    .selectFrom("bulk_operation")
    .select("id")
    .where("id", "=", operationId)
    .where("state", "=", "RUNNING")
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (operation === undefined) return false;
  const item = await tx.sql
    .selectFrom("bulk_item")
    .select("position")
    .where("operation_id", "=", operationId)
    .where("position", "=", position)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return item !== undefined;
}

/** Notes what came of an item that was taken; the last one finishes its operation. */
export async function markBulkItem(
  tx: Transaction,
  { operationId, position }: BulkItem,
  result: Pick<BulkResult, "code" | "message" | "newRunId"> & { ok: boolean; at: string },
): Promise<void> {
  const { ok, code, message, newRunId, at } = result;
  await tx.sql
    .updateTable("bulk_item")
    .set({ ok, code, message, new_run_id: newRunId, done_at: at })
    .where("operation_id", "=", operationId)
    .where("position", "=", position)
    .execute();
  await tx.sql
    .updateTable("bulk_operation")
    .set({
      done_count: sql`done_count + 1`,
      succeeded_count: sql`succeeded_count + ${ok ? 1 : 0}`,
      state: sql`case when done_count + 1 = total_count then 'FINISHED' else state end`,
      finished_at: sql`case when done_count + 1 = total_count then ${at}::timestamptz end`,
    })
    .where("id", "=", operationId)
    .execute();
}

/** Waits for the item that is being done. null where there is no such operation. */
export async function lockBulkOperation(tx: Transaction, id: string): Promise<BulkOperation | null> {
  const row = await tx.sql
    .selectFrom("bulk_operation")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toOperation(row);
}

export async function setBulkStopped(tx: Transaction, id: string, at: string): Promise<BulkOperation> {
  const row = await tx.sql
    .updateTable("bulk_operation")
    .set({ state: "STOPPED", finished_at: at })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toOperation(row);
}

/**
 * Removes the oldest operation that ended before an instant, with what came of each of its runs; gives whether there was
 * one. Found by its id, which is of the time of its beginning.
 */
export async function removeEndedBulkOperation(tx: Transaction, before: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with due as (
      select id from bulk_operation
      where id < ${firstIdAt("bulkOperation", Date.parse(before))} and finished_at < ${before}
      order by id limit 1 for update skip locked
    ), items as (
      delete from bulk_item using due where operation_id = due.id
    )
    delete from bulk_operation using due where bulk_operation.id = due.id
  `.execute(tx.sql);
  return numAffectedRows === 1n;
}
