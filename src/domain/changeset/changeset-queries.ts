/** Queries of changesets. A caller sees a changeset by those of its members whose runs it may read, and no others. */
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { findChangesets, listChangesets, listWaves } from "../../persistence/changeset/changeset-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";

export function createChangesetQueries({ database }: Pick<Deps, "database">) {
  const scope = (caller: ActorCaller) => scopeOf(caller, "RUN_READ");
  return {
    changesets: (caller: ActorCaller, ids: readonly string[]) => findChangesets(database, scope(caller), ids),
    /** Lists the changesets of an organization, newest first; positions are ids. */
    listChangesets: async (caller: ActorCaller, organizationId: string, page: PageRequest<string>) =>
      isStorable(organizationId) ? listChangesets(database, scope(caller), organizationId, page) : toPage(page, []),
    changesetWaves: (caller: ActorCaller, ids: readonly string[]) => listWaves(database, scope(caller), ids),
  };
}
