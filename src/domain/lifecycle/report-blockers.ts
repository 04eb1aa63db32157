/** Records the blockers of waiting runs, for their listeners, whenever they differ from the last recorded ones. */
import { shortageOf } from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { runnersSeenAt } from "../../persistence/runner/runner-store.ts";
import {
  type DispatchReport,
  findDispatchReport,
  listStaleReports,
  setReportedBlockers,
  type BlockerReport,
} from "../../persistence/dispatch/blocker-report-store.ts";
import { listQueued } from "../../persistence/run/run-queue-store.ts";
import { tryLockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "./locked-run.ts";
import { recordBlockers } from "./record-transition.ts";
import { changedBlockers, firstClaimable, firstQueued, type Settled } from "./waiting-line.ts";

/**
 * Records the blockers of the first waiting runs of a workspace; the others follow as they move up. Shortages of runs
 * in the dispatch table are recorded by `reportShortages`.
 */
export async function reportBlockers(tx: Transaction, deps: Deps, settled: Settled): Promise<void> {
  const workspaceId = settled.context.workspace.id;
  const queued = firstQueued(settled) ?? (await listQueued(tx, workspaceId, LIMITS.blockersReported));
  const changed = changedBlockers([...firstClaimable(settled), ...queued], settled);
  const isFresh = ({ run }: BlockerReport): boolean => settled.fresh.has(run.id);
  for (const { run, reported } of changed.filter(isFresh)) await setReportedBlockers(tx, run.id, reported);
  const reports = changed.filter((report) => !isFresh(report));
  await recordBlockers(tx, deps, reports);
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
