/** Serves states as files: downloads, and the http backend of an engine. */
import type { Placed } from "../../model/people/place.ts";
import { type ActorCaller, countedCredential } from "../../model/people/permission.ts";
import type { RecoveredState } from "../../model/state/recovered-state.ts";
import { readingBy, type StateVersion } from "../../model/state/state-version.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findRecoveredStates } from "../../persistence/state/recovered-state-store.ts";
import { noteRecoveredStateReading, noteStateReading } from "../../persistence/state/state-reading-store.ts";
import { findStateVersions } from "../../persistence/state/state-version-store.ts";
import { idKind } from "../../model/kit/id.ts";
import type { Deps } from "../kit/deps.ts";
import type { TokenLimit } from "../kit/token-limit.ts";
import { commandInSteps } from "../access/command.ts";
import { createRunCommand, once } from "../sign-in/rights-in-use.ts";
import type { SentState } from "./keep-state.ts";
import {
  type WorkspaceNames,
  lockBackend,
  type LockRequest,
  readBackend,
  type StateHolder,
  unlockBackend,
  writeBackend,
} from "./state-backend.ts";
import { type StateFile, streamState } from "./read-state-bytes.ts";

/**
 * Operations on state files. Refusals are UserErrors and StateRefused. `holder`: the holder of the lock that prevents
 * the operation; `null` if none.
 */
export interface StateFiles {
  /** Returns a version or a recovered state by its id. */
  download(caller: ActorCaller, id: string): Promise<StateFile>;
  /** Reads the current state; `null` if the workspace has none yet. */
  read(caller: ActorCaller, names: WorkspaceNames): Promise<StateFile | null>;
  lock(caller: ActorCaller, names: WorkspaceNames, request: LockRequest): Promise<{ holder: StateHolder | null }>;
  /** Releases a lock; `lockId`: `null` for any lock. */
  unlock(caller: ActorCaller, names: WorkspaceNames, lockId: string | null): Promise<{ holder: StateHolder | null }>;
  /** Stores a state. `read` is called only if the caller may write. */
  write(
    caller: ActorCaller,
    names: WorkspaceNames,
    lockId: string,
    read: () => Promise<SentState>,
  ): Promise<{ holder: StateHolder | null }>;
}

/** Creates the operations. `limit` bounds concurrent writes, because each state is in memory as a whole. */
export function createStateFiles(deps: Deps, limit: TokenLimit): StateFiles {
  const run = createRunCommand(deps);
  return {
    download: (caller, id) => (idKind(id) === "recoveredState" ? downloadRecovered : download)(deps, caller, id),
    read: (caller, names) => readBackend(deps, caller, names),
    lock: (caller, names, request) => run(caller, (using, current) => lockBackend(using, current, names, request)),
    unlock: (caller, names, lockId) => run(caller, (using, current) => unlockBackend(using, current, names, lockId)),
    write(caller, names, lockId, read) {
      const body = once(read);
      return limit(countedCredential(caller), () =>
        run(caller, (using, current) => writeBackend(using, current, names, lockId, body)),
      );
    },
  };
}

const DOWNLOAD = {
  name: "downloadState",
  noun: "state",
  sight: "WORKSPACE_READ",
  permission: "STATE_READ",
  words: "reading states",
} as const;

function download(deps: Deps, caller: ActorCaller, id: string): Promise<StateFile> {
  const spec = {
    ...DOWNLOAD,
    subjectId: id,
    find: async (reader: Reader) => {
      const [version = null] = idKind(id) === "stateVersion" ? await findStateVersions(reader, [id]) : [];
      return version;
    },
    placeOf: (version: StateVersion) => version,
  };
  return commandInSteps(deps, caller, spec, async (version) => {
    await noteStateReading(deps.database, [version.id], readingBy(caller, "DOWNLOAD", deps.clock()));
    return { version, body: await streamState(deps, version.id) };
  });
}

/** Returns a recovered state for a decision. */
function downloadRecovered(deps: Deps, caller: ActorCaller, id: string): Promise<StateFile> {
  const spec = {
    ...DOWNLOAD,
    subjectId: id,
    find: async (reader: Reader) => {
      const [state = null] = await findRecoveredStates(reader, [id]);
      return state;
    },
    placeOf: (state: Placed<RecoveredState>) => state,
  };
  return commandInSteps(deps, caller, spec, async (state) => {
    await noteRecoveredStateReading(deps.database, state.id, readingBy(caller, "DOWNLOAD", deps.clock()));
    return { version: state, body: await deps.blobs.read(state.blobId) };
  });
}
