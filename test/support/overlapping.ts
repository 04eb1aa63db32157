/** Two commands at the same time, on two connections, in the order that shows a missing lock. */
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Deps } from "../../src/domain/kit/deps.ts";
import type { Database } from "../../src/persistence/database/database.ts";

/**
 * Runs `first` in a transaction, then `second` on another connection, and commits the transaction when `second` has
 * ended or waits for a lock. Returns how `second` ended; `first` must succeed.
 */
export async function overlapping<Result>(
  deps: Deps,
  first: (within: Deps) => Promise<unknown>,
  second: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>> {
  const { database } = deps;
  const { ended } = await database.transaction(async (tx) => {
    await first({ ...deps, database: { ...database, transaction: (work) => work(tx) } });
    let isOver = false;
    const both = Promise.allSettled([second()]).finally(() => (isOver = true));
    while (!isOver && (await waitersIn(database)) === 0) await setImmediate();
    return { ended: both };
  });
  const [result] = await ended;
  return result;
}

/** The number of connections that wait for a lock. */
export async function waitersIn(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.sql);
  return rows[0]?.count ?? 0;
}
