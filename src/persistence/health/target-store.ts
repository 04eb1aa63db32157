/** Targets of the probes of workspaces, with their states. */
import { sql } from "kysely";
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type { PlannedTarget } from "../../model/health/plan-targets.ts";
import type { ProbePool } from "../../model/health/prober-desk.ts";
import { RUNTIME_HEALTHS, type RuntimeHealth, type TargetHealth } from "../../model/health/runtime-health.ts";
import type { TargetKey } from "../../model/health/target-hash.ts";
import type { TargetState } from "../../model/health/target-state.ts";
import { CHANGING_STATUSES } from "../../model/lifecycle/run-status.ts";
import { PROBE_WEIGHTS, type ProbeWeight } from "../../model/probe/probe.ts";
import type { ProbeRequest } from "../../model/probe/probe-request.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import type { Cipher } from "../installation/cipher.ts";

/** The state of a target, and what follows from it. */
export interface TargetStanding {
  state: TargetState;
  status: RuntimeHealth;
  since: string | null;
  /** Why it is not HEALTHY; `null` if it is. */
  reason: string | null;
  absent: boolean;
  sampledAt: string | null;
  latencyMs: number | null;
}

export interface StoredTarget extends PlannedTarget, TargetStanding {
  id: number;
}

const ownerOf = ({ workspaceId, probe, number }: TargetKey): string =>
  `workspace/${workspaceId}/target/${probe}/${number}`;

const COLUMNS = [
  "id",
  "workspace_id",
  "probe",
  "number",
  "weight",
  "pool",
  "shard",
  "address",
  "unresolved",
  "request_sealed",
  "interval_ms",
  "state",
  "status",
  "since",
  "reason",
  "absent",
  "sampled_at",
  "latency_ms",
] as const;

interface Row {
  id: number;
  workspace_id: string;
  probe: string;
  number: number;
  weight: string;
  pool: string;
  shard: number;
  address: string | null;
  unresolved: string | null;
  request_sealed: Buffer | null;
  interval_ms: number;
  state: TargetState;
  status: string;
  since: string | null;
  reason: string | null;
  absent: boolean;
  sampled_at: string | null;
  latency_ms: number | null;
}

function toStanding(row: Omit<Row, "request_sealed">): TargetStanding {
  const { state, since, reason, absent } = row;
  const status = word(RUNTIME_HEALTHS, row.status);
  return { state, status, since, reason, absent, sampledAt: row.sampled_at, latencyMs: row.latency_ms };
}

function toTarget(row: Row, cipher: Cipher): StoredTarget {
  const { id, probe, number, pool, shard, address, unresolved } = row;
  const name = { workspaceId: row.workspace_id, probe, number };
  const sealed = row.request_sealed;
  const request: ProbeRequest | null =
    sealed === null ? null : JSON.parse(cipher.open(sealed, ownerOf(name)).toString());
  const facts = { pool, shard, address, unresolved, request, intervalMs: row.interval_ms };
  return { id, ...name, weight: word(PROBE_WEIGHTS, row.weight), ...facts, ...toStanding(row) };
}

/** Lists the targets of a workspace, with their requests. */
export async function listTargets(reader: Reader, cipher: Cipher, workspaceId: string): Promise<StoredTarget[]> {
  const rows = await reader.sql
    .selectFrom("probe_target")
    .select(COLUMNS)
    .where("workspace_id", "=", workspaceId)
    .orderBy("probe")
    .orderBy("number")
    .execute();
  return rows.map((row) => toTarget(row, cipher));
}

/** Lists the targets of shards that have an address, with their requests. */
export async function listTargetsOfShards(
  reader: Reader,
  cipher: Cipher,
  pool: ProbePool,
  shards: readonly number[],
): Promise<StoredTarget[]> {
  const rows = await reader.sql
    .selectFrom("probe_target")
    .select(COLUMNS)
    .where("pool", "=", pool)
    .where("shard", "in", shards)
    .where("address", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => toTarget(row, cipher));
}

