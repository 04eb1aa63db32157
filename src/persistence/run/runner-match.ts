/** SQL conditions for which runner may take which run, by the function `runner_takes` of the database. */
import { type RawBuilder, sql } from "kysely";
import type { Slot } from "../database/prepared.ts";

/** A runner as far as it decides what it gets. */
export interface RunnerProfile {
  /** null: shared by all organizations. */
  pool: { id: string; organizationId: string; reserved: boolean } | null;
  labels: readonly string[];
}

/** A runner in SQL: values, or the slots of a prepared statement. */
interface ReachExpression {
  pool: { id: string | RawBuilder<unknown>; organizationId: string | RawBuilder<unknown>; reserved: boolean } | null;
  labels: readonly string[] | RawBuilder<unknown>;
}

/** The values of the slots of `reachSlots`. */
export interface ReachArguments {
  poolId: string | null;
  poolOrganizationId: string | null;
  labels: readonly string[];
}

/** Replaces a runner by slots. Runners of the same `reachShape` share the statement. */
export function reachSlots({ pool, labels }: RunnerProfile, slot: Slot<ReachArguments>): ReachExpression {
  return {
    pool:
      pool === null
        ? null
        : { id: slot("poolId"), organizationId: slot("poolOrganizationId"), reserved: pool.reserved },
    labels: labels.length === 0 ? [] : slot("labels"),
  };
}

export function reachArguments({ pool, labels }: RunnerProfile): ReachArguments {
  return { poolId: pool?.id ?? null, poolOrganizationId: pool?.organizationId ?? null, labels };
}

export function reachShape({ pool, labels }: RunnerProfile): string {
  return `${pool === null ? "shared" : pool.reserved} ${labels.length > 0}`;
}

/** Whether the runner may take the row of `dispatch` with this alias. */
export function takesRow({ pool, labels }: ReachExpression, alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const able =
    Array.isArray(labels) && labels.length === 0
      ? sql<boolean>`${column("labels")} = '{}'`
      : sql<boolean>`${column("labels")} <@ ${labels}::text[]`;
  if (pool === null) return sql`(${column("pool_id")} is null and ${able})`;
  const wanted = sql<boolean>`${column("pool_id")} = ${pool.id}`;
  const here = sql<boolean>`${column("organization_id")} = ${pool.organizationId}`;
  const mine = pool.reserved ? wanted : sql<boolean>`(${wanted} or ${column("pool_id")} is null)`;
  return sql`(${here} and ${mine} and ${able})`;
}

/** The requirements of a run. */
export interface Requirements {
  organizationId: string;
  poolId: string | null;
  labels: readonly string[];
}

/** The requirements of a run as expressions of SQL. */
type RequirementsOf = { readonly [Name in keyof Requirements]: Requirements[Name] | RawBuilder<unknown> };

/** Whether every shared runner may take it. */
export function requiresNothing({ poolId, labels }: Pick<Requirements, "poolId" | "labels">): boolean {
  return poolId === null && labels.length === 0;
}

/** Tests whether a row of `dispatch` with this alias has requirements; the indexes contain the same expression. */
export function hasRequirements(alias: string): RawBuilder<boolean> {
  return sql.raw(`(${alias}.pool_id is not null or ${alias}.labels <> '{}')`);
}

/**
 * Whether the runner may be unable to take the row with this alias, while it takes others of the organization: one that
 * all organizations share takes what asks for nothing.
 */
export function mayBeUnable({ pool }: RunnerProfile, alias: string): RawBuilder<boolean> {
  return pool === null ? hasRequirements(alias) : sql`${sql.ref(`${alias}.organization_id`)} = ${pool.organizationId}`;
}

/** Whether `r`, a runner, with `p`, its pool or nothing, may take a run with these expressions for its wishes. */
export function runnerTakes(organization: string, pool: string, labels: string): RawBuilder<boolean> {
  return sql.raw(
    `runner_takes(r.pool_id, p.organization_id, p.reserved, r.labels, ${organization}, ${pool}, ${labels})`,
  );
}

/** Tests whether `r` was seen since then and takes new work, and its pool `p`, if any, was not deleted. */
export function takesWork(since: RawBuilder<string> | string): RawBuilder<boolean> {
  return sql`(r.revoked_at is null and p.deleted_at is null and not r.draining and r.drain_requested_at is null and r.last_seen_at >= ${since})`;
}

/** Whether a runner is there for a run with these wishes. */
export function isReachable(
  { organizationId, poolId, labels }: RequirementsOf,
  since: RawBuilder<string> | string,
): RawBuilder<boolean> {
  return sql`exists (select from runner r left join runner_pool p on p.id = r.pool_id
    where runner_takes(r.pool_id, p.organization_id, p.reserved, r.labels,
      ${organizationId}, ${poolId}, ${labels}::text[]) and ${takesWork(since)})`;
}
