/** SQL conditions for rows of the dispatch table that are checks for drift of a pool with a limit on them. */
import { type RawBuilder, sql } from "kysely";

/** The pools that run as many checks for drift as they may. Read once a statement: there are few. */
const FULL_POOLS = sql`(select p.id from runner_pool p
  where p.drift_check_limit is not null and p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id))`;

/** Whether the row with this alias waits because its pool runs as many checks for drift as it may. */
export function isDriftLimited(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column("class")} = 3 and ${column("reachable")} and not ${column("offered")}
    and coalesce(${column("pool_id")} in ${FULL_POOLS}, false))`;
}

/** Whether the row with this alias is no check for drift that its pool limits. Such a check gets a slot by `dispatch_offer` alone. */
export function hasNoDriftLimit(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column("class")} < 3 or not exists (
    select from runner_pool l where l.id = ${column("pool_id")} and l.drift_check_limit is not null))`;
}
