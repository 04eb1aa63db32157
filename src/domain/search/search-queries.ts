/** The query that finds objects of all kinds by their names or ids. */
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { bestHits, idRange, type SearchHit, type SearchKind } from "../../model/search/search-hit.ts";
import { findByIds, findByName } from "../../persistence/search/name-store.ts";
import type { Deps } from "../kit/deps.ts";

/** The permission that shows an object of a kind. */
const SHOWING = {
  workspace: "WORKSPACE_READ",
  run: "RUN_READ",
  project: "PROJECT_READ",
  organization: "ORGANIZATION_READ",
  team: "MEMBER_READ",
  user: "MEMBER_READ",
  machineUser: "MEMBER_READ",
  policySet: "POLICY_READ",
  promotionPipeline: "RUN_READ",
  repository: "WORKSPACE_READ",
  runnerPool: "RUNNER_READ",
} as const satisfies Record<SearchKind, Permission>;

export function createSearchQueries({ database }: Pick<Deps, "database">) {
  return {
    /**
     * Finds the objects that the caller may read by a text in their names, or by the beginning of their ids, the best hits
     * first. The objects themselves are read by their own queries, which check each of them.
     */
    search: async (caller: ActorCaller, text: string, limit: number): Promise<SearchHit[]> => {
      const scope = (kind: SearchKind) => scopeOf(caller, SHOWING[kind]);
      const range = idRange(text);
      const [byId, byName] = await Promise.all([
        range === null ? [] : findByIds(database, range, scope(range.kind), limit),
        findByName(database, scope, text, limit),
      ]);
      return bestHits([...byId, ...byName], limit);
    },
  };
}
