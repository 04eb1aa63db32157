import { type ActorCaller, type CallerScope, scopeOf } from "../../model/people/permission.ts";
import type { BulkCounts, BulkOperation } from "../../model/bulk/bulk.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import {
  countBulkItems,
  findBulkOperations,
  listBulkOperations,
  listBulkResults,
} from "../../persistence/bulk/bulk-store.ts";
import type { Reads } from "../access/reads.ts";
import { Unchecked } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";

type BulkReads = ReturnType<typeof createBulkReads>;

const onInstallation = () => INSTALLATION;

function createBulkReads({ database }: Pick<Deps, "database">, reads: Reads) {
  return {
    operations: reads.byId((ids) => findBulkOperations(database, ids), onInstallation),
    /** Lists the operations of one actor; only that actor may see the list. */
    operationsOf: (actorId: string, page: PageRequest<string>) => listBulkOperations(database, actorId, page),
    results: async (scope: CallerScope, { id, createdById }: BulkOperation, page: PageRequest<number>) =>
      new Unchecked({ createdById, page: await listBulkResults(database, scope, id, page) }, INSTALLATION),
    counts: (scope: CallerScope, ids: readonly string[]) => countBulkItems(database, scope, ids),
  };
}

const createdBy = ({ createdById }: Pick<BulkOperation, "createdById">): string => createdById;

export function createBulkQueries(deps: Pick<Deps, "database">, base: Reads) {
  return bulkQueries(createBulkReads(deps, base));
}

function bulkQueries(reads: BulkReads) {
  return {
    bulkOperations: async (caller: ActorCaller, ids: readonly string[]) =>
      (await reads.operations(ids)).map((one) => one?.permitOwn(caller, "BULK_OTHERS", createdBy) ?? null),
    /** Lists the caller's operations, newest first; positions are ids. */
    listBulkOperations: (caller: ActorCaller, page: PageRequest<string>) => reads.operationsOf(caller.actor.id, page),
    /**
     * Counts the runs of operations that the caller was shown. A run that it may not read, because of isolation or because
     * rights were taken from it, is not counted.
     */
    bulkCounts: async (caller: ActorCaller, asked: readonly BulkOperation[]): Promise<BulkCounts[]> => {
      const scope = scopeOf(caller, "RUN_READ");
      if (scope.type === "everything") return [...asked];
      return reads.counts(
        scope,
        asked.map(({ id }) => id),
      );
    },
    /** Lists the results of an operation about runs that the caller may read, in execution order; positions are turns. */
    listBulkResults: async (caller: ActorCaller, operation: BulkOperation, page: PageRequest<number>) => {
      const found = await reads.results(scopeOf(caller, "RUN_READ"), operation, page);
      return found.permitOwn(caller, "BULK_OTHERS", createdBy)?.page ?? toPage(page, []);
    },
  };
}