/** Inserts a target. */
export async function insertTarget(
  tx: Transaction,
  cipher: Cipher,
  target: PlannedTarget & TargetStanding,
  at: string,
): Promise<void> {
  await tx.sql
    .insertInto("probe_target")
    .values({
      workspace_id: target.workspaceId,
      probe: target.probe,
      number: target.number,
      created_at: at,
      ...factColumns(target, cipher),
      ...standingColumns(target),
    })
    .execute();
}

/** Writes a target whose facts have changed. */
export async function updateTarget(tx: Transaction, cipher: Cipher, target: StoredTarget): Promise<void> {
  await tx.sql
    .updateTable("probe_target")
    .set({ ...factColumns(target, cipher), ...standingColumns(target) })
    .where("id", "=", target.id)
    .execute();
}

function factColumns(target: PlannedTarget, cipher: Cipher) {
  const { weight, pool, shard, address, unresolved, request, intervalMs } = target;
  const sealed = request === null ? null : cipher.seal(Buffer.from(JSON.stringify(request)), ownerOf(target));
  return { weight, pool, shard, address, unresolved, request_sealed: sealed, interval_ms: intervalMs };
}

function standingColumns({ state, status, since, reason, absent, sampledAt, latencyMs }: TargetStanding) {
  const shown = { status, since, reason, absent, sampled_at: sampledAt, latency_ms: latencyMs };
  return { state: JSON.stringify(state), ...shown };
}

export async function deleteTargets(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.sql.deleteFrom("probe_target").where("id", "in", ids).execute();
}

/** A target of a shard, as a report needs it. */
export interface ReportedTarget extends TargetStanding {
  id: number;
  workspaceId: string;
  shard: number;
  /** A run changes it at the moment. */
  held: boolean;
}

/** Finds the names of targets. */
export async function findTargetKeys(reader: Reader, ids: readonly number[]): Promise<(TargetKey & { id: number })[]> {
  return reader.sql
    .selectFrom("probe_target")
    .select(["id", "workspace_id as workspaceId", "probe", "number"])
    .where("id", "in", ids)
    .execute();
}

/** Lists the workspaces of targets of a pool, in the order of their ids. */
export async function listTargetWorkspaces(reader: Reader, pool: ProbePool, ids: readonly number[]): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("probe_target")
    .select("workspace_id")
    .distinct()
    .where("pool", "=", pool)
    .where("address", "is not", null)
    .where("id", "in", ids)
    .orderBy("workspace_id")
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Finds targets of a pool. */
export async function findReportedTargets(
  reader: Reader,
  pool: ProbePool,
  ids: readonly number[],
): Promise<ReportedTarget[]> {
  const rows = await reader.sql
    .selectFrom("probe_target")
    .select((eb) => [
      ...COLUMNS.filter((column) => column !== "request_sealed"),
      eb
        .exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "probe_target.workspace_id")
            .where("run.finished_at", "is", null)
            .where("run.status", "in", CHANGING_STATUSES),
        )
        .as("held"),
    ])
    .where("pool", "=", pool)
    .where("address", "is not", null)
    .where("id", "in", ids)
    .execute();
  return rows.map((row) => {
    return { id: row.id, workspaceId: row.workspace_id, shard: row.shard, held: Boolean(row.held), ...toStanding(row) };
  });
}

/** Writes the states of targets, in one statement. The health of their workspaces must be locked. */
export async function updateStandings(
  tx: Transaction,
  targets: readonly (TargetStanding & { id: number })[],
): Promise<void> {
  await sql`
    update probe_target t set state = n.state::jsonb, status = n.status, since = n.since, reason = n.reason,
      absent = n.absent, sampled_at = n.sampled_at, latency_ms = n.latency_ms
    from unnest(${targets.map(({ id }) => id)}::int[], ${targets.map(({ state }) => JSON.stringify(state))}::text[],
      ${targets.map(({ status }) => status)}::text[], ${targets.map(({ since }) => since)}::timestamptz[],
      ${targets.map(({ reason }) => reason)}::text[], ${targets.map(({ absent }) => absent)}::boolean[],
      ${targets.map(({ sampledAt }) => sampledAt)}::timestamptz[], ${targets.map(({ latencyMs }) => latencyMs)}::int[])
      as n (id, state, status, since, reason, absent, sampled_at, latency_ms)
    where t.id = n.id`.execute(tx.sql);
}

