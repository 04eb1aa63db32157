/** Requests of external checks that runners of a pool send. */
import { type Selectable, sql } from "kysely";
import type { CheckRequest } from "../../model/check/check-request.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import type { Cipher } from "../installation/cipher.ts";

const COLUMNS = ["id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"] as const;
type Row = Pick<Selectable<Tables["check_request"]>, (typeof COLUMNS)[number]>;

function toRequest(row: Row): CheckRequest {
  const { result_id: resultId, round } = row;
  return {
    id: row.id,
    poolId: row.pool_id,
    about: resultId === null || round === null ? null : { resultId, round },
    offeredAt: row.offered_at,
    endsAt: row.ends_at,
    fence: row.fence,
    leaseUntil: row.lease_until,
  };
}

/** A request as it is sent. */
export interface RequestContent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer of a service, as a runner reports it. */
export interface RequestAnswer {
  /** `null` if it did not answer. */
  statusCode: number | null;
  error: string | null;
}

function owner(id: string): string {
  return `check-request/${id}/content`;
}

type NewRequest = Pick<CheckRequest, "id" | "poolId" | "offeredAt">;

/** Offers a request about a result to the runners of a pool. */
export async function insertRequest(
  tx: Transaction,
  { id, poolId, offeredAt }: NewRequest,
  { resultId, round }: { resultId: string; round: number },
): Promise<void> {
  await tx.sql
    .insertInto("check_request")
    .values({ id, pool_id: poolId, result_id: resultId, round, offered_at: offeredAt })
    .execute();
  tx.announce("check-requests");
}

/** Offers a test, and removes tests whose servers have died. */
export async function insertTest(
  tx: Transaction,
  cipher: Cipher,
  { id, poolId, offeredAt, endsAt }: NewRequest & { endsAt: string },
  content: RequestContent,
): Promise<void> {
  await tx.sql.deleteFrom("check_request").where("ends_at", "<=", offeredAt).execute();
  const sealed = cipher.seal(Buffer.from(JSON.stringify(content)), owner(id));
  await tx.sql
    .insertInto("check_request")
    .values({ id, pool_id: poolId, content_sealed: sealed, offered_at: offeredAt, ends_at: endsAt })
    .execute();
  tx.announce("check-requests");
}

/** Reads the content of a test. */
export async function readTest(reader: Reader, cipher: Cipher, id: string): Promise<RequestContent> {
  const row = await reader.sql
    .selectFrom("check_request")
    .select("content_sealed")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const content: RequestContent = JSON.parse(cipher.open(row.content_sealed ?? Buffer.alloc(0), owner(id)).toString());
  return content;
}

/** Finds the answer to a test; `null` if there is none yet. */
export async function findTestAnswer(reader: Reader, id: string): Promise<RequestAnswer | null> {
  const row = await reader.sql
    .selectFrom("check_request")
    .select(["status_code", "error"])
    .where("id", "=", id)
    .where("answered_at", "is not", null)
    .executeTakeFirst();
  return row === undefined ? null : { statusCode: row.status_code, error: row.error };
}

/** Notes the answer to a test. The row must be locked. */
export async function answerTest(
  tx: Transaction,
  id: string,
  { statusCode, error }: RequestAnswer,
  at: string,
): Promise<void> {
  await tx.sql
    .updateTable("check_request")
    .set({ status_code: statusCode, error, answered_at: at })
    .where("id", "=", id)
    .execute();
}

export async function deleteRequest(statement: Statement, id: string): Promise<void> {
  await statement.sql.deleteFrom("check_request").where("id", "=", id).execute();
}

/** Withdraws the request about a result, if there is one. */
export async function deleteRequestOf(tx: Transaction, resultId: string): Promise<void> {
  await tx.sql.deleteFrom("check_request").where("result_id", "=", resultId).execute();
}

/** Withdraws the requests about all results of a check, which must be locked. */
export async function deleteRequestsOfCheck(tx: Transaction, checkId: string): Promise<void> {
  await tx.sql
    .deleteFrom("check_request")
    .where("result_id", "in", (eb) =>
      eb
        .selectFrom("external_check_result")
        .select("id")
        .where("check_id", "=", checkId)
        .where("status", "=", "PENDING"),
    )
    .execute();
}

export async function findRequest(reader: Reader, id: string): Promise<CheckRequest | null> {
  const row = await reader.sql.selectFrom("check_request").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Finds the request that an attempt to get one has got, while its lease lasts. */
export async function findRequestByLease(
  reader: Reader,
  { poolId, leaseId, at }: { poolId: string; leaseId: string; at: string },
): Promise<CheckRequest | null> {
  const row = await reader.sql
    .selectFrom("check_request")
    .select(COLUMNS)
    .where("pool_id", "=", poolId)
    .where("lease_id", "=", leaseId)
    .where("lease_until", ">", at)
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Finds the oldest request of a pool that no runner has. Nothing is locked. */
export async function findOfferedRequest(reader: Reader, poolId: string, at: string): Promise<CheckRequest | null> {
  const row = await reader.sql
    .selectFrom("check_request")
    .select(COLUMNS)
    .where("pool_id", "=", poolId)
    .where("answered_at", "is", null)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", at)]))
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", at)]))
    .orderBy("offered_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Locks a request that is not answered. Those of its run and its result must be locked before. */
export async function lockRequest(tx: Transaction, id: string): Promise<CheckRequest | null> {
  const row = await tx.sql
    .selectFrom("check_request")
    .select(COLUMNS)
    .where("id", "=", id)
    .where("answered_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Locks the request about a result, which must be locked before. */
export async function lockRequestOf(tx: Transaction, resultId: string): Promise<CheckRequest | null> {
  const row = await tx.sql
    .selectFrom("check_request")
    .select(COLUMNS)
    .where("result_id", "=", resultId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** Gives a request to a runner, and returns the new fence. The row must be locked. */
export async function leaseRequest(
  tx: Transaction,
  id: string,
  { leaseId, until }: { leaseId: string; until: string },
): Promise<number> {
  const { fence } = await tx.sql
    .updateTable("check_request")
    .set((eb) => ({ lease_id: leaseId, lease_until: until, fence: eb("fence", "+", 1) }))
    .where("id", "=", id)
    .returning("fence")
    .executeTakeFirstOrThrow();
  return fence;
}

/** Takes a request from a runner that did not report: others may have it, and its report is refused. */
export async function releaseRequest(tx: Transaction, id: string): Promise<void> {
  await tx.sql
    .updateTable("check_request")
    .set((eb) => ({ lease_id: null, lease_until: null, fence: eb("fence", "+", 1) }))
    .where("id", "=", id)
    .execute();
  tx.announce("check-requests");
}

/** Notes that a runner asks for requests of checks. */
export async function noteChecksOffered(reader: Reader, runnerId: string, at: string): Promise<void> {
  await reader.sql.updateTable("runner").set({ checks_at: at }).where("id", "=", runnerId).execute();
}

/** Finds the name of a pool, and whether a runner of it has asked for requests since an instant. */
export async function findRequestPool(
  reader: Reader,
  poolId: string,
  since: string,
): Promise<{ name: string; isOffered: boolean } | null> {
  const { rows } = await sql<{ name: string; is_offered: boolean }>`
    select p.name, exists (
      select from runner r
      where r.pool_id = p.id and r.checks_at >= ${since} and r.revoked_at is null and r.drain_requested_at is null
        and not r.draining
    ) as is_offered
    from runner_pool p where p.id = ${poolId} and p.deleted_at is null`.execute(reader.sql);
  const [row] = rows;
  return row === undefined ? null : { name: row.name, isOffered: row.is_offered };
}
