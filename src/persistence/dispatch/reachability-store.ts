/** Which runs an online runner could take, and which run is next if runners differ in what they can take. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";
import { hasNoDriftLimit } from "../run/drift-limit.ts";
import {
  hasRequirements,
  mayBeUnable,
  type RunnerProfile,
  runnerTakes,
  takesRow,
  takesWork,
} from "../run/runner-match.ts";

/** Selects requirements of waiting runs `d` whose `reachable` is wrong: the last runner left, or one came back. */
function staleRequirements(since: string) {
  return sql`select d.* from
      (select distinct organization_id, pool_id, labels, reachable from dispatch where ${hasRequirements("dispatch")}) d
    where d.reachable <> exists (select from runner r left join runner_pool p on p.id = r.pool_id
      where ${runnerTakes("d.organization_id", "d.pool_id", "d.labels")} and ${takesWork(since)})`;
}

/** Lists organizations with runs whose runners came or left. A runner that was not seen after `since` counts as gone. */
export async function listStaleOrganizations(reader: Reader, since: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from (${staleRequirements(since)}) w order by 1
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/**
 * Updates at the end of the transaction whether a runner is present for up to `atMost` runs of the organization, in their
 * order, and assigns its slots again. Rows that are being claimed are skipped.
 */
export function updateReachable(tx: Transaction, organizationId: string, since: string, atMost: number): void {
  tx.beforeCommit(`reach:${organizationId}`, async () => {
    await sql`select 1 from organization where id = ${organizationId} for no key update`.execute(tx.sql);
    await sql`
      with wrong as materialized (select * from (${staleRequirements(since)}) w where organization_id = ${organizationId})
      update dispatch set reachable = not dispatch.reachable where run_id = any (array(
        select o.run_id from dispatch o join wrong on wrong.organization_id = o.organization_id
          and wrong.pool_id is not distinct from o.pool_id and wrong.labels = o.labels and wrong.reachable = o.reachable
        order by o.class, o.priority desc, o.turn limit ${atMost} for update of o skip locked))
    `.execute(tx.sql);
    const { rows } = await sql<{ given: boolean }>`select dispatch_offer(${organizationId}) as given`.execute(tx.sql);
    if (rows.some(({ given }) => given)) tx.announce("work");
  });
}

/**
 * Tests whether a run `o` loses its slot to another one: this runner may not take it, and no runner that may has room. A
 * runner with room has asked for work after `asksSince`.
 */
function cannotBeTaken(runner: RunnerProfile, asksSince: string) {
  return sql`o.offered and ${takesRow(runner, "o")} is not true and not exists (
    select from runner r left join runner_pool p on p.id = r.pool_id
    where ${runnerTakes("o.organization_id", "o.pool_id", "o.labels")} and ${takesWork(asksSince)}
      and r.slots > (select count(*) from job where job.runner_id = r.id and job.ended_at is null))`;
}

/** Finds the organization in which a slot could pass to a run that this runner may take. `null` if there is none. */
export async function findIdleSlot(reader: Reader, runner: RunnerProfile, asksSince: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select d.organization_id as id
    from (select distinct o.organization_id from dispatch o
      where ${mayBeUnable(runner, "o")} and ${cannotBeTaken(runner, asksSince)}) idle
    cross join lateral (select d.organization_id, d.class, d.priority, d.turn from dispatch d
      where d.organization_id = idle.organization_id and not d.offered and d.reachable and ${takesRow(runner, "d")}
        and ${hasNoDriftLimit("d")}
      order by d.class, d.priority desc, d.turn limit 1) d
    order by d.class, d.priority desc, d.turn limit 1
  `.execute(reader.sql);
  return rows[0]?.id ?? null;
}

/**
 * Moves the slot of the last run that waits for other runners to the first run that this runner may take. Returns whether
 * it did. The number of slots stays. It locks only the organization and two rows of `dispatch`.
 */
export async function moveIdleSlot(
  tx: Transaction,
  organizationId: string,
  runner: RunnerProfile,
  asksSince: string,
): Promise<boolean> {
  await sql`select 1 from organization where id = ${organizationId} for no key update`.execute(tx.sql);
  const from = await sql<{ run_id: string }>`
    select o.run_id from dispatch o
    where o.organization_id = ${organizationId} and ${cannotBeTaken(runner, asksSince)}
    order by o.class desc, o.priority, o.turn desc limit 1 for update of o skip locked
  `.execute(tx.sql);
  const to = await sql<{ run_id: string }>`
    select d.run_id from dispatch d
    where d.organization_id = ${organizationId} and not d.offered and d.reachable and ${takesRow(runner, "d")}
      and ${hasNoDriftLimit("d")}
    order by d.class, d.priority desc, d.turn limit 1 for update of d skip locked
  `.execute(tx.sql);
  const [loser, winner] = [from.rows[0]?.run_id, to.rows[0]?.run_id];
  if (loser === undefined || winner === undefined) return false;
  await sql`update dispatch set offered = (run_id = ${winner}) where run_id in (${loser}, ${winner})`.execute(tx.sql);
  return true;
}
