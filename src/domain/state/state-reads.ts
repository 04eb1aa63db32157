/** Reads of the versions of states. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import type { StateReading, StateVersion } from "../../model/state/state-version.ts";
import {
  findCurrentStates,
  findStateRollbacks,
  findStateVersions,
  listStateOutputs,
  listStateVersions,
} from "../../persistence/state/state-version-store.ts";
import { listStateReadings, noteStateReading } from "../../persistence/state/state-reading-store.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { examineInBackground } from "./examine-states.ts";
import type { ResourceSelection } from "./state-domain.ts";
import { readStateBytes } from "./read-state-bytes.ts";

export type StateReads = ReturnType<typeof createStateReads>;

export function createStateReads(deps: Pick<Deps, "database" | "cipher" | "blobs">, reads: Reads) {
  const { database } = deps;
  const { runSummaries: runs, workspaces } = reads;
  const itself = <Row>(row: Row): Row => row;
  const versions = reads.byId((ids) => findStateVersions(database, ids), itself);
  return {
    versions,
    current: reads.below(
      workspaces,
      (ids) => findCurrentStates(database, ids),
      (version) => (version === null ? [] : [version]),
    ),
    versionsOf: (workspaceId: string, page: PageRequest<number>) =>
      reads.pageBelow(workspaces, workspaceId, () => listStateVersions(database, workspaceId, page)),
    outputs: reads.below(versions, (ids) => listStateOutputs(database, ids)),
    readings: reads.below(versions, (ids) => listStateReadings(database, ids, LIMITS.stateReadingsShown)),
    /** Records that values of versions were read. */
    noteReading: (ids: readonly string[], reading: StateReading) => noteStateReading(database, ids, reading),
    rollbacks: reads.below(runs, (ids) => findStateRollbacks(database, ids)),
    /** Reads a whole file. The caller must have been checked for the version. */
    resources: async ({ id }: StateVersion, selection: ResourceSelection) => {
      const states = [await readStateBytes(deps, id)] as const;
      return examineInBackground({ type: "LIST", states, selection });
    },
    /** Reads two whole files. The caller must have been checked for both versions. */
    difference: async (from: StateVersion, to: StateVersion, showValues: boolean) => {
      const states = [await readStateBytes(deps, from.id), await readStateBytes(deps, to.id)] as const;
      return examineInBackground({
        type: "COMPARE",
        states,
        options: {
          showValues,
          secrets: await workspaceSecrets(database, deps, to.workspaceId),
          maxResources: LIMITS.stateResourcesShown,
          maxValues: LIMITS.stateValuesShown,
          maxValueLength: LIMITS.stateValueLength,
        },
      });
    },
  };
}
