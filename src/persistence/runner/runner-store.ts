/** Runners that have asked for work. Processes of one name, within one pool, are one runner. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Placed } from "../../model/people/place.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { EngineVersion } from "../../model/plan/plan.ts";
import type { ClaimingRunner, Runner, RunnerJob } from "../../model/runner/runner.ts";
import { type RunnerActivity, runnerState } from "../../model/runner/runner-state.ts";
import { RUN_LEGS } from "../../model/lifecycle/run-kind.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { RunnerProfile } from "../run/runner-match.ts";
import type { Tables } from "../database/tables.ts";

/** A runner that asks for work. */
export interface AskingRunner extends ClaimingRunner {
  /** Its id where it is new. */
  id: string;
  at: string;
  /** The token that it used; absent: it is shared by all organizations. */
  door?: { poolId: string; tokenId: string } | null;
  engine?: EngineVersion | null;
}

/** The facts of a runner that a claim depends on. */
export interface SeenRunner extends RunnerProfile {
  id: string;
  /** A person asked that it take no new work. */
  drainRequested: boolean;
  /** The process that asks is to end. */
  cycled: boolean;
  /** The runner at its request before this one; `null` if this is the first. */
  former: { lastSeenAt: string; labels: string[]; draining: boolean } | null;
}

interface SeenRow {
  id: string | null;
  drain_requested: boolean;
  cycled: boolean;
  former_at: string | null;
  former_labels: string[] | null;
  former_draining: boolean | null;
  organization_id: string | null;
  reserved: boolean | null;
}

/**
 * Records that a runner of that name has asked for work. Nothing is recorded if it was revoked, or its token is no longer
 * valid.
 */
export async function seeRunner(reader: Reader, asking: AskingRunner): Promise<SeenRunner | "REVOKED" | "NO_TOKEN"> {
  return (await seeAgain(reader, asking)) ?? enterRunner(reader, asking);
}

/** Records a known runner with unchanged facts, as in nearly all claims. `null` in any other case. */
async function seeAgain(reader: Reader, asking: AskingRunner): Promise<SeenRunner | null> {
  const { version, at, labels, slots, draining, instance, door = null, engine } = asking;
  const see = door === null ? seeShared : seeInPool;
  const [row] = await see(reader, {
    key: keyOf(door?.poolId ?? null, asking.name),
    at,
    onlineSince: instantAfter(at, -LIMITS.runnerOfflineMs),
    version,
    instance,
    labels,
    slots,
    draining,
    engineName: engine?.name ?? null,
    engineVersion: engine?.version ?? null,
    tokenId: door?.tokenId ?? null,
    poolId: door?.poolId ?? null,
  });
  return row === undefined ? null : toSeen(row, door, labels);
}

const seeShared = prepared((_db, slot: Slot<Record<string, unknown>>) =>
  seeing(slot, {
    tables: sql``,
    home: sql`null as organization_id, null::boolean as reserved`,
    through: sql`r.pool_id is null`,
  }),
);
const seeInPool = prepared((_db, slot: Slot<Record<string, unknown>>) =>
  seeing(slot, {
    tables: sql`from ${OPEN_DOORS}`,
    home: sql`p.organization_id, p.reserved`,
    through: sql`r.pool_id = p.id and ${opens({ poolId: slot("poolId"), tokenId: slot("tokenId") }, slot("at"))}`,
  }),
);

function seeing(
  slot: Slot<Record<string, unknown>>,
  { tables, home, through }: Record<"tables" | "home" | "through", RawBuilder<unknown>>,
): RawBuilder<SeenRow> {
  return sql<SeenRow>`
    update runner r set last_seen_at = ${slot("at")} ${tables}
    where r.key = ${slot("key")} and r.revoked_at is null and r.last_seen_at >= ${slot("onlineSince")}
      and r.version = ${slot("version")} and r.instance = ${slot("instance")}
      and r.labels = ${slot("labels")}::text[] and r.slots = ${slot("slots")} and r.draining = ${slot("draining")}
      and r.engine_name is not distinct from ${slot("engineName")}
      and r.engine_version is not distinct from ${slot("engineVersion")} and ${through}
    returning r.id, r.drain_requested_at is not null as drain_requested,
      coalesce(r.cycle_instance = r.instance, false) as cycled, r.last_seen_at as former_at,
      r.labels as former_labels, r.draining as former_draining, ${home}`;
}

