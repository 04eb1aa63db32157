/** Queries of the lines of logs by their numbers and by their text. */
import { LIMITS } from "../../model/kit/limits.ts";
import { idKind } from "../../model/kit/id.ts";
import { type ActorCaller, countedCredential } from "../../model/people/permission.ts";
import { type LogMatches, listLogMatches } from "../../persistence/log/log-match-store.ts";
import { findLogExtents } from "../../persistence/log/log-store.ts";
import { queryOrNull } from "../access/query.ts";
import { batched, type Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";
import { createTokenLimit } from "../kit/token-limit.ts";

export function createLogQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const limit = createTokenLimit({ total: LIMITS.logSearchesAtOnce, perToken: LIMITS.logSearchesPerToken });
  return {
    /** Returns by run the numbers of the lines of its log. */
    logExtents: queryOrNull("RUN_READ", reads.below(reads.runSummaries, batched(database, findLogExtents))),
    /** Searches the log of a run behind a line; nothing is searched for a caller that may not read the run. */
    listLogMatches: async (
      caller: ActorCaller,
      runId: string,
      search: { text: string; after: number; limit: number },
    ): Promise<LogMatches> => {
      const [found = null] = idKind(runId) === "run" ? await reads.runSummaries([runId]) : [];
      const run = found?.permit(caller, "RUN_READ") ?? null;
      return run === null
        ? { items: [], searchedTo: 0, hasNextPage: false, hasPreviousPage: false }
        : limit(countedCredential(caller), () =>
            listLogMatches(database, { runId: run.id, ...search, maxBytes: LIMITS.logSearchBytes }),
          );
    },
  };
}
