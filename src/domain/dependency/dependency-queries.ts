import type { Dependency } from "../../model/dependency/dependency.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { listDependenciesOf } from "../../persistence/dependency/dependency-store.ts";
import { queryLists } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";

export function createDependencyQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const read = reads.below(reads.workspaces, async (ids): Promise<Dependency[][]> => {
    const all = await listDependenciesOf(database, ids);
    return ids.map((id) => all.filter(({ upstreamId, downstreamId }) => upstreamId === id || downstreamId === id));
  });
  const lists = queryLists("WORKSPACE_READ", read);
  return {
    /** Returns the dependencies of each workspace on both sides. Their other ends may be hidden from the caller. */
    dependenciesOf: (caller: ActorCaller, ids: readonly string[]) => lists(caller, ids),
  };
}
