/** Requests for work that a server holds open: all of them are looked after together, with one statement. */
import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Reader } from "../database/database.ts";

/** A request that is held open. */
export interface WaitingClaim {
  claimId: string;
  runnerId: string;
  /** The process that asks, as it names itself; null: it does not. */
  instance: string;
  /** By which token it came; null: by that of the shared runners. */
  tokenId: string | null;
  /** It was called, and is looking for itself at this moment. */
  isCalled: boolean;
}

/**
 * The requests, in the order of their turn, each with what decides what its runner gets. Shared runners are of the
 * organization ''.
 */
function waitingRows(claims: readonly WaitingClaim[]): RawBuilder<unknown> {
  const column = (key: keyof WaitingClaim, type: "text" | "boolean") =>
    sql`${claims.map((claim) => claim[key])}::${sql.raw(type)}[]`;
  return sql`
    select w.*, r.pool_id, r.labels, coalesce(p.organization_id, '') as organization_id, p.reserved,
      r.revoked_at is null and p.deleted_at is null and not r.draining and r.drain_requested_at is null as takes_work,
      r.revoked_at is not null or p.deleted_at is not null or r.cycle_instance = w.instance as is_over
    from unnest(${column("claimId", "text")}, ${column("runnerId", "text")}, ${column("instance", "text")},
      ${column("tokenId", "text")}, ${column("isCalled", "boolean")})
      with ordinality as w (claim_id, runner_id, instance, token_id, is_called, turn)
    join runner r on r.id = w.runner_id
    left join runner_pool p on p.id = r.pool_id`;
}

/** Tests whether the request `w` gets another answer than work: it is refused, its process is to end, or it was answered. */
function summoned(at: string): RawBuilder<unknown> {
  return sql`
    select w.claim_id, w.is_called from waiting w
    where w.is_over
      or exists (select from runner_token t
        where t.id = w.token_id and (t.revoked_at is not null or t.expires_at <= ${at}))
      or exists (select from job where job.claim_id = w.claim_id and job.ended_at is null)`;
}

/** Runs that have a place, by what they ask for: those of each organization, and once more under '' those of all. */
const LANES = sql`
  select coalesce(organization_id, '') as organization_id, pool_id, labels, count(*) as runs
  from dispatch where offered group by grouping sets ((organization_id, pool_id, labels), (pool_id, labels))`;

const TAKES = sql`runner_takes(w.pool_id, w.organization_id, w.reserved, w.labels,
  l.organization_id, l.pool_id, l.labels)`;

/**
 * For so many runs as many of those who may take them, whose turn it is: of the shared runners for the runs of all
 * organizations together, or each organization would call the same one; of those of pools for their organization's.
 */
const FIRST_FOR_WORK = sql`
  select claim_id, is_called from (
    select w.claim_id, w.is_called, l.runs,
      row_number() over (partition by l.organization_id, l.pool_id, l.labels order by w.turn) as place
    from waiting w join lanes l on l.organization_id = w.organization_id and ${TAKES}
    where w.takes_work) able
  where place <= runs`;

/**
 * Where runs have places that these may not take, one of each kind: it may be that a place could be moved. Runners may
 * all differ, as by a label with the name of their machine: so many at once, whose turn it is.
 */
const FIRST_OF_KIND = sql`
  (select claim_id, is_called from (
    select distinct on (w.pool_id, w.labels) w.claim_id, w.is_called, w.turn from waiting w
    where w.takes_work and exists (select from lanes l where l.organization_id = w.organization_id and not (${TAKES}))
    order by w.pool_id, w.labels, w.turn) kinds
  order by turn limit ${sql.lit(LIMITS.kindsWokenAtOnce)})`;

/**
 * Those of the requests, given in the order of their turn, that are to look for themselves: by their claim ids. As many
 * as there are runs for them, so that a thousand who wait do not all look for one run; who was called before counts.
 */
export async function findCalled(reader: Reader, claims: readonly WaitingClaim[], at: string): Promise<string[]> {
  const { rows } = await sql<{ claim_id: string }>`
    with waiting as (${waitingRows(claims)}),
    lanes as materialized (${LANES})
    select claim_id from (${summoned(at)} union ${FIRST_FOR_WORK} union ${FIRST_OF_KIND}) found where not is_called
  `.execute(reader.sql);
  return rows.map((row) => row.claim_id);
}

/** Records that these runners still wait. Locked rows are skipped: the session that has the lock updates them. */
export async function touchRunners(reader: Reader, ids: readonly string[], at: string): Promise<void> {
  await sql`
    update runner set last_seen_at = ${at} where id in (
      select id from runner where id = any(${ids}) and revoked_at is null order by id for no key update skip locked)
  `.execute(reader.sql);
}
