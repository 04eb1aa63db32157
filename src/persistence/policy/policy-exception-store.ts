/** Exceptions of policy sets. */
import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import {
  type ExceptionAct,
  POLICY_EXCEPTION_STATES,
  type PolicyException,
} from "../../model/policy/policy-exception.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function act(actorId: string | null, at: string | null, comment: string | null): ExceptionAct | null {
  return actorId === null || at === null ? null : { actorId, at, comment };
}

function toException(row: Omit<Selectable<Tables["policy_exception"]>, "announced_at">): PolicyException {
  return {
    id: row.id,
    organizationId: row.organization_id,
    setId: row.set_id,
    policy: row.policy,
    rule: row.rule,
    addressGlob: row.address_glob,
    workspaceIds: row.workspace_ids,
    reason: row.reason,
    ticket: row.ticket,
    state: word(POLICY_EXCEPTION_STATES, row.state),
    requestedById: row.requested_by,
    requesterCountsAs: row.requester_counts_as,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decided: act(row.decided_by, row.decided_at, row.decision_comment),
    revoked: act(row.revoked_by, row.revoked_at, row.revocation_comment),
  };
}

export async function insertPolicyException(tx: Transaction, exception: PolicyException): Promise<void> {
  await tx.sql
    .insertInto("policy_exception")
    .values({
      id: exception.id,
      organization_id: exception.organizationId,
      set_id: exception.setId,
      policy: exception.policy,
      rule: exception.rule,
      address_glob: exception.addressGlob,
      workspace_ids: [...exception.workspaceIds],
      reason: exception.reason,
      ticket: exception.ticket,
      state: exception.state,
      requested_by: exception.requestedById,
      requester_counts_as: exception.requesterCountsAs,
      requested_at: exception.requestedAt,
      expires_at: exception.expiresAt,
    })
    .execute();
}

/** Locks an exception of a kept set; `null` if there is none. */
export async function lockPolicyException(tx: Transaction, id: string): Promise<PolicyException | null> {
  const row = await tx.sql
    .selectFrom("policy_exception")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .selectAll("policy_exception")
    .where("policy_exception.id", "=", id)
    .where("policy_set.deleted_at", "is", null)
    .forNoKeyUpdate("policy_exception")
    .executeTakeFirst();
  return row === undefined ? null : toException(row);
}

/** Stores an approval or a rejection. */
export async function decidePolicyException(
  tx: Transaction,
  id: string,
  { state, decided }: { state: "APPROVED" | "REJECTED"; decided: ExceptionAct },
): Promise<void> {
  await tx.sql
    .updateTable("policy_exception")
    .set({ state, decided_by: decided.actorId, decided_at: decided.at, decision_comment: decided.comment })
    .where("id", "=", id)
    .execute();
}

export async function revokePolicyException(tx: Transaction, id: string, revoked: ExceptionAct): Promise<void> {
  await tx.sql
    .updateTable("policy_exception")
    .set({
      state: "REVOKED",
      revoked_by: revoked.actorId,
      revoked_at: revoked.at,
      revocation_comment: revoked.comment,
    })
    .where("id", "=", id)
    .execute();
}

/** Finds exceptions, those of deleted sets too: results name them. */
export async function findPolicyExceptions(
  reader: Reader,
  ids: readonly string[],
): Promise<(PolicyException | null)[]> {
  const rows = await reader.sql.selectFrom("policy_exception").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toException), ({ id }) => id);
}

/** Lists the exceptions of a set, newest first; positions are ids. `expired`: whether their time has come; `null`: all. */
export async function listPolicyExceptions(
  reader: Reader,
  { setId, expired, at }: { setId: string; expired: boolean | null; at: string },
  page: PageRequest<string>,
): Promise<Page<PolicyException>> {
  const { after, before } = page;
  const rows = await reader.sql
    .selectFrom("policy_exception")
    .selectAll()
    .where("set_id", "=", setId)
    .$if(expired !== null, (q) => q.where("expires_at", expired === true ? "<=" : ">", at))
    .$if(after !== null, (q) => q.where("id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("id", ">", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toException));
}

/** Counts the exceptions of a set that are requested or in force at an instant. */
export async function countOpenExceptions(reader: Reader, setId: string, at: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("policy_exception")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("set_id", "=", setId)
    .where("state", "in", ["REQUESTED", "APPROVED"])
    .where("expires_at", ">", at)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Lists the exceptions of sets that are in force for a workspace at an instant, oldest first. */
export async function listExceptionsInForce(
  reader: Reader,
  { setIds, workspaceId, at }: { setIds: readonly string[]; workspaceId: string; at: string },
): Promise<PolicyException[]> {
  const rows = await reader.sql
    .selectFrom("policy_exception")
    .selectAll()
    .where("set_id", "in", setIds)
    .where("state", "=", sql.lit("APPROVED"))
    .where("expires_at", ">", at)
    .where(sql<boolean>`${workspaceId} = any(workspace_ids)`)
    .orderBy("id")
    .execute();
  return rows.map(toException);
}

/** Counts those of these exceptions that are in force at an instant. */
export async function countExceptionsInForce(reader: Reader, ids: readonly string[], at: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("policy_exception")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("id", "in", ids)
    .where("state", "=", "APPROVED")
    .where("expires_at", ">", at)
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * Locks the exceptions that are in force, end until an instant and were not announced, and notes that they are. Those that
 * another server has are left out.
 */
export async function announceExpiring(
  tx: Transaction,
  { at, until, limit }: { at: string; until: string; limit: number },
): Promise<PolicyException[]> {
  const rows = await tx.sql
    .updateTable("policy_exception")
    .set({ announced_at: at })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("policy_exception")
        .innerJoin("policy_set", "policy_set.id", "set_id")
        .select("policy_exception.id")
        .where("policy_exception.state", "=", sql.lit("APPROVED"))
        .where("announced_at", "is", null)
        .where("expires_at", ">", at)
        .where("expires_at", "<=", until)
        .where("policy_set.deleted_at", "is", null)
        .orderBy("expires_at")
        .limit(limit)
        .forUpdate("policy_exception")
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map(toException).toSorted((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
}
