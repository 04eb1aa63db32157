import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type Failure, type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endLiveJob } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lastLogLines } from "../lease/last-log-lines.ts";
import { settleLocks } from "../lease/settle-locks.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { commandRun, decideOrThrow } from "./run-command.ts";
import { withRefusedCancels } from "../lifecycle/force-stop.ts";

export interface CancelRunInput {
  runId: string;
  force: boolean;
  comment: string | null;
}

/**
 * Cancels a waiting run, discards one at a gate, or requests a stop from the runner. With `force`, for admins: ends a
 * run that is approved but not applying, or whose runner did not stop in time.
 */
export function cancelRun(deps: Deps, caller: ActorCaller, input: CancelRunInput): Promise<Run> {
  const { runId, force, comment } = input;
  const spec = { name: "cancelRun", permission: "RUN_CANCEL", words: "cancelling runs", runId, comment } as const;
  const demands = force ? [{ permission: "RUN_FORCE_STOP", words: "stopping runs by force" } as const] : [];
  return commandRun(deps, caller, { ...spec, demands }, async (tx, locked) => {
    const at = deps.clock();
    const [asked = locked] = await withRefusedCancels(tx, [locked]);
    const decision = decideOrThrow(asked, { type: "cancel", force, atMs: at.getTime() });
    if (decision.name === "requestStop") return requestStop(tx, deps, caller, locked, comment);
    const failure = decision.name === "forceStop" ? await fence(tx, deps, locked) : null;
    return applyTransition(tx, deps, locked, decision, {
      actorId: caller.actor.id,
      reason: comment,
      set: { ...(decision.name === "forceStop" && { forced: true }), ...(failure !== null && { failure }) },
    });
  });
}

/** Records the request for a stop; repeating it changes nothing. The runner is notified by its next heartbeat. */
async function requestStop(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  locked: LockedRun,
  comment: string | null,
): Promise<Run> {
  if (locked.run.cancelRequest !== null) return locked.run;
  return recordUpdate(tx, deps, locked.run, {
    actorId: caller.actor.id,
    set: { cancelRequest: { actorId: caller.actor.id, at: deps.clock().toISOString() }, reason: comment },
    events: [{ type: "CHANGED", fields: ["cancelRequested"] }],
  });
}

/**
 * Ends the lease, so that further requests of the runner are refused. Without an apply the state lock is released. With
 * one, the state lock stays and the workspace is locked, because the result is not known.
 */
async function fence(tx: Transaction, deps: Deps, locked: LockedRun): Promise<Failure | null> {
  const applying = STATUS_TRAITS[locked.run.status].changesInfrastructure;
  const job = await endLiveJob(tx, locked.run.id, deps.clock().toISOString());
  if (job !== null) await settleLocks(tx, deps, locked, job, applying);
  return applying ? toFailure(await fencedReport(tx, locked), true) : null;
}

async function fencedReport(tx: Transaction, { run }: LockedRun): Promise<FailureReport> {
  return {
    code: "APPLY_INTERRUPTED",
    stage: "APPLY",
    summary: "The run was stopped by force while it changed infrastructure.",
    message:
      "The run was stopped by force while it changed infrastructure, without an answer of its runner. Its result is not " +
      "known: check the infrastructure, then unlock the workspace with force.",
    evidence: await lastLogLines(tx, run.id),
    stateUncertain: true,
  };
}
