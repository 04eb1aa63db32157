/** Releases runs of changesets that waited for others, or ends them instead. */
import type { Changeset } from "../../model/changeset/changeset.ts";
import { type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import type { RunCommand } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { RunCause } from "../../model/run/run-cause.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import {
  type AppliedBefore,
  listAppliedBefore,
  listFailedBefore,
  listReleasable,
  lockReleasable,
  type WaitingMember,
} from "../../persistence/changeset/changeset-order-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { setAlarm } from "../../persistence/run/alarm-store.ts";
import { setReleased } from "../../persistence/run/waiting-run-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { compareInputs, type InputComparison } from "../dependency/compare-inputs.ts";
import type { Deps } from "../kit/deps.ts";
import { waitingAlarm } from "../lifecycle/alarm.ts";
import { applyTransition, mustAccept } from "../lifecycle/apply-transition.ts";
import { lockRunIn, readWorkspaceContext } from "../lifecycle/locked-run.ts";
import { type LockedRun, withoutExpiredLock } from "../lifecycle/machine-input.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import type { ChangeDetails } from "../lifecycle/transition-changes.ts";
import type { StepResult } from "./step-result.ts";

/** Releases the next runs of a changeset that wait for none any more, in one transaction. */
export async function releaseNextRuns(deps: Deps, changeset: Changeset): Promise<StepResult> {
  const found = await listReleasable(deps.database, changeset.id, LIMITS.changesetBatch);
  if (found.length === 0) return "NOTHING";
  const count = await deps.database.transaction((tx) => releaseBatch(tx, deps, changeset, found));
  return count > 0 ? "DONE" : "ELSEWHERE";
}

async function releaseBatch(
  tx: Transaction,
  deps: Deps,
  changeset: Changeset,
  workspaceIds: readonly string[],
): Promise<number> {
  const members = await lockReleasable(tx, changeset.id, workspaceIds);
  // All workspaces before the first run, in the order of their ids: two batches cannot wait for each other.
  const workspaces = new Map<string, Workspace | null>();
  for (const { workspaceId } of members) workspaces.set(workspaceId, await lockKeptWorkspace(tx, workspaceId));
  const failed = await listFailedBefore(
    tx,
    changeset.id,
    members.map(({ workspaceId }) => workspaceId),
  );
  for (const member of members) {
    const workspace = workspaces.get(member.workspaceId) ?? null;
    if (workspace === null) continue;
    const failedIds = failed.flatMap(({ workspaceId, afterId }) => (workspaceId === workspace.id ? [afterId] : []));
    await settleMember(tx, deps, { changeset, member, workspace, failedIds });
  }
  return members.length;
}

async function settleMember(
  tx: Transaction,
  deps: Deps,
  {
    changeset,
    member,
    workspace,
    failedIds,
  }: { changeset: Changeset; member: WaitingMember; workspace: Workspace; failedIds: string[] },
): Promise<void> {
  const context = await readWorkspaceContext(tx, deps, withoutExpiredLock(workspace, deps.clock()));
  const locked = await lockRunIn(tx, deps, context, member.runId);
  const { run } = locked;
  // Another server was first, or the run was cancelled.
  if (!run.awaitsUpstream || !STATUS_TRAITS[run.status].queued) return;
  if (changeset.discardedAt !== null) {
    const command = { type: "cancel", force: false, atMs: deps.clock().getTime() } as const;
    return end(tx, deps, locked, command, { reason: "The changeset was discarded." });
  }
  if (failedIds.length > 0) return end(tx, deps, locked, { type: "dependencyFailed" }, failedDetails(failedIds));
  const applied = await listAppliedBefore(tx, changeset.id, workspace.id);
  const compared = member.isByEdge ? await compareInputs(tx, deps, run) : null;
  const isForced = applied.some(({ trigger }) => trigger === "ALWAYS");
  if (compared?.settled?.isDestroyed === true) {
    return end(
      tx,
      deps,
      locked,
      { type: "skip" },
      { reason: "The workspace was destroyed, and is not deployed again." },
    );
  }
  if (compared !== null && compared.isSame && !isForced) {
    return end(tx, deps, locked, { type: "skip" }, { reason: unchangedReason(compared) });
  }
  await release(tx, deps, locked, compared === null ? null : causeOf(compared, applied));
}

async function end(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  command: RunCommand,
  details: Omit<ChangeDetails, "actorId">,
): Promise<void> {
  await applyTransition(tx, deps, locked, mustAccept(locked, command), { actorId: SYSTEM_ACTOR_ID, ...details });
}

function failedDetails(upstreamIds: string[]): Omit<ChangeDetails, "actorId"> {
  const summary =
    upstreamIds.length === 1
      ? "A run that it depends on was not applied."
      : `${upstreamIds.length} runs that it depends on were not applied.`;
  const report = {
    code: "DEPENDENCY_FAILED",
    summary,
    message: `${summary} Retry those first: this one follows.`,
    evidence: [],
    upstreamIds,
  } as const satisfies FailureReport;
  return { reason: summary, set: { failure: toFailure(report, false) } };
}

/** Names the outputs that the run takes, none of which has changed. */
function unchangedReason({ outputs }: InputComparison): string {
  if (outputs.length === 0) return "The run is there because of its dependencies alone, and takes no outputs of them.";
  const words = outputs.length === 1 ? "the output" : "the outputs";
  return `Nothing that it takes from workspaces upstream has changed: ${words} ${outputs.join(", ")}.`;
}

/** The run upstream whose outputs changed. It is known only now for members behind others. */
function causeOf({ changed }: InputComparison, applied: readonly AppliedBefore[]): RunCause | null {
  const changedIds = new Set(changed.map(({ upstreamId }) => upstreamId));
  const upstream = applied.find(({ upstreamId }) => changedIds.has(upstreamId)) ?? applied[0];
  if (upstream === undefined) return null;
  const changedOutputs = changed
    .filter(({ upstreamId }) => upstreamId === upstream.upstreamId)
    .map(({ output }) => output);
  return { type: "DEPENDENCY", upstreamRunId: upstream.runId, changedOutputs };
}

async function release(tx: Transaction, deps: Deps, locked: LockedRun, cause: RunCause | null): Promise<void> {
  const at = deps.clock();
  const { run, workspace, rules, frozenUntil, judges, hasProbes } = locked;
  await setReleased(tx, run.id, { at: at.toISOString(), cause });
  const released = { ...run, awaitsUpstream: false, releasedAt: at.toISOString() };
  await setAlarm(tx, run.id, waitingAlarm({ ...locked, run: released }, at));
  await settleWorkspace(tx, deps, workspace.id, { known: { rules, frozenUntil, judges, hasProbes } });
}