/** Lists the targets of a prober that a run changes at the moment. */
export async function listHeldTargets(reader: Reader, proberId: string): Promise<number[]> {
  const rows = await reader.sql
    .selectFrom("run")
    .innerJoin("probe_target", "probe_target.workspace_id", "run.workspace_id")
    .innerJoin("probe_shard", (join) =>
      join.onRef("probe_shard.pool", "=", "probe_target.pool").onRef("probe_shard.shard", "=", "probe_target.shard"),
    )
    .select("probe_target.id")
    .where("run.status", "in", CHANGING_STATUSES)
    .where("probe_shard.prober_id", "=", proberId)
    .where("probe_target.address", "is not", null)
    .orderBy("probe_target.id")
    .execute();
  return rows.map(({ id }) => id);
}

/** A target that no prober has. */
export interface AbsentTarget {
  id: number;
  workspaceId: string;
  pool: ProbePool;
}

/** Lists targets that no prober has had for some intervals, and that are not known as such. */
export async function listAbsentTargets(reader: Reader, at: string, limit: number): Promise<AbsentTarget[]> {
  const { rows } = await sql<AbsentTarget>`
    select t.id, t.workspace_id as "workspaceId", t.pool
    from probe_shard s join probe_target t on t.pool = s.pool and t.shard = s.shard
    where s.left_at is not null and t.address is not null and not t.absent
      and greatest(s.left_at, t.created_at) + t.interval_ms * ${sql.lit(`${HEALTH_LIMITS.absentIntervals} milliseconds`)}::interval
        <= ${at}::timestamptz
      and not exists (
        select from run r where r.workspace_id = t.workspace_id and r.finished_at is null and r.status = any(${CHANGING_STATUSES})
      )
    order by t.id limit ${limit}`.execute(reader.sql);
  return rows;
}

/** Notes that nothing is known about targets any more, if still no prober has them. Their counters stay. */
export async function markAbsent(
  tx: Transaction,
  ids: readonly number[],
  { at, reason }: { at: string; reason: string },
): Promise<void> {
  await sql`
    update probe_target t set absent = true, reason = ${reason}, status = 'UNKNOWN',
      since = case when t.status = 'UNKNOWN' then t.since else ${at}::timestamptz end
    from probe_shard s
    where t.id = any(${ids}) and s.pool = t.pool and s.shard = t.shard and s.left_at is not null`.execute(tx.sql);
}

/** A target as readers see it, and as it is judged. */
export interface ShownTarget extends TargetHealth {
  id: number;
  workspaceId: string;
  weight: ProbeWeight;
  absent: boolean;
}

/** Lists the targets of workspaces, in the order of their probes. */
export async function listShownTargets(reader: Reader, workspaceIds: readonly string[]): Promise<ShownTarget[]> {
  const rows = await reader.sql
    .selectFrom("probe_target")
    .innerJoin("probe", (join) =>
      join.onRef("probe.workspace_id", "=", "probe_target.workspace_id").onRef("probe.name", "=", "probe_target.probe"),
    )
    .select(COLUMNS.filter((column) => column !== "request_sealed").map((column) => `probe_target.${column}` as const))
    .where("probe_target.workspace_id", "in", workspaceIds)
    .orderBy("probe_target.workspace_id")
    .orderBy("probe.position")
    .orderBy("probe_target.number")
    .execute();
  return rows.map((row) => {
    const { state, ...standing } = toStanding(row);
    const { id, probe, number, address } = row;
    const weight = word(PROBE_WEIGHTS, row.weight);
    return { id, workspaceId: row.workspace_id, probe, number, weight, address, failure: state.failure, ...standing };
  });
}
