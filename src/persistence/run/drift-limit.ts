/** SQL conditions for rows of the dispatch table that are checks for drift of a pool with a limit on them. */
import { type RawBuilder, sql } from "kysely";

const IS_FULL = sql`p.drift_check_limit is not null and p.deleted_at is null
  and p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)`;

/** The first check for drift that waits for the pool `p`, in the order of its index, or Postgres may read all that wait. */
const FIRST_OF_POOL = sql`(select true from dispatch c where c.pool_id = p.id and c.class = 3 and not c.offered and c.reachable
  order by c.priority desc, c.turn limit 1)`;

/** The pools for which checks for drift wait, and that run as many as they may. Read once a statement: there are few. */
const FULL_POOLS = sql`(select p.id from runner_pool p where p.drift_check_limit is not null and ${FIRST_OF_POOL} and ${IS_FULL})`;

function waitsForPool(alias: string, isFull: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column("class")} = 3 and ${column("reachable")} and not ${column("offered")} and ${isFull})`;
}

/** Whether the row with this alias waits because its pool runs as many checks for drift as it may: for many rows. */
export function isDriftLimited(alias: string): RawBuilder<boolean> {
  return waitsForPool(alias, sql`coalesce(${sql.ref(`${alias}.pool_id`)} in ${FULL_POOLS}, false)`);
}

/** As `isDriftLimited`, for one row: no other pool is read. */
export function isOneDriftLimited(alias: string): RawBuilder<boolean> {
  return waitsForPool(
    alias,
    sql`exists (select from runner_pool p where p.id = ${sql.ref(`${alias}.pool_id`)} and ${IS_FULL})`,
  );
}

/** Whether runs of the organization with this alias wait for a slot that they may have. */
export function hasWaitingRun(alias: string): RawBuilder<boolean> {
  const id = sql.ref(`${alias}.id`);
  const first = (condition: RawBuilder<unknown>) => sql`(select true from dispatch w
    where w.organization_id = ${id} and not w.offered and w.reachable and ${condition} limit 1)`;
  return sql`coalesce(
    ${first(sql`w.class < 3 order by w.class, w.priority desc, w.turn`)},
    ${first(sql`w.class = 3 and w.pool_id is null order by w.priority desc, w.turn`)},
    (select true from runner_pool p where p.organization_id = ${id} and p.deleted_at is null
      and ${FIRST_OF_POOL} and not (${IS_FULL}) limit 1),
    false)`;
}

/** Whether the row with this alias is no check for drift that its pool limits. Such a check gets a slot by `dispatch_offer` alone. */
export function hasNoDriftLimit(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column("class")} < 3 or not exists (
    select from runner_pool l where l.id = ${column("pool_id")} and l.drift_check_limit is not null))`;
}
