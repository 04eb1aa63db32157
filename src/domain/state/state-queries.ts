import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { toPage } from "../../model/kit/page.ts";
import { mayAnywhere, type TokenCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { StateVersion } from "../../model/state/state-version.ts";
import {
  findCurrentStates,
  findStateRollbacks,
  findStateVersions,
  listStateOutputs,
  listStateReadings,
  listStateVersions,
} from "../../persistence/state/state-version-store.ts";
import type { Deps } from "../kit/deps.ts";
import { createGate } from "../kit/gate.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { examineAside } from "./examine-states.ts";
import { readStateBytes } from "./read-state-bytes.ts";
import type { StateComparison, StateQueries, StateResources } from "./state-domain.ts";

/** Runs a read where the caller may; otherwise answers without asking the database. */
async function each<Answer>(
  caller: TokenCaller,
  action: Permission,
  ids: readonly string[],
  nothing: () => Answer,
  read: () => Promise<Answer[]>,
): Promise<Answer[]> {
  return ids.length === 0 || !mayAnywhere(caller, action) ? ids.map(nothing) : read();
}

const none = (): null => null;

/** A few are looked into at a time: each one is in memory as a whole, several times over. */
export function createStateQueries(deps: Deps): StateQueries {
  const { database } = deps;
  const gate = createGate(LIMITS.statesExaminedAtOnce);
  return {
    stateVersions: (caller, ids) => each(caller, "workspace:read", ids, none, () => findStateVersions(database, ids)),
    currentStates: (caller, ids) => each(caller, "workspace:read", ids, none, () => findCurrentStates(database, ids)),
    listStateVersions: async (caller, workspaceId, page) =>
      mayAnywhere(caller, "workspace:read") ? listStateVersions(database, workspaceId, page) : toPage(page, []),
    stateResources: (caller, version) => gate.pass(() => listResources(deps, caller, version)),
    compareStates: (caller, workspaceId, fromId, toId) =>
      gate.pass(() => compare(deps, caller, workspaceId, [fromId, toId])),
    stateOutputs: (caller, ids) =>
      each(
        caller,
        "workspace:read",
        ids,
        () => [],
        () => listStateOutputs(database, ids),
      ),
    stateReadings: (caller, ids) =>
      each(
        caller,
        "workspace:read",
        ids,
        () => [],
        () => listStateReadings(database, ids, LIMITS.stateReadingsShown),
      ),
    stateRollbacks: (caller, ids) => each(caller, "run:read", ids, none, () => findStateRollbacks(database, ids)),
  };
}

async function listResources(
  deps: Deps,
  caller: TokenCaller,
  { id, size }: StateVersion,
): Promise<StateResources | "TOO_LARGE"> {
  if (!mayAnywhere(caller, "workspace:read")) return { count: 0, resources: [] };
  if (size > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  const states = [await readStateBytes(deps, id)] as const;
  const found = await examineAside({ type: "LIST", states, max: LIMITS.stateResourcesShown });
  return found.type === "LIST" ? found : { count: 0, resources: [] };
}

async function compare(
  deps: Deps,
  caller: TokenCaller,
  workspaceId: string,
  ids: readonly [string, string],
): Promise<StateComparison | "TOO_LARGE" | null> {
  if (!mayAnywhere(caller, "workspace:read")) return null;
  if (ids.some((id) => idKind(id) !== "stateVersion")) return null;
  const [from = null, to = null] = await findStateVersions(deps.database, ids);
  if (from?.workspaceId !== workspaceId || to?.workspaceId !== workspaceId) return null;
  if (Math.max(from.size, to.size) > LIMITS.stateExaminedBytes) return "TOO_LARGE";
  const states = [await readStateBytes(deps, from.id), await readStateBytes(deps, to.id)] as const;
  const found = await examineAside({
    type: "COMPARE",
    states,
    options: {
      // Whoever may not take the file may not read it here either: what an older engine does not call sensitive is in it.
      showValues: mayAnywhere(caller, "stateVersion:read"),
      secrets: await workspaceSecrets(deps.database, deps, workspaceId),
      maxResources: LIMITS.stateResourcesShown,
      maxValues: LIMITS.stateValuesShown,
      maxValueLength: LIMITS.stateValueLength,
    },
  });
  return found.type === "COMPARE" ? { from, to, ...found.difference } : null;
}
