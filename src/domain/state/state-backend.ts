/** The http backend for a person's own engine: reads, locks and writes the state of a workspace. */
import { workspacePlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { readingBy } from "../../model/state/state-version.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import {
  findStateLocks,
  releaseStateLock,
  type StateLockRow,
  takeStateLock,
} from "../../persistence/state/state-store.ts";
import { noteStateReading } from "../../persistence/state/state-reading-store.ts";
import { findCurrentStates } from "../../persistence/state/state-version-store.ts";
import { findWorkspaceByPath } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, commandInSteps, type Demand } from "../access/command.ts";
import { isStorable } from "../kit/input.ts";
import { isHeldByLiveJob, describeExecutingRun } from "../workspace/break-locks.ts";
import { ABOUT_WORKSPACE, relockWorkspace } from "../workspace/workspace-command.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { isNewState, keepState, type SentState, stateBlob } from "./keep-state.ts";
import { type StateFile, streamState } from "./read-state-bytes.ts";

/** A workspace, by names. */
export interface WorkspaceNames {
  organization: string;
  workspace: string;
}

/** The engine's LockInfo: the holder of a lock, or the request for one. */
export type StateHolder = Record<string, string> & { ID: string };
export type LockRequest = StateHolder & { Operation: string; Who: string };

/** The operations of a lock that only reads. An empty one comes from no engine; every other operation writes. */
const READING_OPERATIONS: readonly string[] = ["OperationTypePlan", ""];

const READ = { permission: "STATE_READ", words: "reading states" } as const satisfies Demand;
const LOCK = { permission: "STATE_LOCK", words: "locking states" } as const satisfies Demand;
const UNLOCK = { permission: "STATE_LOCK", words: "unlocking states" } as const satisfies Demand;
const WRITE = { permission: "STATE_WRITE", words: "writing states" } as const satisfies Demand;

/** Reads the current state and records the reading; `null` if there is no state yet. */
export function readBackend(deps: Deps, caller: ActorCaller, names: WorkspaceNames): Promise<StateFile | null> {
  return commandByNames(deps, caller, { ...READ, name: "readState" }, names, async ({ id }) => {
    const [version = null] = await findCurrentStates(deps.database, [id]);
    if (version === null) return null;
    await noteStateReading(deps.database, [version.id], readingBy(caller, "BACKEND", deps.clock()));
    return { version, body: await streamState(deps, version.id) };
  });
}

/**
 * Takes the state lock, or returns its current holder. Without the permission to write the state a lock is granted for
 * plans only: another operation would change infrastructure and could not store the result.
 */
export function lockBackend(
  deps: Deps,
  caller: ActorCaller,
  names: WorkspaceNames,
  request: LockRequest,
): Promise<{ holder: StateHolder | null }> {
  const writes = !READING_OPERATIONS.includes(request.Operation);
  const words = "changing states by hand; a plan is allowed";
  const demands: Demand[] = writes ? [{ permission: "STATE_WRITE", words }] : [];
  return commandByNames(deps, caller, { ...LOCK, name: "lockState", demands }, names, (found) =>
    deps.database.transaction(async (tx) => {
      const workspace = await relockWorkspace(tx, deps, caller, LOCK, found.id);
      const forbidding = writes ? await findPersonsLock(tx, caller, workspace) : null;
      if (forbidding !== null) return { holder: forbidding };
      const [before = null] = await findStateLocks(tx, [workspace.id]);
      const lock = await takeStateLock(tx, {
        workspaceId: workspace.id,
        lockId: request.ID,
        info: { ...request, Who: `${caller.actor.name} (${request.Who})` },
        runId: null,
        jobId: null,
        actorId: caller.actor.id,
        since: deps.clock().toISOString(),
      });
      if (!isOwn(lock, caller, request.ID)) return { holder: await holderOf(tx, lock) };
      if (before === null) await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["stateLock"]);
      return { holder: null };
    }),
  );
}

/**
 * Releases the caller's own lock, or breaks another one, which requires its own permission. `lockId`: `null` for any
 * lock. Throws RUN_STATE_CONFLICT if a live job holds it.
 */
