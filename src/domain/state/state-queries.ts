import { toPage, type PageRequest } from "../../model/kit/page.ts";
import pLimit from "p-limit";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import { readingBy, type StateVersion } from "../../model/state/state-version.ts";
import type { Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import { queryOrNull, queryLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";
import type { ResourceSelection, StateComparison, StateResources } from "./state-domain.ts";
import { createStateReads, type StateReads } from "./state-reads.ts";

export function createStateQueries(deps: Pick<Deps, "database" | "cipher" | "blobs" | "clock">, base: Reads) {
  return stateQueries(createStateReads(deps, base), deps.clock);
}

/** Creates the queries of states. Few states are examined at a time: each is in memory several times. */
function stateQueries(reads: StateReads, clock: Deps["clock"]) {
  const limit = pLimit(LIMITS.statesExaminedAtOnce);
  return {
    stateVersions: queryOrNull("WORKSPACE_READ", reads.versions),
    currentStates: queryOrNull("WORKSPACE_READ", reads.current),
    /** Lists versions, newest first; positions are serials. */
    listStateVersions: async (caller: ActorCaller, workspaceId: string, page: PageRequest<number>) =>
      (await reads.versionsOf(workspaceId, page))?.permit(caller, "WORKSPACE_READ") ?? toPage(page, []),
    stateResources: (caller: ActorCaller, version: StateVersion, selection: ResourceSelection) =>
      limit(() => listResources(reads, caller, version, selection)),
    /**
     * Compares two versions; `null` if one does not belong to the workspace. A comparison that shows values is recorded
     * as a reading of both.
     */
    compareStates: (caller: ActorCaller, workspaceId: string, fromId: string, toId: string) =>
      limit(() => compare(reads, caller, workspaceId, [fromId, toId], clock)),
    /** Returns outputs by version; sensitive values are `null`. */
    stateOutputs: queryLists("WORKSPACE_READ", reads.outputs),
    /** Returns the recent readers of each version, newest first. */
    stateReadings: queryLists("WORKSPACE_READ", reads.readings),
    /** Returns the state that each run restores; `null` for a run that is no rollback of a state. */
    stateRollbacks: queryOrNull("RUN_READ", reads.rollbacks),
  };
}

async function listResources(
  reads: StateReads,
  caller: ActorCaller,
  version: StateVersion,
  selection: ResourceSelection,
): Promise<StateResources | "TOO_LARGE"> {
  if (!can(caller, "WORKSPACE_READ", version)) return { count: 0, resources: [], hasMore: false };
  if (version.size > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  const found = await reads.resources(version, selection);
  return found.type === "LIST" ? found : "TOO_LARGE";
}

async function compare(
  reads: StateReads,
  caller: ActorCaller,
  workspaceId: string,
  ids: readonly [string, string],
  clock: Deps["clock"],
): Promise<StateComparison | "TOO_LARGE" | null> {
  if (ids.some((id) => idKind(id) !== "stateVersion")) return null;
  const [from = null, to = null] = permitOrNull(caller, "WORKSPACE_READ", await reads.versions(ids));
  if (from?.workspaceId !== workspaceId || to?.workspaceId !== workspaceId) return null;
  if (Math.max(from.size, to.size) > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  // Values need the permission to download the file: an older engine may not have marked a secret as sensitive.
  const showsValues = can(caller, "STATE_READ", to);
  if (showsValues) await reads.noteReading([...new Set(ids)], readingBy(caller, "COMPARISON", clock()));
  const found = await reads.difference(from, to, showsValues);
  return found.type === "COMPARE" ? { from, to, ...found.difference } : "TOO_LARGE";
}
