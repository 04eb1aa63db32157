/** Handles due alarms: checks the deadlines of each run under its lock. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Gate } from "../../model/approval/approval.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import { type Due, checkDeadlines, type DeadlineInput } from "../../model/run/deadlines.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ExceededLimit, Run } from "../../model/run/run.ts";
import { isTerminal, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import {
  listBusyWorkspaces,
  listRingingOrganizations,
  listRingingRuns,
  ringWorkspace,
  setAlarm,
  silenceOrganization,
} from "../../persistence/run/alarm-store.ts";
import { findLastLimit } from "../../persistence/check/check-result-store.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findLiveJob, type JobRow, lockLiveJob } from "../../persistence/dispatch/job-store.ts";
import { lastOutputAt } from "../../persistence/log/log-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { gateFailure, queueFailure } from "./limit-failure.ts";
import { endServerWork, endUnanswered } from "./time-out.ts";
import { deadlineInput } from "../lifecycle/alarm.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { isJudged } from "../lifecycle/order-judgement.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { passGate } from "../lifecycle/settle-gates.ts";
import { isHeldByFreeze, resumeAutoApply } from "../lifecycle/frozen-auto-apply.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";

/**
 * Handles the runs whose alarm is due and returns their number. `reachableSince`: since when runners could reach a
 * server, `null` if always.
 */
export async function ringAlarms(deps: Deps, reachableSince: Date | null): Promise<number> {
  const { database, clock } = deps;
  for (const { id, alarmAt } of await listRingingOrganizations(database)) await ringAll(deps, id, alarmAt);
  const ringing = await listRingingRuns(database, clock().toISOString(), LIMITS.alarmsPerRound);
  for (const runId of ringing) {
    // A run that cannot be checked must not block the others.
    await database
      .transaction((tx) => checkRun(tx, deps, runId, reachableSince))
      .catch(async (error: unknown) => {
        if (isConnectionLost(error)) throw error;
        deps.reportError(error, `checking the deadlines of ${runId}`);
        const later = new Date(clock().getTime() + LIMITS.alarmRetryMs).toISOString();
        await database.transaction((tx) => setAlarm(tx, runId, later));
      });
  }
  return ringing.length;
}

/**
 * Rings the alarms of one organization workspace by workspace. Locking runs of several workspaces at once could
 * deadlock.
 */
async function ringAll({ database, clock }: Deps, organizationId: string, alarmAt: string): Promise<void> {
  for (const workspaceId of await listBusyWorkspaces(database, organizationId)) {
    await database.transaction(async (tx) => {
      await lockWorkspaceRow(tx, workspaceId);
      await ringWorkspace(tx, workspaceId, clock().toISOString());
    });
  }
  await database.transaction((tx) => silenceOrganization(tx, organizationId, alarmAt));
}

async function checkRun(tx: Transaction, deps: Deps, runId: string, reachableSince: Date | null): Promise<void> {
  const locked = await lockForChange(tx, deps, runId);
  const at = deps.clock();
  if (locked === null) return setAlarm(tx, runId, null);
  // Another server, or a person, may have been first.
  if (isTerminal(locked.run.status)) return;
  // The approval rules of the organization may have been relaxed.
  if ((await passGate(tx, deps, locked, SYSTEM_ACTOR_ID)).status !== locked.run.status) return;
  if (isHeldByFreeze(locked.run)) return resumeAutoApply(tx, deps, locked);
  const { run } = locked;
  const found = STATUS_TRAITS[run.status].runnerBusy ? await findLiveJob(tx, runId) : null;
  const job = found === null ? null : await lockLiveJob(tx, found.id);
  const work = job === null ? null : await workOf(tx, job, reachableSince);
  const input = { ...deadlineInput(locked, work, at), checkedUntil: await findCheckedUntil(tx, run) };
  const { due, next } = checkDeadlines(input, at.getTime());
  if (due !== null) return act(tx, deps, locked, job, due, next);
  await setAlarm(tx, runId, next);
  // Its condition may be met: its time, the end of a freeze window, or the start of one.
  const { approved, queued } = STATUS_TRAITS[run.status];
  const waited = approved || (queued && run.scheduledAt !== null);
  if (waited) await settleWorkspace(tx, deps, run.workspaceId);
}

/** Returns when the last check has ended, with time for a server to let the run proceed; `null` if none judges the run. */
async function findCheckedUntil(tx: Transaction, run: Run): Promise<string | null> {
  const until = isJudged(run) ? await findLastLimit(tx, run) : null;
  return until === null ? null : instantAfter(until, LIMITS.timeoutGraceMs);
}

async function workOf(tx: Transaction, job: JobRow, reachableSince: Date | null): Promise<DeadlineInput["work"]> {
  return {
    claimedAt: job.claimedAt,
    outputAt: await lastOutputAt(tx, job.runId),
    reachableSince: reachableSince?.toISOString() ?? null,
    graceMs: LIMITS.timeoutGraceMs,
  };
}

async function act(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow | null,
  due: Due,
  next: string | null,
): Promise<void> {
  switch (due.type) {
    case "QUEUE_TIMEOUT":
      return endQueued(tx, deps, locked);
    case "APPROVAL_TIMEOUT":
      return due.action === "ESCALATE" ? escalate(tx, deps, locked, next) : endAtGate(tx, deps, locked, due.gate);
    case "EXPIRE":
      return expire(tx, deps, locked, due.limit);
    case "GIVE_UP":
      if (job !== null) return endUnanswered(tx, deps, locked, job, locked.run.expired?.limit ?? "RUN");
      return endServerWork(tx, deps, locked);
  }
}

async function endQueued(tx: Transaction, deps: Deps, locked: LockedRun): Promise<void> {
  const failure = queueFailure();
  await applyTransition(tx, deps, locked, mustAccept(locked, { type: "queueTimeout" }), {
    actorId: SYSTEM_ACTOR_ID,
    reason: failure.summary,
    set: { failure },
  });
}

/** Ends a run at a gate because no one decided in time. Never approves it. */
async function endAtGate(tx: Transaction, deps: Deps, locked: LockedRun, gate: Gate): Promise<void> {
  const failure = gateFailure(gate);
  const details = { actorId: SYSTEM_ACTOR_ID, reason: failure.summary };
  if (gate === "APPLY") {
    await applyTransition(tx, deps, locked, mustAccept(locked, { type: "discard", planVersion: null }), details);
    return;
  }
  const rejected = mustAccept(locked, { type: "reject", planVersion: locked.plan?.version ?? 0 });
  await applyTransition(tx, deps, locked, rejected, { ...details, set: { failure } });
}

async function escalate(tx: Transaction, deps: Deps, locked: LockedRun, alarmAt: string | null): Promise<void> {
  await recordUpdate(tx, deps, locked.run, {
    actorId: SYSTEM_ACTOR_ID,
    set: { escalatedAt: deps.clock().toISOString(), alarmAt },
    events: [{ type: "CHANGED", fields: ["escalatedAt"] }],
  });
}

/** Marks a run as expired. Its runner is notified by its next heartbeat and ends the work. */
async function expire(tx: Transaction, deps: Deps, locked: LockedRun, limit: ExceededLimit): Promise<void> {
  const now = deps.clock();
  await recordUpdate(tx, deps, locked.run, {
    actorId: SYSTEM_ACTOR_ID,
    set: {
      expired: { limit, at: now.toISOString() },
      alarmAt: new Date(now.getTime() + LIMITS.timeoutGraceMs).toISOString(),
    },
    events: [{ type: "CHANGED", fields: ["expired"] }],
  });
}
