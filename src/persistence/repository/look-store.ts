import { sql } from "kysely";
import type { LookState } from "../../model/repository/repository.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** A look that a server has begun. */
export interface BegunLook {
  repositoryId: string;
  gitHostId: string;
  /** The requests that it answers. */
  wanted: number;
  /** Whether a hook asked for it, or a caller; else it was due by the clock. */
  isHooked: boolean;
  isCalled: boolean;
  foundBy: string;
  failures: number;
  tagsSeen: boolean;
}

interface Claim {
  /** The server that looks. */
  by: string;
  at: string;
  /** Until when the look belongs to it. */
  until: string;
  /** Repositories whose last look began after this instant are left. */
  notSince: string;
  /** Absent: those of all repositories. */
  repositoryId?: string;
}

/** How much may be in progress at hosts, as `HostLimits` of the domain has it. */
export interface ClaimLimits {
  full: readonly string[];
  hosts: readonly string[];
  counts: readonly number[];
  perHost: number;
}

/** Candidates of a claim for each row that it takes: those of one host may be more than that host may have. */
export const CANDIDATES = 10;

/**
 * Takes looks that are due: those that were asked for, then those by the clock. A look never begins while another one of its
 * repository lasts.
 */
export async function claimLooks(
  statement: Statement,
  { by, at, until, notSince, repositoryId }: Claim,
  { full, hosts, counts, perHost }: ClaimLimits,
  atMost: number,
): Promise<BegunLook[]> {
  const which = repositoryId === undefined ? sql`true` : sql`l.repository_id = ${repositoryId}`;
  const { rows } = await sql<BegunLook>`
    with candidate as (
      select l.repository_id, l.wanted = l.done as by_clock, l.next_at, r.git_host_id from repository_look l join repository r on r.id = l.repository_id
      where ${which} and (l.wanted > l.done or l.next_at <= ${at}) and (l.lease_until is null or l.lease_until <= ${at})
        and (l.begun_at is null or l.begun_at <= ${notSince}) and r.git_host_id <> all(${full}::text[])
      order by by_clock, l.next_at limit ${atMost * CANDIDATES}
    ), ranked as (
      select repository_id, git_host_id, by_clock,
        row_number() over (partition by git_host_id order by by_clock, next_at) as place
      from candidate
    ), due as (
      select l.repository_id, ranked.git_host_id from ranked join repository_look l using (repository_id)
        left join unnest(${hosts}::text[], ${counts}::int[]) busy(host, count) on busy.host = ranked.git_host_id
      where ranked.place + coalesce(busy.count, 0) <= ${perHost} and (l.lease_until is null or l.lease_until <= ${at})
        and (l.begun_at is null or l.begun_at <= ${notSince})
      order by ranked.by_clock, l.next_at limit ${atMost} for update of l skip locked
    )
    update repository_look l set lease_by = ${by}, lease_until = ${until}, begun_at = ${at}
    from due where l.repository_id = due.repository_id
    returning l.repository_id as "repositoryId", due.git_host_id as "gitHostId", l.wanted, l.hooked > l.done as "isHooked",
      l.wanted > l.done as "isCalled", l.found_by as "foundBy", l.failures, l.tags_seen as "tagsSeen"`.execute(
    statement.sql,
  );
  return rows;
}

/** Keeps looks of a server until a later instant. */
export async function renewLooks(statement: Statement, by: string, until: string): Promise<void> {
  await statement.sql.updateTable("repository_look").set({ lease_until: until }).where("lease_by", "=", by).execute();
}

/** Locks the look of a repository; `false` if it belongs to another server by now, or the repository was deleted. */
export async function lockLook(tx: Transaction, repositoryId: string, by: string): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("repository_look")
    .select("lease_by")
    .where("repository_id", "=", repositoryId)
    .forUpdate()
    .executeTakeFirst();
  return row?.lease_by === by;
}

/** The result of a look. */
export interface EndedLook {
  repositoryId: string;
  /** The requests that are answered. */
  done: number;
  at: string;
  nextAt: string;
  /** `null` if it succeeded. */
  error: string | null;
  failures: number;
  foundBy: string;
  tagsSeen: boolean;
}

/** Ends a look, and frees its repository for the next one. */
export async function endLook(tx: Transaction, ended: EndedLook): Promise<void> {
  await tx.sql
    .updateTable("repository_look")
    .set({
      done: ended.done,
      next_at: ended.nextAt,
      ...(ended.error === null && { ended_at: ended.at }),
      lease_by: null,
      lease_until: null,
      error: ended.error,
      failures: ended.failures,
      found_by: ended.foundBy,
      tags_seen: ended.tagsSeen,
    })
    .where("repository_id", "=", ended.repositoryId)
    .execute();
}

/** Gives back looks that a server does not finish: they are due at once. */
export async function releaseLooks(statement: Statement, by: string): Promise<void> {
  await statement.sql
    .updateTable("repository_look")
    .set({ lease_by: null, lease_until: null })
    .where("lease_by", "=", by)
    .execute();
}

/** Asks for a look, and returns the number of the request; `null` if the repository was deleted. */
export async function requestLook(statement: Statement, repositoryId: string): Promise<number | null> {
  const row = await statement.sql
    .updateTable("repository_look")
    .set((eb) => ({ wanted: eb("wanted", "+", 1) }))
    .where("repository_id", "=", repositoryId)
    .returning("wanted")
    .executeTakeFirst();
  return row?.wanted ?? null;
}

export async function findLooks(reader: Reader, repositoryIds: readonly string[]): Promise<(LookState | null)[]> {
  const rows = await reader.sql
    .selectFrom("repository_look")
    .select(["repository_id", "done", "ended_at", "error", "found_by", "tags_seen"])
    .where("repository_id", "in", repositoryIds)
    .execute();
  const looks = rows.map((row) => ({
    id: row.repository_id,
    done: row.done,
    endedAt: row.ended_at,
    error: row.error,
    foundBy: row.found_by,
    tagsSeen: row.tags_seen,
  }));
  return inOrder(repositoryIds, looks, ({ id }) => id);
}
