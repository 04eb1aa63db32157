/** Queries of changesets. A caller sees a changeset by those of its members whose runs it may read, and no others. */
import type { ChangesetState } from "../../model/changeset/changeset-state.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { findChangesets, listChangesets, listWaves } from "../../persistence/changeset/seen-changeset-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";

export function createChangesetQueries({ database }: Pick<Deps, "database">) {
  const scope = (caller: ActorCaller) => scopeOf(caller, "RUN_READ");
  return {
    changesets: (caller: ActorCaller, ids: readonly string[]) => findChangesets(database, scope(caller), ids),
    /** Lists the changesets of an organization, newest first; positions are ids. `states`: `null` for those in any state. */
    listChangesets: async (
      caller: ActorCaller,
      organizationId: string,
      states: readonly ChangesetState[] | null,
      page: PageRequest<string>,
    ) =>
      isStorable(organizationId)
        ? listChangesets(database, scope(caller), organizationId, states, page)
        : toPage(page, []),
    changesetWaves: (caller: ActorCaller, ids: readonly string[]) => listWaves(database, scope(caller), ids),
  };
}
