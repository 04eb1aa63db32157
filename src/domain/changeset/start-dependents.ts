/** Starts runs in the workspaces that depend on one that was applied. */
import type { Dependency } from "../../model/dependency/dependency.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Run } from "../../model/run/run.ts";
import type { DependencyCause } from "../../model/run/run-cause.ts";
import { listMemberWorkspaces } from "../../persistence/changeset/changeset-member-store.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listDownstreams, listStartedIds } from "../../persistence/dependency/dependency-store.ts";
import { listLiveDeployments, listRunUpstreams } from "../../persistence/dependency/run-upstream-store.ts";
import {
  endUpstreamChange,
  listUpstreamChanges,
  lockUpstreamChange,
  type UpstreamChange,
} from "../../persistence/dependency/upstream-change-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { compareOutputs, hasValue, type OutputComparison } from "../dependency/compare-inputs.ts";
import type { Deps } from "../kit/deps.ts";
import { type MemberOrder, openChangeset } from "./open-changeset.ts";

/**
 * Decides what follows from the states that were applied, each in one transaction and once. One that fails is tried again by
 * the next round.
 */
export async function startDependents(deps: Deps, signal: AbortSignal): Promise<void> {
  const failed = new Set<string>();
  for (;;) {
    const found = await listUpstreamChanges(deps.database, LIMITS.changesetBatch);
    const changes = found.filter(({ runId }) => !failed.has(runId));
    if (changes.length === 0) return;
    for (const change of changes) {
      if (signal.aborted) return;
      // Another server decides it, or it failed: not again in this round.
      failed.add(change.runId);
      await deps.database
        .transaction((tx) => decide(tx, deps, change))
        .catch((error: unknown) => {
          if (isConnectionLost(error)) throw error;
          deps.reportError(error, `the workspaces that depend on ${change.workspaceId}`);
        });
    }
  }
}

async function decide(tx: Transaction, deps: Deps, change: UpstreamChange): Promise<void> {
  if (!(await lockUpstreamChange(tx, change))) return;
  const run = await findRun(tx, change.runId);
  const members = run === null ? [] : await selectMembers(tx, deps, run);
  const changeset =
    run === null || members.length === 0
      ? null
      : await openChangeset(tx, deps, {
          organizationId: run.organizationId,
          source: "DEPENDENCY",
          trigger: "DEPENDENCY",
          kind: "DEPLOY",
          // Readers of a workspace downstream may not see the one upstream.
          title: "A workspace upstream was applied",
          commit: null,
          members,
          createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
        });
  await endUpstreamChange(tx, change, { at: deps.clock().toISOString(), changesetId: changeset?.id ?? null });
}

/** The workspaces that depend on that of a run and have to follow it, with all behind them. */
async function selectMembers(tx: Transaction, deps: Deps, run: Run): Promise<MemberOrder[]> {
  const causeWith = (changedOutputs: readonly string[]): DependencyCause => {
    return { type: "DEPENDENCY", upstreamRunId: run.id, changedOutputs };
  };
  // In its own changeset they come after it anyway.
  const own = run.changesetId === null ? [] : await listMemberWorkspaces(tx, run.changesetId);
  const direct = new Map<string, MemberOrder>();
  for (const dependency of await listDownstreams(tx, run.workspaceId)) {
    const { downstreamId, trigger } = dependency;
    if (own.includes(downstreamId)) continue;
    const changedOutputs = await readChange(tx, deps, dependency);
    if (changedOutputs === null) continue;
    const cause = causeWith(changedOutputs);
    direct.set(downstreamId, { workspaceId: downstreamId, cause, isByEdge: trigger !== "ALWAYS" });
  }
  if (direct.size === 0) return [];
  const behind = (await listStartedIds(tx, [...direct.keys()])).filter((id) => id !== run.workspaceId);
  return [
    ...direct.values(),
    ...behind.map((workspaceId): MemberOrder => ({ workspaceId, cause: causeWith([]), isByEdge: true })),
  ];
}

/** The names of the outputs that have changed for a workspace downstream; `null` if it does not have to follow. */
async function readChange(
  tx: Transaction,
  deps: Deps,
  { upstreamId, downstreamId, trigger }: Dependency,
): Promise<string[] | null> {
  // A run that is being admitted has the lock: it got the outputs of before, or is seen as live afterwards.
  const workspace = await lockKeptWorkspace(tx, downstreamId);
  if (workspace === null) return null;
  const compared = await compareOutputs(tx, deps, downstreamId);
  if (compared.settled?.isDestroyed === true) return null;
  const changed = compared.changed.flatMap((one) => (one.upstreamId === upstreamId ? [one.output] : []));
  if (trigger !== "ALWAYS" && changed.length === 0) return null;
  return (await isCovered(tx, deps, downstreamId, compared)) ? null : changed;
}

/** Whether a live run has the outputs of now, or gets them when it is admitted. */
async function isCovered(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  workspaceId: string,
  { inputs, changed }: OutputComparison,
): Promise<boolean> {
  const live = await listLiveDeployments(tx, workspaceId, clock().toISOString());
  if (live.some(({ isQueued }) => isQueued)) return true;
  const newest = live.at(-1);
  if (newest === undefined || inputs.length === 0 || changed.length === 0) return false;
  const [given = []] = await listRunUpstreams(tx, [newest.id]);
  return inputs.every((input) => hasValue(given, input));
}
