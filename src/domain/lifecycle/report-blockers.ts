/** Records the blockers of waiting runs, for their listeners, whenever they differ from the last recorded ones. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import {
  dispatchClass,
  obstaclesOf,
  obstacleKindsOf,
  shortageOf,
  type AdmissionConditions,
} from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { runnersSeenAt } from "../../persistence/runner/runner-store.ts";
import {
  type DispatchReport,
  findDispatchReport,
  listStaleReports,
  setReportedBlockers,
  type BlockerReport,
} from "../../persistence/dispatch/blocker-report-store.ts";
import { type Line, listQueued, type WaitingRun } from "../../persistence/run/run-queue-store.ts";
import { tryLockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type WorkspaceContext, lockForChange } from "./locked-run.ts";
import { recordBlockers } from "./record-transition.ts";

/** How many queued runs are read: one more than are reported, because the first one is usually admitted. */
export const QUEUE_READ = LIMITS.blockersReported + 1;

/** The state of a workspace after `settleWorkspace` has admitted runs. */
export interface Settled {
  context: WorkspaceContext;
  conditions: AdmissionConditions;
  /** The waiting runs before any was admitted. */
  line: Line;
  admitted: ReadonlyMap<string, Run>;
  holder: Run | null;
  /** Ids of its runs in the dispatch table. */
  dispatched: ReadonlySet<string>;
  /** Ids of runs whose status changed in this transaction; the event of the status covers their blockers. */
  fresh: ReadonlySet<string>;
}

/**
 * Records the blockers of the first waiting runs of a workspace; the others follow as they move up. Shortages of runs
 * in the dispatch table are recorded by `reportShortages`.
 */
export async function reportBlockers(tx: Transaction, deps: Deps, settled: Settled): Promise<void> {
  const waiting = sortByClaimOrder(await listWaiting(tx, settled));
  const reports: BlockerReport[] = [];
  for (const [index, { run, blockers: reported }] of waiting.entries()) {
    const capacity = settled.dispatched.has(run.id);
    if (capacity && isShortage(reported)) continue;
    const before = capacity ? null : findPredecessor(run, waiting.slice(0, index), settled);
    const now = obstaclesOf(run, settled.conditions, before).map(({ kind, runId }) =>
      [kind, runId ?? []].flat().join(" "),
    );
    const key = now.join(",");
    if (key === reported) continue;
    if (settled.fresh.has(run.id)) await setReportedBlockers(tx, run.id, key);
    else reports.push({ run, reported: key });
  }
  await recordBlockers(tx, deps, reports);
}

/** Lists the first runs that wait for a runner, and the first of the queue, after runs were admitted. */
async function listWaiting(tx: Transaction, { context, line, admitted }: Settled): Promise<WaitingRun[]> {
  const moved = [...admitted.values()]
    .filter(({ status }) => STATUS_TRAITS[status].claimable)
    .map((run) => ({ run, blockers: "" }));
  const claimable = [...line.waiting, ...line.plans, ...moved].toSorted(
    ({ run: a }, { run: b }) => b.priority - a.priority || a.number - b.number,
  );
  let queued = line.queued.filter(({ run }) => !admitted.has(run.id));
  const isCut = line.queued.length === QUEUE_READ && queued.length < LIMITS.blockersReported;
  if (isCut) queued = await listQueued(tx, context.workspace.id, LIMITS.blockersReported);
  return [...claimable.slice(0, LIMITS.blockersReported), ...queued.slice(0, LIMITS.blockersReported)];
}

/** Sorts approved runs before queued ones, and applies before plans. */
function sortByClaimOrder(waiting: readonly WaitingRun[]): WaitingRun[] {
  const rank = ({ run }: WaitingRun) => (STATUS_TRAITS[run.status].queued ? 9 : dispatchClass(run));
  return waiting.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the id of the run that holds the workspace, or gets it before this one; `null` if none. */
function findPredecessor(run: Run, ahead: readonly WaitingRun[], { holder, conditions }: Settled): string | null {
  if (run.holdsWorkspace || run.kind === "PLAN") return null;
  if (holder !== null) return holder.id;
  const first = ahead.find(({ run: other }) => {
    const obstacles = obstacleKindsOf(other, conditions);
    if (other.kind === "PLAN") return false;
    return STATUS_TRAITS[other.status].queued ? !obstacles.includes("SCHEDULED_AT") : obstacles.length === 0;
  });
  return first?.run.id ?? null;
}

function isShortage(reported: string): boolean {
  return reported === "" || reported === "ORGANIZATION_LIMIT" || reported === "NO_RUNNER";
}

/** Records which dispatched runs lack capacity or a runner, or no longer do. Returns the number of runs checked. */
export async function reportShortages(deps: Deps): Promise<number> {
  const at = deps.clock();
  const before = (ms: number) => new Date(at.getTime() - ms).toISOString();
  const seenAt = await runnersSeenAt(deps.database);
  const runnersPresent = seenAt !== null && seenAt >= before(LIMITS.runnerOfflineMs);
  const guess = { overdueSince: before(LIMITS.schedulerMs), runnersPresent };
  const wrong = await listStaleReports(deps.database, guess, LIMITS.blockersReportedByRound);
  for (const { runId, workspaceId } of wrong) {
    await deps.database
      .transaction(async (tx) => {
        // The holder of the workspace is changing something: the next round checks again.
        const workspace = await tryLockWorkspaceRow(tx, workspaceId);
        if (workspace === null) return;
        const found = await findDispatchReport(tx, runId);
        const key = found === null ? null : shortageKey(found, at, runnersPresent);
        if (found === null || key === found.reported) return;
        const locked = await lockForChange(tx, deps, runId, workspace);
        if (locked !== null) await recordBlockers(tx, deps, [{ run: locked.run, reported: key ?? "" }]);
      })
      .catch((error: unknown) => deps.reportError(error, `recording the blockers of ${runId}`));
  }
  return wrong.length;
}

function shortageKey(report: DispatchReport, at: Date, runnersPresent: boolean): string {
  return shortageOf(report, at.toISOString(), runnersPresent) ?? "";
}
