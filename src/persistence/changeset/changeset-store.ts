/** Changesets without the figures of their members. */
import { sql } from "kysely";
import type { Changeset } from "../../model/changeset/changeset.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { wordOrNull } from "../database/closed-set.ts";
import { keptWithin } from "./member-scope.ts";
import { toChangeset } from "./changeset-row.ts";

/** The facts by which a repeated request is recognised. `null`: the caller gave no key. */
export interface ChangesetRequest {
  key: string | null;
  digest: string;
}

/** Inserts a changeset that has no members yet. Throws a violation of `changeset_key` for a key that is in use. */
export async function insertChangeset(
  tx: Transaction,
  changeset: Changeset,
  { key, digest }: ChangesetRequest,
): Promise<void> {
  await tx.sql
    .insertInto("changeset")
    .values({
      id: changeset.id,
      organization_id: changeset.organizationId,
      source: changeset.source,
      title: changeset.title,
      commit: changeset.commit,
      kind: changeset.kind,
      trigger: changeset.trigger,
      refresh_only: changeset.refreshOnly,
      command: changeset.command,
      priority: changeset.priority,
      created_by: changeset.createdById,
      credential_id: changeset.credentialId,
      idempotency_key: key,
      request_digest: key === null ? null : digest,
      created_at: changeset.createdAt,
      held_at: changeset.heldAt,
      origin_id: changeset.originId,
      due: changeset.heldAt === null,
    })
    .execute();
}

/**
 * Finds the changeset that an actor created by a key since an instant, with the digest of that request. A key from before
 * is given up.
 */
export async function findChangesetByKey(
  tx: Transaction,
  { actorId, key }: { actorId: string; key: string },
  since: string,
): Promise<{ id: string; digest: string } | null> {
  const row = await tx.sql
    .selectFrom("changeset")
    .select(["id", "request_digest", "created_at"])
    .where("created_by", "=", actorId)
    .where("idempotency_key", "=", key)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.created_at >= since) return { id: row.id, digest: row.request_digest ?? "" };
  await tx.sql
    .updateTable("changeset")
    .set({ idempotency_key: null, request_digest: null })
    .where("id", "=", row.id)
    .execute();
  return null;
}

/** Ids of changesets with work to do, oldest first. */
export async function listDueChangesets(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("changeset")
    .select("id")
    .where("due", "=", sql.lit(true))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Finds a changeset without its figures, for the system. */
export async function findChangeset(reader: Reader, id: string): Promise<Changeset | null> {
  const row = await reader.sql.selectFrom("changeset").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toChangeset(row);
}

/** Locks the row of a changeset, behind those of workspaces and runs; no member ends until the end of the transaction. */
export async function lockChangeset(tx: Transaction, id: string): Promise<Changeset> {
  const row = await tx.sql
    .selectFrom("changeset")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return toChangeset(row);
}

export async function setChangesetDue(tx: Transaction, id: string, due: boolean): Promise<void> {
  await tx.sql.updateTable("changeset").set({ due }).where("id", "=", id).execute();
}

/** The consequences of the end of a run for its changeset. */
interface SettledChangeset {
  /** It is applied now and was not before, or the reverse; `null` if neither. */
  change: "APPLIED" | "REOPENED" | null;
  /** It is applied for the first time, as far as webhooks of the whole organization see it. */
  announces: boolean;
}

/** Notes whether all of a changeset is applied, when a run of it has ended. */
export async function noteApplied(tx: Transaction, id: string, at: string): Promise<SettledChangeset> {
  const { rows } = await sql<{ waits: boolean; change: string | null; announces: boolean }>`
    select waits, change, announces from changeset_settle(${id}, ${at})`.execute(tx.sql);
  const [settled] = rows;
  if (settled === undefined) throw new Error(`There is no changeset ${id}.`);
  if (settled.waits) tx.announce("changesets");
  return { change: wordOrNull(["APPLIED", "REOPENED"], settled.change), announces: settled.announces };
}

/** Gives up the creation of runs of the members within a scope. Returns the ids of their workspaces. */
export async function discardMembers(
  tx: Transaction,
  scope: CallerScope,
  changesetId: string,
  problem: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update changeset_member set problem = ${problem}, discarded = true
    from workspace w
    where w.id = changeset_member.workspace_id and changeset_member.changeset_id = ${changesetId}
      and changeset_member.run_id is null and changeset_member.problem is null and ${keptWithin(scope)}
    returning w.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/**
 * Notes that a changeset was discarded as a whole, if all of its members lie within the scope. Returns whether it was not
 * before.
 */
export async function setChangesetDiscarded(
  tx: Transaction,
  scope: CallerScope,
  id: string,
  at: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update changeset set discarded_at = ${at}, held_at = null
    where id = ${id} and discarded_at is null and not exists (
      select from changeset_member m join workspace w on w.id = m.workspace_id
      where m.changeset_id = changeset.id and w.deleted_at is null and not (${keptWithin(scope)}))`.execute(tx.sql);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Lets the creation of runs begin. Returns whether it was held back. */
export async function releaseHeldChangeset(tx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("changeset")
    .set({ held_at: null, due: true })
    .where("id", "=", id)
    .where("held_at", "is not", null)
    .executeTakeFirst();
  tx.announce("changesets");
  return numUpdatedRows > 0n;
}