const OPEN_DOORS = sql`runner_token t join runner_pool p on p.id = t.pool_id`;

/** The condition for a token to let runners into its pool. */
function opens(
  { poolId, tokenId }: Record<"poolId" | "tokenId", string | RawBuilder<unknown>>,
  at: string | RawBuilder<unknown>,
) {
  return sql`t.id = ${tokenId} and p.id = ${poolId} and p.deleted_at is null and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > ${at})`;
}

async function enterRunner(reader: Reader, asking: AskingRunner): Promise<SeenRunner | "REVOKED" | "NO_TOKEN"> {
  const { id, name, version, at, labels, slots, draining, instance } = asking;
  const { door = null, engine = null } = asking;
  const poolId = door?.poolId ?? null;
  const { rows } = await sql<SeenRow>`
    with door as (
      select p.organization_id, p.reserved from ${OPEN_DOORS} where ${door === null ? sql`false` : opens(door, at)}
    ), former as (
      select last_seen_at, labels, draining from runner where key = ${keyOf(poolId, name)}
    ), seen as (
      insert into runner (id, key, pool_id, name, version, instance, labels, slots, draining, engine_name,
        engine_version, last_seen_at)
      select ${id}, ${keyOf(poolId, name)}, ${poolId}, ${name}, ${version},
        ${instance}, ${labels}::text[], ${slots}::integer, ${draining}::boolean,
        ${engine?.name ?? null}, ${engine?.version ?? null}, ${at}::timestamptz
      where ${poolId}::text is null or exists (select from door)
      on conflict (key) do update set version = excluded.version, instance = excluded.instance,
        labels = excluded.labels, slots = excluded.slots, draining = excluded.draining,
        engine_name = excluded.engine_name, engine_version = excluded.engine_version,
        last_seen_at = excluded.last_seen_at
      where runner.revoked_at is null and runner.pool_id is not distinct from excluded.pool_id
      returning id, drain_requested_at is not null as drain_requested,
        coalesce(cycle_instance = instance, false) as cycled
    )
    select seen.*, former.last_seen_at as former_at, former.labels as former_labels, former.draining as former_draining,
      door.organization_id, door.reserved
    from (select 1) one left join seen on true left join former on true left join door on true
  `.execute(reader.sql);
  const [row] = rows;
  if (row === undefined || (door !== null && row.organization_id === null)) return "NO_TOKEN";
  return toSeen(row, door, labels) ?? "REVOKED";
}

function toSeen(row: SeenRow, door: AskingRunner["door"], labels: readonly string[]): SeenRunner | null {
  const { id, organization_id: organizationId, reserved, former_at: lastSeenAt, former_labels: former } = row;
  if (id === null) return null;
  const inPool = door !== null && door !== undefined && organizationId !== null;
  return {
    id,
    pool: inPool ? { id: door.poolId, organizationId, reserved: reserved === true } : null,
    labels,
    drainRequested: row.drain_requested,
    cycled: row.cycled,
    former: lastSeenAt === null ? null : { lastSeenAt, labels: former ?? [], draining: row.former_draining === true },
  };
}

/** Names are unique within a pool, and among the shared runners. */
function keyOf(poolId: string | null, name: string): string {
  return poolId === null ? name : `${poolId}/${name}`;
}

export async function touchRunner(tx: Transaction | Reader, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("runner").set({ last_seen_at: at }).where("id", "=", id).execute();
}

/** Notes that a lease of the runner ran out. */
export async function noteLostRunner(reader: Reader, id: string, at: string): Promise<void> {
  await reader.sql.updateTable("runner").set({ lost_at: at }).where("id", "=", id).execute();
}

type RunnerRow = Selectable<Tables["runner"]> & { job_count: number; pool_organization_id: string | null };

function toRunner(row: RunnerRow, at: Date): Placed<Runner> {
  const facts: RunnerActivity = {
    lastSeenAt: row.last_seen_at,
    lostAt: row.lost_at,
    draining: row.draining,
    drainRequestedAt: row.drain_requested_at,
    instance: row.instance,
    cycleInstance: row.cycle_instance,
    revokedAt: row.revoked_at,
    jobCount: row.job_count,
  };
  const { engine_name: engine, engine_version: version } = row;
  return {
    id: row.id,
    organizationId: row.pool_organization_id,
    projectId: null,
    workspaceId: null,
    name: row.name,
    poolId: row.pool_id,
    version: row.version,
    engine: engine === null || version === null ? null : { name: engine, version },
    labels: row.labels,
    slots: row.slots,
    state: runnerState(facts, at),
    lastSeenAt: row.last_seen_at,
    drainRequestedAt: row.drain_requested_at,
    revokedAt: row.revoked_at,
  };
}

