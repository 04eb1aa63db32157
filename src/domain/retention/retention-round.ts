/** Removes data that organizations no longer keep, in steps of one short transaction each. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { RETENTION_KINDS, type RetentionKind } from "../../model/workspace/retention.ts";
import { removeArchives, sizesOfArchives } from "../../persistence/plan/archive-store.ts";
import { clearOutcomes } from "../../persistence/check/check-result-store.ts";
import { removeEndedBulkOperation } from "../../persistence/bulk/bulk-store.ts";
import { removeEndedSimulation } from "../../persistence/policy/policy-simulation-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { removeSpentAttempts } from "../../persistence/people/identity-store.ts";
import { removeProgramRequests } from "../../persistence/people/program-request-store.ts";
import { removeExchangedTokens } from "../../persistence/people/trust-rule-store.ts";
import { removeEndedSessions } from "../../persistence/people/session-store.ts";
import { removeHintsBefore } from "../../persistence/repository/hint-store.ts";
import { removeRefChangesBefore } from "../../persistence/repository/ref-change-store.ts";
import { removeResults } from "../../persistence/policy/result-store.ts";
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
import { repairLogMonths } from "./log-months.ts";

/** Reports the number of removed batches of logs, events, or archives. */
export type OnRemoved = (kind: RetentionKind, count: number) => void;

/** The result of a step. `more`: more may be left to remove. */
interface Step {
  removed: number;
  more: boolean;
}

type RoundDeps = Pick<Deps, "database" | "clock">;

/**
 * Removes all data that is due. Stops between two steps once the signal is aborted; the next round continues. A failing
 * part does not prevent the others and is thrown after them.
 *
 * @throws AggregateError if more than one part failed
 */
export async function retentionRound(deps: RoundDeps, onRemoved: OnRemoved, signal?: AbortSignal): Promise<void> {
  const parts = [
    () => repairLogMonths(deps),
    () => forgetKeys(deps, signal),
    () => removeBulkOperations(deps, signal),
    () => removeSignIns(deps, signal),
    () => removeHints(deps, signal),
    () => removeRefChanges(deps, signal),
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

/** Removes idempotency keys that have expired. */
async function forgetKeys({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = dayBefore(new Date(clock().getTime() - LIMITS.idempotencyKeyMs).toISOString());
  for (let removed: number = LIMITS.retentionRows; removed === LIMITS.retentionRows && signal?.aborted !== true; ) {
    removed = await database.transaction((tx) => removeIdempotencyKeys(tx, before, LIMITS.retentionRows));
  }
}

/** Removes sessions that have ended, and what could not be used for a sign-in or by a program any more. */
async function removeSignIns({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const at = clock();
  const longAgo = new Date(at.getTime() - LIMITS.programKeptMs);
  const removals = [
    [removeEndedSessions, at],
    [removeSpentAttempts, at],
    [removeProgramRequests, longAgo],
    [removeExchangedTokens, longAgo],
  ] as const;
  for (const [remove, before] of removals) {
    for (let removed: number = LIMITS.retentionRows; removed === LIMITS.retentionRows && signal?.aborted !== true; ) {
      removed = await database.transaction((tx) => remove(tx, before.toISOString(), LIMITS.retentionRows));
    }
  }
}

/** Removes deliveries of git hosts, which are stored to count each once. */
async function removeHints({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - LIMITS.hintKeptMs).toISOString();
  for (let removed: number = LIMITS.retentionRows; removed === LIMITS.retentionRows && signal?.aborted !== true; ) {
    removed = await database.transaction((tx) => removeHintsBefore(tx, before, LIMITS.retentionRows));
  }
}

/** Removes changes of refs that started no runs. */
async function removeRefChanges({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - LIMITS.refChangeKeptMs).toISOString();
  for (let more = true; more && signal?.aborted !== true; ) {
    // Those that others took the place of go first; the next step takes what they refer to.
    more = (await database.transaction((tx) => removeRefChangesBefore(tx, before, LIMITS.retentionRows))) > 0;
  }
}

/** Removes bulk operations and simulations, one per transaction, because one may have thousands of runs. */
async function removeBulkOperations({ database, clock }: RoundDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - LIMITS.bulkKeptMs).toISOString();
  for (let more = true; more && signal?.aborted !== true; ) {
    more = await database.transaction((tx) => removeEndedBulkOperation(tx, before));
  }
  for (let more = true; more && signal?.aborted !== true; ) {
    more = await database.transaction((tx) => removeEndedSimulation(tx, before));
  }
}

/** Excludes the runs of deleted workspaces from lists. */
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

/**
 * Returns the instant before which data is due. Logs partitioned by month are due later, so that whole months can be
 * dropped.
 */
async function dueAt({ database, clock }: RoundDeps, kind: RetentionKind): Promise<string> {
  const waits = kind === "LOGS" && (await listLogMonths(database)) !== null;
  return new Date(clock().getTime() - (waits ? LIMITS.logMonthMs : 0)).toISOString();
}

async function takeStep(tx: Transaction, kind: RetentionKind, due: Due, at: string): Promise<Step> {
  const mark = await takeMark(tx, due.organizationId, kind);
  // Another server is working on it.
  if (mark === null) return { removed: 0, more: false };
  if (kind === "EVENTS") {
    const removed = await removeFeed(tx, due, LIMITS.retentionRows);
    // Its entries refer to events of runs, so those are removed later, by a day because clocks differ.
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

/** Removes the data of these runs, as far as one step may. `upTo`: the last run that is complete; `null` if none is. */
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
    const results = await removeResults(tx, idsOf(runs), LIMITS.retentionRows);
    // One run may have as many as its policies found; the next step continues with the same runs.
    if (results >= LIMITS.retentionRows) return { removed: results, upTo: null };
    await removeRejectedCommands(tx, idsOf(runs), before);
    await clearOutcomes(tx, idsOf(runs), before);
    const events = await removeRunEvents(tx, idsOf(runs), before);
    return { removed: results + events, upTo: runs.at(-1) ?? null };
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

/** Returns the runs and the PLAN runs whose plans they applied; those were skipped while these were live. */
function withPlanRuns(runs: readonly EndedRun[]): string[] {
  const planRuns = runs.flatMap(({ planRunId }) => (planRunId === null ? [] : [planRunId]));
  return [...new Set([...idsOf(runs), ...planRuns])];
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayBefore(instant: string): string {
  return instantAfter(instant, -DAY_MS);
}
