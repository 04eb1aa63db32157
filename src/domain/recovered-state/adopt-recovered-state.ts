import type { ActorCaller } from "../../model/people/permission.ts";
import type { RecoveredState } from "../../model/state/recovered-state.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findJob } from "../../persistence/dispatch/job-store.ts";
import { findHolders } from "../../persistence/run/run-store.ts";
import { findNewestState, findStateLocks, insertStateVersion } from "../../persistence/state/state-store.ts";
import { setWorkspaceState } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { workspaceLocked } from "../kit/workspace-locked.ts";
import { discardStale } from "../state/discard-stale.ts";
import { CHANGED_BY_STATE } from "../state/keep-state.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { decideAbout } from "./decide-recovered-state.ts";
import type { DecidedState, RecoveredStateDecision } from "./recovered-state-domain.ts";

/**
 * Makes a recovered state the current one of its workspace, as a version of the run that made it. Refused while a run
 * executes, while another person locks the workspace or its state, and if the state has moved since that run. The
 * workspace's lock stays.
 */
export function adoptRecoveredState(
  deps: Deps,
  caller: ActorCaller,
  input: RecoveredStateDecision,
): Promise<DecidedState> {
  const spec = { name: "adoptRecoveredState", words: "adopting states", decision: "ADOPTED" } as const;
  return decideAbout(deps, caller, spec, input, async (tx, state, workspace) => {
    await checkLock(tx, caller, workspace);
    await checkFollows(tx, state);
    await checkFree(tx, state);
    await makeCurrent(tx, deps, caller, state, workspace);
  });
}

async function checkLock(reader: Reader, { actor }: ActorCaller, workspace: Workspace): Promise<void> {
  const { lock } = workspace;
  if (lock?.reason === "MANUAL" && lock.actorId !== actor.id) {
    throw await workspaceLocked(reader, workspace, lock, "Unlock it, then adopt the state.");
  }
}

async function checkFollows(reader: Reader, { workspaceId, jobId, serial, lineage }: RecoveredState): Promise<void> {
  const newest = await findNewestState(reader, workspaceId);
  if (newest === null) return;
  const refuse = (why: string): never => {
    throw invalidField("recoveredStateId", why);
  };
  if (lineage !== newest.lineage)
    refuse(`has the lineage ${lineage}, but the workspace's state has ${newest.lineage}.`);
  if (serial <= newest.serial)
    refuse(`has the serial ${serial}, but the workspace's state already has ${newest.serial}.`);
  const job = await findJob(reader, jobId);
  if (newest.jobId !== jobId && job !== null && newest.createdAt > job.claimedAt) {
    refuse(
      `does not know serial ${newest.serial}, which was stored since the apply of this state began. Discard it, or merge it with the engine.`,
    );
  }
}

async function checkFree(reader: Reader, { workspaceId, jobId }: RecoveredState): Promise<void> {
  const [holder = null] = await findHolders(reader, [workspaceId]);
  if (holder !== null && STATUS_TRAITS[holder.status].runnerBusy) {
    const message = `Run ${holder.number} is ${holder.status}: wait for its end, then adopt the state.`;
    throw new UserError("RUN_STATE_CONFLICT", message, { runId: holder.id });
  }
  const [lock = null] = await findStateLocks(reader, [workspaceId]);
  if (lock === null || lock.jobId === jobId) return;
  const job = lock.jobId === null ? null : await findJob(reader, lock.jobId);
  // A lock left by an ended job does not prevent the decision.
  if (lock.jobId === null || job?.endedAt === null) {
    throw invalidField(
      "recoveredStateId",
      `cannot be adopted while ${lock.info["Who"] ?? "another person"} locks the state. Release that lock first.`,
    );
  }
}

async function makeCurrent(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  state: RecoveredState,
  workspace: Workspace,
): Promise<void> {
  const { serial, lineage, runId, jobId, blobId, outputs, resourceCount } = state;
  await insertStateVersion(tx, {
    id: deps.newId("stateVersion"),
    workspaceId: workspace.id,
    serial,
    lineage,
    runId,
    jobId,
    importedById: null,
    blobId,
    outputs,
    resourceCount,
    createdAt: deps.clock().toISOString(),
  });
  await setWorkspaceState(tx, workspace.id, { serial, lineage });
  await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, CHANGED_BY_STATE);
  await discardStale(tx, deps, workspace.id, serial);
}