/** The organization of a runner's pool; `null` if all organizations share the runner. */
const ORGANIZATION_OF_POOL = sql<string | null>`(select organization_id from runner_pool
  where runner_pool.id = runner.pool_id)`.as("pool_organization_id");

function runners(reader: Reader) {
  return reader.sql
    .selectFrom("runner")
    .selectAll("runner")
    .select(ORGANIZATION_OF_POOL)
    .select(
      sql<number>`(select count(*) from job where job.runner_id = runner.id and job.ended_at is null)`.as("job_count"),
    );
}

/** As they are at that instant. */
export async function findRunners(
  reader: Reader,
  ids: readonly string[],
  at: Date,
): Promise<(Placed<Runner> | null)[]> {
  const rows = await runners(reader).where("runner.id", "in", ids).execute();
  return inOrder(
    ids,
    rows.map((row) => toRunner(row, at)),
    (runner) => runner.id,
  );
}

/** Selects the runners of one pool, or all that an organization's runs may get, the shared ones included. */
export type RunnersOf = { poolId: string } | { organizationId: string };

/** Oldest first; positions are ids. */
export async function listRunners(
  reader: Reader,
  whose: RunnersOf,
  page: PageRequest<string>,
  at: Date,
): Promise<Page<Placed<Runner>>> {
  const { after, before } = page;
  const within =
    "poolId" in whose
      ? sql<boolean>`runner.pool_id = ${whose.poolId}`
      : sql<boolean>`(runner.pool_id is null or runner.pool_id in (select id from runner_pool
          where organization_id = ${whose.organizationId}))`;
  const rows = await runners(reader)
    .where(within)
    .$if(after !== null, (q) => q.where("runner.id", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("runner.id", "<", before ?? ""))
    .orderBy("runner.id", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(
    page,
    rows.map((row) => toRunner(row, at)),
  );
}

/** Lists the jobs of runners, oldest first. */
export async function listRunnerJobs(reader: Reader, runnerIds: readonly string[]): Promise<RunnerJob[][]> {
  const rows = await reader.sql
    .selectFrom("job")
    .select(["id", "run_id", "runner_id", "leg", "claimed_at", "expires_at"])
    .where("runner_id", "in", runnerIds)
    .where("ended_at", "is", null)
    .orderBy("id")
    .execute();
  const jobs = rows.map((row) => ({
    id: row.id,
    runId: row.run_id,
    runnerId: row.runner_id,
    leg: word(RUN_LEGS, row.leg),
    since: row.claimed_at,
    leaseEndsAt: row.expires_at,
  }));
  return grouped(runnerIds, jobs, (job) => job.runnerId);
}

/** Locks the row of a runner, also against `holdRunner`; `null` if there is none. Its place is the organization of its pool. */
export async function lockRunner(
  tx: Transaction,
  id: string,
): Promise<Placed<{ id: string; poolId: string | null; instance: string }> | null> {
  const row = await tx.sql
    .selectFrom("runner")
    .select(["id", "pool_id", "instance", ORGANIZATION_OF_POOL])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    poolId: row.pool_id,
    instance: row.instance,
    organizationId: row.pool_organization_id,
    projectId: null,
    workspaceId: null,
  };
}

/** Orders to a runner; an absent field stays. */
export interface RunnerOrders {
  drainRequestedAt?: string | null;
  cycleInstance?: string | null;
  revokedAt?: string | null;
}

export async function orderRunner(tx: Transaction, id: string, orders: RunnerOrders): Promise<void> {
  const { drainRequestedAt, cycleInstance, revokedAt } = orders;
  await tx.sql
    .updateTable("runner")
    .set({
      ...(drainRequestedAt !== undefined && { drain_requested_at: drainRequestedAt }),
      ...(cycleInstance !== undefined && { cycle_instance: cycleInstance }),
      ...(revokedAt !== undefined && { revoked_at: revokedAt }),
    })
    .where("id", "=", id)
    .execute();
}

/** Finds when any runner was last seen; `null` if none ever was. */
export async function runnersSeenAt(reader: Reader): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("runner")
    .select((eb) => eb.fn.max("last_seen_at").as("at"))
    .executeTakeFirst();
  return row?.at ?? null;
}
