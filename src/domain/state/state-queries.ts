import pLimit from "p-limit";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { toPage } from "../../model/kit/page.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { StateVersion } from "../../model/state/state-version.ts";
import type { Reads } from "../access/reads.ts";
import { permitLists, permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import type { StateComparison, StateQueries, StateResources } from "./state-domain.ts";
import { createStateReads, type StateReads } from "./state-reads.ts";

export function createStateQueries(deps: Pick<Deps, "database" | "cipher" | "blobs">, base: Reads): StateQueries {
  return stateQueries(createStateReads(deps, base));
}

/** Creates the queries of states. Few states are examined at a time: each is in memory several times. */
function stateQueries(reads: StateReads): StateQueries {
  const limit = pLimit(LIMITS.statesExaminedAtOnce);
  return {
    stateVersions: async (caller, ids) => permitOrNull(caller, "workspace:read", await reads.versions(ids)),
    currentStates: async (caller, ids) => permitOrNull(caller, "workspace:read", await reads.current(ids)),
    listStateVersions: async (caller, workspaceId, page) =>
      (await reads.versionsOf(workspaceId, page))?.permit(caller, "workspace:read") ?? toPage(page, []),
    stateResources: (caller, version) => limit(() => listResources(reads, caller, version)),
    compareStates: (caller, workspaceId, fromId, toId) =>
      limit(() => compare(reads, caller, workspaceId, [fromId, toId])),
    stateOutputs: async (caller, ids) => permitLists(caller, "workspace:read", await reads.outputs(ids)),
    stateReadings: async (caller, ids) => permitLists(caller, "workspace:read", await reads.readings(ids)),
    stateRollbacks: async (caller, ids) => permitOrNull(caller, "run:read", await reads.rollbacks(ids)),
  };
}

async function listResources(
  reads: StateReads,
  caller: TokenCaller,
  version: StateVersion,
): Promise<StateResources | "TOO_LARGE"> {
  if (!can(caller, "workspace:read", version)) return { count: 0, resources: [] };
  if (version.size > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  const found = await reads.resources(version);
  return found.type === "LIST" ? found : { count: 0, resources: [] };
}

async function compare(
  reads: StateReads,
  caller: TokenCaller,
  workspaceId: string,
  ids: readonly [string, string],
): Promise<StateComparison | "TOO_LARGE" | null> {
  if (ids.some((id) => idKind(id) !== "stateVersion")) return null;
  const [from = null, to = null] = permitOrNull(caller, "workspace:read", await reads.versions(ids));
  if (from?.workspaceId !== workspaceId || to?.workspaceId !== workspaceId) return null;
  if (Math.max(from.size, to.size) > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  // Values need the permission to download the file: an older engine may not have marked a secret as sensitive.
  const found = await reads.difference(from, to, can(caller, "stateVersion:read", to));
  return found.type === "COMPARE" ? { from, to, ...found.difference } : null;
}
