/** The state and its lock for a person's own engine: what an http backend asks for. */
import { can, type TokenCaller } from "../../model/people/permission.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizationBySlug } from "../../persistence/organization/organization-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import {
  findStateLocks,
  releaseStateLock,
  type StateLockRow,
  takeStateLock,
} from "../../persistence/state/state-store.ts";
import { findCurrentStates, noteStateReading } from "../../persistence/state/state-version-store.ts";
import { findWorkspaceByName, lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { isStorable } from "../kit/input.ts";
import { asOf } from "../lifecycle/locked-run.ts";
import { isHeldAlive } from "../workspace/break-locks.ts";
import { workspaceChanged } from "../lifecycle/workspace-changed.ts";
import { isNewState, keepState, type SentState, stateBlob } from "./keep-state.ts";
import { type StateFile, streamState } from "./read-state-bytes.ts";

/** A workspace by its names. */
export interface BackendPlace {
  organization: string;
  workspace: string;
}

/** The engine's LockInfo: who holds a lock, or wants it. */
export type StateHolder = Record<string, string> & { ID: string };
export type LockRequest = StateHolder & { Operation: string; Who: string };

/** What an engine calls a plan; an empty word comes from no engine. Whatever else it locks for, it writes afterwards. */
const READING_OPERATIONS: readonly string[] = ["OperationTypePlan", ""];

/** null where there is no state yet. That it was read is noted. */
export function readBackend(deps: Deps, caller: TokenCaller, place: BackendPlace): Promise<StateFile | null> {
  return at(deps, caller, "readState", place, async ({ id }) => {
    authorize(caller, "stateVersion:read", "reading states");
    const [version = null] = await findCurrentStates(deps.database, [id]);
    if (version === null) return null;
    const reading = { actorId: caller.actor.id, way: "BACKEND", at: deps.clock().toISOString() } as const;
    await noteStateReading(deps.database, version.id, reading);
    return { version, body: await streamState(deps, version.id) };
  });
}

/**
 * Takes the lock for as long as its holder keeps it, or tells who has it. Whoever may not write the state is let in for
 * plans only: the engine of somebody else would change things first, and could not store what it did.
 */
export function lockBackend(
  deps: Deps,
  caller: TokenCaller,
  place: BackendPlace,
  request: LockRequest,
): Promise<{ holder: StateHolder | null }> {
  return at(deps, caller, "lockState", place, (found) => {
    authorize(caller, "stateLock:take", "locking states");
    const writes = !READING_OPERATIONS.includes(request.Operation);
    if (writes) authorize(caller, "stateVersion:write", "changing states by hand; a plan is allowed");
    return deps.database.transaction(async (tx) => {
      const workspace = await keptWorkspace(tx, deps, found.id);
      const forbidding = writes ? await personsLock(tx, caller, workspace) : null;
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
      if (before === null) await workspaceChanged(tx, deps, workspace, caller.actor.id, ["stateLock"]);
      return { holder: null };
    });
  });
}

/**
 * Releases the caller's own lock, or breaks somebody else's, which is a right of its own; `lockId` null: whichever it is.
 * Throws RUN_STATE_CONFLICT where a job at work has it.
 */
export function unlockBackend(
  deps: Deps,
  caller: TokenCaller,
  place: BackendPlace,
  lockId: string | null,
): Promise<{ holder: StateHolder | null }> {
  return at(deps, caller, "unlockState", place, ({ id }) => {
    authorize(caller, "stateLock:take", "unlocking states");
    return deps.database.transaction(async (tx) => {
      const workspace = await keptWorkspace(tx, deps, id);
      const [lock = null] = await findStateLocks(tx, [id]);
      if (lock === null) return { holder: null };
      if (lockId !== null && lock.lockId !== lockId) return { holder: await holderOf(tx, lock) };
      if (lock.actorId !== caller.actor.id) {
        authorize(caller, "stateLock:force", "breaking somebody else's state lock");
        if (lock.runId !== null && (await isHeldAlive(tx, id))) {
          throw new UserError("RUN_STATE_CONFLICT", "A run that is at work has the state lock.", { runId: lock.runId });
        }
      }
      await releaseStateLock(tx, id);
      await workspaceChanged(tx, deps, workspace, caller.actor.id, ["stateLock"]);
      return { holder: null };
    });
  });
}

/**
 * Keeps a new version under the caller's lock. Throws StateRefused without any lock, and where it does not follow the
 * current one. A lock that somebody else set on the workspace meanwhile is no reason: what was done is to be known.
 */
export function writeBackend(
  deps: Deps,
  caller: TokenCaller,
  place: BackendPlace,
  lockId: string,
  read: () => Promise<SentState>,
): Promise<{ holder: StateHolder | null }> {
  return at(deps, caller, "writeState", place, async ({ id }) => {
    authorize(caller, "stateVersion:write", "writing states");
    const sent = await read();
    return deps.blobs.bring(stateBlob(deps, id, sent.body), (put) =>
      deps.database.transaction(async (tx) => {
        const workspace = await keptWorkspace(tx, deps, id);
        const [lock = null] = await findStateLocks(tx, [id]);
        if (lock === null)
          throw new StateRefused("The state can only be written under its lock: not with -lock=false.");
        if (!isOwn(lock, caller, lockId)) return { holder: await holderOf(tx, lock) };
        const author = { runId: null, jobId: null, actorId: caller.actor.id };
        if (await isNewState(tx, id, sent)) await keepState(tx, deps, workspace, author, sent.state, put);
        return { holder: null };
      }),
    );
  });
}

/** Looks up the place; a refusal is recorded. */
async function at<T>(
  deps: Deps,
  caller: TokenCaller,
  command: string,
  place: BackendPlace,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = can(caller, "workspace:read") ? await findPlace(deps, place) : null;
  return recorded(deps, caller, command, workspace?.id ?? null, async () => {
    if (workspace === null) throw notFound("workspace");
    return work(workspace);
  });
}

async function findPlace({ database }: Deps, place: BackendPlace): Promise<Workspace | null> {
  if (!isStorable(place.organization + place.workspace)) return null;
  const organization = await findOrganizationBySlug(database, place.organization);
  return organization === null ? null : findWorkspaceByName(database, organization.id, place.workspace);
}

async function keptWorkspace(tx: Transaction, deps: Deps, id: string): Promise<Workspace> {
  const workspace = await lockKeptWorkspace(tx, id);
  if (workspace === null) throw notFound("workspace");
  return asOf(workspace, deps.clock());
}

function isOwn(lock: StateLockRow, caller: TokenCaller, lockId: string): boolean {
  return lock.actorId === caller.actor.id && lock.lockId === lockId;
}

/** What the engine is told, which names the run where it is one. */
async function holderOf(tx: Transaction, { lockId, info, runId }: StateLockRow): Promise<StateHolder> {
  const run = runId === null ? null : await findRun(tx, runId);
  if (run === null) return { ...info, ID: lockId };
  return { ...info, ID: lockId, Who: `run ${run.number} of Holdpoint (${info["Who"] ?? ""})` };
}

/** Somebody else's lock on the workspace, as an engine would have it; null where there is none. */
async function personsLock(tx: Transaction, caller: TokenCaller, { id, lock }: Workspace): Promise<StateHolder | null> {
  if (lock?.reason !== "MANUAL" || lock.actorId === caller.actor.id) return null;
  const [actor = null] = lock.actorId === null ? [] : await findActors(tx, [lock.actorId]);
  const words = { Operation: "lock of the workspace", Info: lock.note ?? "", Who: actor?.name ?? "somebody" };
  return { ID: id, ...words, Version: "", Created: lock.since, Path: "" };
}