export function unlockBackend(
  deps: Deps,
  caller: ActorCaller,
  names: WorkspaceNames,
  lockId: string | null,
): Promise<{ holder: StateHolder | null }> {
  return commandByNames(deps, caller, { ...UNLOCK, name: "unlockState" }, names, ({ id }) =>
    deps.database.transaction(async (tx) => {
      const workspace = await relockWorkspace(tx, deps, caller, UNLOCK, id);
      const [lock = null] = await findStateLocks(tx, [id]);
      if (lock === null) return { holder: null };
      if (lockId !== null && lock.lockId !== lockId) return { holder: await holderOf(tx, lock) };
      if (lock.actorId !== caller.actor.id) {
        const words = "breaking the state lock of another person";
        authorize(caller, { permission: "STATE_LOCK_FORCE", words }, workspacePlace(workspace));
        if (lock.runId !== null && (await isHeldByLiveJob(tx, id))) {
          throw new UserError("RUN_STATE_CONFLICT", await describeExecutingRun(tx, lock.runId), { runId: lock.runId });
        }
      }
      await releaseStateLock(tx, id);
      await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["stateLock"]);
      return { holder: null };
    }),
  );
}

/**
 * Stores a new version under the caller's lock. Throws StateRefused without a lock, or if the version does not follow
 * the current one. A workspace lock set meanwhile is ignored, because the changes have been made.
 */
export function writeBackend(
  deps: Deps,
  caller: ActorCaller,
  names: WorkspaceNames,
  lockId: string,
  read: () => Promise<SentState>,
): Promise<{ holder: StateHolder | null }> {
  return commandByNames(deps, caller, { ...WRITE, name: "writeState" }, names, async ({ id }) => {
    const sent = await read();
    return deps.blobs.bring(stateBlob(deps, id, sent.body), (put) =>
      deps.database.transaction(async (tx) => {
        const workspace = await relockWorkspace(tx, deps, caller, WRITE, id);
        const [lock = null] = await findStateLocks(tx, [id]);
        if (lock === null)
          throw new StateRefused("The state can only be written under its lock. Run the engine without -lock=false.");
        if (!isOwn(lock, caller, lockId)) return { holder: await holderOf(tx, lock) };
        const author = { runId: null, jobId: null, actorId: caller.actor.id };
        if (await isNewState(tx, id, sent)) await keepState(tx, deps, workspace, author, sent.state, put);
        return { holder: null };
      }),
    );
  });
}

/** Runs a command about the workspace of these names (`commandInSteps`). */
function commandByNames<T>(
  deps: Deps,
  caller: ActorCaller,
  spec: Demand & { name: string; demands?: readonly Demand[] },
  names: WorkspaceNames,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const about = {
    ...ABOUT_WORKSPACE,
    ...spec,
    subjectId: null,
    idOf: ({ id }: Workspace) => id,
    find: (reader: Reader) => findNamedWorkspace(reader, names),
  };
  return commandInSteps(deps, caller, about, work);
}

async function findNamedWorkspace(reader: Reader, names: WorkspaceNames): Promise<Workspace | null> {
  if (!isStorable(names.organization + names.workspace)) return null;
  return findWorkspaceByPath(reader, names.organization, names.workspace);
}

function isOwn(lock: StateLockRow, caller: ActorCaller, lockId: string): boolean {
  return lock.actorId === caller.actor.id && lock.lockId === lockId;
}

/** Returns the LockInfo for the engine; it names the run, if a run holds the lock. */
async function holderOf(tx: Transaction, { lockId, info, runId }: StateLockRow): Promise<StateHolder> {
  const run = runId === null ? null : await findRun(tx, runId);
  if (run === null) return { ...info, ID: lockId };
  return { ...info, ID: lockId, Who: `run ${run.number} of Holdpoint (${info["Who"] ?? ""})` };
}

/** Returns another person's lock on the workspace as LockInfo; `null` if there is none. */
async function findPersonsLock(
  tx: Transaction,
  caller: ActorCaller,
  { id, lock }: Workspace,
): Promise<StateHolder | null> {
  if (lock?.reason !== "MANUAL" || lock.actorId === caller.actor.id) return null;
  const [actor = null] = lock.actorId === null ? [] : await findActors(tx, [lock.actorId]);
  const words = { Operation: "lock of the workspace", Info: lock.note ?? "", Who: actor?.name ?? "another person" };
  return { ID: id, ...words, Version: "", Created: lock.since, Path: "" };
}
