import { type Selectable, sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import { FOUND_BY } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["ref_change"]> & { organization_id: string };

function toRefChange(row: Row): RefChange {
  return {
    id: row.id,
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    seq: row.seq,
    ref: row.ref,
    before: row.before,
    after: row.after,
    forced: row.forced,
    foundBy: word(FOUND_BY, row.found_by),
    foundAt: row.found_at,
    decidedAt: row.decided_at,
    changesetId: row.changeset_id,
    supersededById: row.superseded_by,
    error: row.error,
  };
}

/** Gives numbers to changes of refs of one repository: returns the first of so many. */
export async function takeChangeNumbers(tx: Transaction, repositoryId: string, count: number): Promise<number> {
  const row = await tx.sql
    .updateTable("repository")
    .set((eb) => ({ last_change: eb("last_change", "+", count) }))
    .where("id", "=", repositoryId)
    .returning("last_change")
    .executeTakeFirstOrThrow();
  return row.last_change - count + 1;
}

/** Changes without a decision are due at once. A repository may have many new tags at a time. */
export async function insertRefChanges(tx: Transaction, changes: readonly RefChange[]): Promise<void> {
  await sql`
    insert into ref_change (id, repository_id, seq, ref, before, after, forced, found_by, found_at, decided_at, decide_at)
    select id, repository_id, seq, ref, before, after, forced, found_by, found_at, decided_at,
        case when decided_at is null then found_at end
      from unnest(${changes.map(({ id }) => id)}::text[], ${changes.map(({ repositoryId }) => repositoryId)}::text[],
        ${changes.map(({ seq }) => seq)}::bigint[], ${changes.map(({ ref }) => ref)}::text[],
        ${changes.map(({ before }) => before)}::text[], ${changes.map(({ after }) => after)}::text[],
        ${changes.map(({ forced }) => forced)}::boolean[], ${changes.map(({ foundBy }) => foundBy)}::text[],
        ${changes.map(({ foundAt }) => foundAt)}::timestamptz[], ${changes.map(({ decidedAt }) => decidedAt)}::timestamptz[]
      ) moved(id, repository_id, seq, ref, before, after, forced, found_by, found_at, decided_at)`.execute(tx.sql);
}

export async function findRefChanges(reader: Reader, ids: readonly string[]): Promise<(RefChange | null)[]> {
  const rows = await changes(reader).where("ref_change.id", "in", ids).execute();
  return inOrder(ids, rows.map(toRefChange), ({ id }) => id);
}

/** Lists the changes of a repository, newest first; positions are numbers. `ref`: `null` for those of all refs. */
export async function listRefChanges(
  reader: Reader,
  repositoryId: string,
  ref: string | null,
  page: PageRequest<number>,
): Promise<Page<RefChange>> {
  const { after, before } = page;
  const rows = await changes(reader)
    .where("repository_id", "=", repositoryId)
    .$if(ref !== null, (q) => q.where("ref", "=", ref ?? ""))
    .$if(after !== null, (q) => q.where("seq", "<", after ?? 0))
    .$if(before !== null, (q) => q.where("seq", ">", before ?? 0))
    .orderBy("seq", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toRefChange));
}

/** Lists the changes of a repository after a number, oldest first. */
export async function listRefChangesSince(
  reader: Reader,
  repositoryId: string,
  seq: number,
  atMost: number,
): Promise<RefChange[]> {
  const rows = await changes(reader)
    .where("repository_id", "=", repositoryId)
    .where("seq", ">", seq)
    .orderBy("seq")
    .limit(atMost)
    .execute();
  return rows.map(toRefChange);
}

/**
 * Removes changes that started no runs and were found before an instant, with their decisions; returns how many changes. Those
 * that a changeset shows stay with it.
 */
export async function removeRefChangesBefore(tx: Transaction, before: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with old as (
      select id from ref_change c where found_at < ${before} and decided_at is not null and changeset_id is null
        and not exists (select from ref_change o where o.superseded_by = c.id)
      order by found_at limit ${atMost} for update skip locked
    ), decisions as (
      delete from trigger_decision using old where trigger_decision.ref_change_id = old.id
    )
    delete from ref_change using old where ref_change.id = old.id returning ref_change.id`.execute(tx.sql);
  return rows.length;
}

export async function findLastChange(reader: Reader, repositoryId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("repository")
    .select("last_change")
    .where("id", "=", repositoryId)
    .executeTakeFirst();
  return row?.last_change ?? 0;
}

function changes(reader: Reader) {
  return reader.sql
    .selectFrom("ref_change")
    .innerJoin("repository", "repository.id", "ref_change.repository_id")
    .selectAll("ref_change")
    .select("repository.organization_id");
}
