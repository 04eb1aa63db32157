/**
 * Partitions logs by month: creates partitions in advance, and drops old ones once no organization keeps their logs.
 */
import { LIMITS } from "../../model/kit/limits.ts";
import { type LogMonth, monthsBefore, OPEN_LOG_PART, planLogMonths } from "../../model/log/log-months.ts";
import {
  aloneWithLogMonths,
  cutLogMonths,
  dropLeftBound,
  dropLogMonth,
  expireLogs,
  type LogKeeper,
  listLogKeepers,
  listLogMonths,
  logMonthBytes,
  newestLoggedRun,
} from "../../persistence/log/log-month-store.ts";
import type { Database } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";

type MonthDeps = Pick<Deps, "database" | "clock">;

async function withPartitionLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const done = await aloneWithLogMonths(database, async () => ({ value: await work() }));
  if (done === null)
    throw new Error("Another process is changing the partitions of logs. Try again once it has ended.");
  return done.value;
}

/** Completes interrupted work on partitions, unless another call is running. */
export async function repairLogMonths({ database }: Pick<Deps, "database">): Promise<void> {
  await aloneWithLogMonths(database, () => dropLeftBound(database));
}

/** Creates missing partitions for the current month and `monthsAhead` more; returns their names. */
export function makeLogMonths(deps: MonthDeps, monthsAhead: number): Promise<string[]> {
  return withPartitionLock(deps.database, () => makeMissing(deps, monthsAhead));
}

async function makeMissing({ database, clock }: MonthDeps, monthsAhead: number): Promise<string[]> {
  const parts = await listLogMonths(database);
  const open = parts?.find(({ name }) => name === OPEN_LOG_PART);
  if (parts !== null && open === undefined)
    throw new Error("The table log_batch has partitions that Holdpoint did not create. Remove them first.");
  const newestId = await newestLoggedRun(database, open !== undefined);
  const plan = planLogMonths(open?.from ?? null, newestId, clock(), monthsAhead);
  if (plan === null) return [];
  await cutLogMonths(database, plan);
  return [plan.closed.name, ...plan.months.map(({ name }) => name)];
}

/**
 * The result for a month. `dropped`: its size in bytes. Not dropped if an organization keeps its logs or a line was
 * added meanwhile.
 */
export interface LogMonthEnd {
  month: LogMonth;
  bytes: number;
  dropped: boolean;
  keptBy: LogKeeper[];
}

/**
 * Drops the months that end before an instant and whose logs every organization has stopped keeping (`logDays`). First
 * marks their runs' logs as removed, as row-by-row retention does.
 */
export function dropLogMonths(deps: MonthDeps, beforeMs: number): Promise<LogMonthEnd[]> {
  return withPartitionLock(deps.database, () => dropDue(deps, beforeMs));
}

async function dropDue({ database, clock }: MonthDeps, beforeMs: number): Promise<LogMonthEnd[]> {
  const ends: LogMonthEnd[] = [];
  for (const month of monthsBefore((await listLogMonths(database)) ?? [], beforeMs, clock())) {
    const at = clock().toISOString();
    const bytes = await logMonthBytes(database, month);
    const keptBy = await database.transaction((tx) => listLogKeepers(tx, month, at));
    const isDue = keptBy.length === 0;
    if (isDue) {
      for (let last: string | null = ""; last !== null; ) {
        const after: string = last;
        last = await database.transaction((tx) => expireLogs(tx, month, after, at, LIMITS.logMonthHeads));
      }
    }
    ends.push({ month, bytes, dropped: isDue && (await dropLogMonth(database, month)), keptBy });
  }
  return ends;
}
