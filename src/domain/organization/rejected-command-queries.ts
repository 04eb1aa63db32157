import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { RejectedCommand, RejectionsOf } from "../../model/people/rejected-command.ts";
import { scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import { PERMISSIONS } from "../../model/people/permission-set.ts";
import { listRejectedCommands } from "../../persistence/organization/rejected-command-store.ts";
import { Unchecked } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";

export function createRejectedCommandQueries({ database }: Pick<Deps, "database">) {
  return {
    /**
     * Lists rejected commands, newest first; positions are ids. Those about objects that the caller may not see are left
     * out.
     */
    async listRejectedCommands(
      caller: ActorCaller,
      of: RejectionsOf,
      page: PageRequest<number>,
    ): Promise<Page<RejectedCommand>> {
      const sights = PERMISSIONS.map((sight) => ({ sight, scope: scopeOf(caller, sight) })).filter(
        ({ scope }) => scope.type !== "nothing",
      );
      const found = await listRejectedCommands(database, of, sights, page);
      const items = found.items.flatMap((row) => new Unchecked(row, row).permit(caller, row.sight) ?? []);
      return { ...found, items };
    },
  };
}
