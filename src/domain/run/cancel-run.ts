import { can, type TokenCaller } from "../../model/permission.ts";
import type { Run } from "../../model/run.ts";
import { forbidden } from "../../model/user-error.ts";
import type { Transaction } from "../../persistence/database.ts";
import { endLiveJob } from "../../persistence/job-store.ts";
import { releaseStateLock } from "../../persistence/state-store.ts";
import type { Deps } from "../deps.ts";
import type { Commands } from "../domain.ts";
import type { LockedRun } from "./locked-run.ts";
import { writeChange } from "./run-change.ts";
import { commandRun, decideOrThrow } from "./run-command.ts";

/**
 * Cancels what waits, discards what awaits approval, asks the runner of what executes to stop. With `force`, for
 * admins: ends a run that is approved but not applying yet, or whose runner did not answer to a stop in time.
 */
export function cancelRun(deps: Deps, caller: TokenCaller, input: Parameters<Commands["cancelRun"]>[1]): Promise<Run> {
  const { runId, force, comment } = input;
  const spec = { name: "cancelRun", action: "run:cancel", words: "cancelling runs", runId, comment } as const;
  return commandRun(deps, caller, spec, async (tx, locked) => {
    if (force && !can(caller, "run:forceStop")) throw forbidden("stopping runs by force");
    const at = deps.clock();
    const decision = decideOrThrow(locked, { type: "cancel", force, atMs: at.getTime() });
    if (decision.name === "requestStop") return requestStop(tx, deps, caller, locked, comment);
    if (decision.name === "forceStop") await fence(tx, locked, at.toISOString());
    return writeChange(tx, deps, locked, decision, {
      actorId: caller.actor.id,
      reason: comment,
      set: decision.name === "forceStop" ? { forced: true } : {},
    });
  });
}

/** Writes the intent; a second request changes nothing. The runner hears of it with its next heartbeat. */
async function requestStop(
  tx: Transaction,
  deps: Deps,
  caller: TokenCaller,
  locked: LockedRun,
  comment: string | null,
): Promise<Run> {
  if (locked.run.cancelRequest !== null) return locked.run;
  return writeChange(
    tx,
    deps,
    locked,
    { accepted: true, name: "requestStop", change: null },
    {
      actorId: caller.actor.id,
      set: { cancelRequest: { actorId: caller.actor.id, at: deps.clock().toISOString() }, reason: comment },
      events: [{ type: "CHANGED", fields: ["cancelRequested"] }],
    },
  );
}

/** Whatever the runner sends from now on is refused. Nothing was applied, so the state lock goes with the lease. */
async function fence(tx: Transaction, { run, workspace }: LockedRun, at: string): Promise<void> {
  const job = await endLiveJob(tx, run.id, at);
  if (job !== null) await releaseStateLock(tx, workspace.id, job.id);
}
