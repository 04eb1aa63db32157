/** Removes what organizations no longer keep, in steps of one short transaction each. */
import { LIMITS } from "../../model/kit/limits.ts";
import { RETENTION_KINDS, type RetentionKind } from "../../model/workspace/retention.ts";
import { removeArchives, sizesOfArchives } from "../../persistence/plan/archive-store.ts";
import { removeEndedBulkOperation } from "../../persistence/bulk/bulk-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { hideRuns, noteRunsHidden, takeDeletedWorkspace } from "../../persistence/run/hidden-run-store.ts";
import { removeIdempotencyKeys } from "../../persistence/run/idempotency-store.ts";
import { listLogMonths } from "../../persistence/log/log-month-store.ts";
import {
  removeOtherRejectedCommands,
  removeRejectedCommands,
} from "../../persistence/organization/rejected-command-store.ts";
import {
  type Due,
  type EndedRun,
  listDue,
  listEndedRuns,
  moveMark,
  removeFeed,
  removeLogs,
  removeRunEvents,
  takeMark,
} from "../../persistence/installation/retention-store.ts";
import type { Deps } from "../kit/deps.ts";
import { mendLogMonths } from "./log-months.ts";

/** Batches of logs, events, archives: so many are gone. */
export type OnRemoved = (kind: RetentionKind, count: number) => void;

/** `more`: there may be something left to do. */
interface Step {
  removed: number;
  more: boolean;
}

type RoundDeps = Pick<Deps, "database" | "clock">;

/**
 * Ends early, between two steps, where the signal says so; what is left is done in the next round. A part that fails keeps
 * none of the others from being done, and is thrown after them.
 *
 * @throws AggregateError where more than one failed
 */
export async function retentionRound(deps: RoundDeps, onRemoved: OnRemoved, signal?: AbortSignal): Promise<void> {
  const parts = [
    () => mendLogMonths(deps),
    () => forgetKeys(deps, signal),
    () => removeBulkOperations(deps, signal),
    () => hideDeletedRuns(deps, signal),
    ...RETENTION_KINDS.map((kind) => () => removeKind(deps, kind, onRemoved, signal)),
  ];
  const errors: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts of a round of retention failed`);
  if (errors.length === 1) throw errors[0];
}

async function removeKind(
  deps: RoundDeps,
  kind: RetentionKind,
  onRemoved: OnRemoved,
  signal?: AbortSignal,
): Promise<void> {
  const at = deps.clock().toISOString();
  for (const due of await listDue(deps.database, kind, await dueAt(deps, kind))) {
    for (let more = true; more && signal?.aborted !== true; ) {
      const step = await deps.database.transaction((tx) => takeStep(tx, kind, due, at));
      if (step.removed > 0) onRemoved(kind, step.removed);
      more = step.more;
    }
  }
}

/** Keys of requests that were used so long ago that they say nothing any more. */
async function forgetKeys({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = dayBefore(new Date(clock().getTime() - LIMITS.idempotencyKeyMs).toISOString());
  for (let removed: number = LIMITS.retentionRows; removed === LIMITS.retentionRows && signal?.aborted !== true; ) {
    removed = await database.transaction((tx) => removeIdempotencyKeys(tx, before, LIMITS.retentionRows));
  }
}

/** One in each transaction: it may have thousands of runs. */
async function removeBulkOperations({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - LIMITS.bulkKeptMs).toISOString();
  for (let more = true; more && signal?.aborted !== true; ) {
    more = await database.transaction((tx) => removeEndedBulkOperation(tx, before));
  }
}

/** Takes the runs of deleted workspaces out of what lists look through. */
async function hideDeletedRuns({ database }: Pick<Deps, "database">, signal?: AbortSignal): Promise<void> {
  let last: { workspaceId: string; runId: string } | null = null;
  do {
    const after: typeof last = last;
    last = await database.transaction(async (tx) => {
      const workspaceId = await takeDeletedWorkspace(tx);
      if (workspaceId === null) return null;
      const from = after?.workspaceId === workspaceId ? after.runId : "";
      const runId = await hideRuns(tx, workspaceId, from, LIMITS.retentionRows);
      if (runId === null) await noteRunsHidden(tx, workspaceId);
      return { workspaceId, runId: runId ?? "" };
    });
  } while (last !== null && signal?.aborted !== true);
}

/** As of when things are due. Where logs lie in months, a month of them may first go as one (log-months.ts). */
async function dueAt({ database, clock }: RoundDeps, kind: RetentionKind): Promise<string> {
  const waits = kind === "LOGS" && (await listLogMonths(database)) !== null;
  return new Date(clock().getTime() - (waits ? LIMITS.logMonthMs : 0)).toISOString();
}

async function takeStep(tx: Transaction, kind: RetentionKind, due: Due, at: string): Promise<Step> {
  const mark = await takeMark(tx, due.organizationId, kind);
  // Another server is at it.
  if (mark === null) return { removed: 0, more: false };
  if (kind === "EVENTS") {
    const removed = await removeFeed(tx, due, LIMITS.retentionRows);
    // Its entries point to the events of runs, which therefore come later, and a day at that: clocks differ.
    if (removed > 0) return { removed, more: true };
    const { organizationId, before } = due;
    const rejected = await removeOtherRejectedCommands(tx, organizationId, dayBefore(before), LIMITS.retentionRows);
    if (rejected > 0) return { removed: rejected, more: true };
  }
  const ended = kind === "EVENTS" ? { ...due, before: dayBefore(due.before) } : due;
  const runs = await listEndedRuns(tx, ended, mark, LIMITS.retentionRuns);
  if (runs.length === 0) return { removed: 0, more: false };
  const { removed, upTo } = await REMOVE[kind](tx, runs, ended, at);
  if (upTo !== null) await moveMark(tx, due.organizationId, kind, upTo);
  return { removed, more: true };
}

/** Removes what these runs left, as far as one step may; `upTo` is the last run that is done, null: not even the first. */
type Remove = (
  tx: Transaction,
  runs: readonly EndedRun[],
  due: Due,
  at: string,
) => Promise<{ removed: number; upTo: EndedRun | null }>;

const REMOVE: Record<RetentionKind, Remove> = {
  async LOGS(tx, runs, _due, at) {
    const removed = await removeLogs(tx, idsOf(runs), at, LIMITS.retentionRows);
    return { removed, upTo: removed < LIMITS.retentionRows ? (runs.at(-1) ?? null) : null };
  },
  async EVENTS(tx, runs, { before }) {
    await removeRejectedCommands(tx, idsOf(runs), before);
    return { removed: await removeRunEvents(tx, idsOf(runs), before), upTo: runs.at(-1) ?? null };
  },
  async ARCHIVES(tx, runs, { before }, at) {
    const sizes = await sizesOfArchives(tx, withPlanRuns(runs));
    let bytes = 0;
    const end = runs.findIndex(({ runId, planRunId }, index) => {
      bytes += (sizes.get(runId) ?? 0) + (sizes.get(planRunId ?? "") ?? 0);
      return index > 0 && bytes > LIMITS.retentionBytes;
    });
    const some = end === -1 ? runs : runs.slice(0, end);
    return { removed: await removeArchives(tx, withPlanRuns(some), before, at), upTo: some.at(-1) ?? null };
  },
};

function idsOf(runs: readonly EndedRun[]): string[] {
  return runs.map(({ runId }) => runId);
}

/** With the runs whose plans they applied: those were passed over while these were live. */
function withPlanRuns(runs: readonly EndedRun[]): string[] {
  const planRuns = runs.flatMap(({ planRunId }) => (planRunId === null ? [] : [planRunId]));
  return [...new Set([...idsOf(runs), ...planRuns])];
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayBefore(instant: string): string {
  return new Date(Date.parse(instant) - DAY_MS).toISOString();
}
