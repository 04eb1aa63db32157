/** Assembles all queries. An object that the caller may not see is treated as absent. */
import { INSTALLATION } from "../../model/people/grant.ts";
import { scopeOf } from "../../model/people/permission.ts";
import type { PageRequest } from "../../model/kit/page.ts";
import { toPage } from "../../model/kit/page.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { findTokens, listTokens } from "../../persistence/people/token-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { permitOrNull, permitPage } from "../access/unchecked.ts";
import type { BulkQueries } from "../bulk/bulk-domain.ts";
import type { Queries } from "./query-types.ts";
import type { Deps } from "../kit/deps.ts";
import type { RecoveredStateQueries } from "../recovered-state/recovered-state-domain.ts";
import type { RejectedCommandQueries } from "../organization/rejected-command-queries.ts";
import type { RunnerQueries } from "../runner-pool/runner-domain.ts";
import type { StateQueries } from "../state/state-domain.ts";
import type { WebhookQueries } from "../webhook/webhook-domain.ts";
import { createResultQueries } from "./result-queries.ts";
import { createRunQueries } from "./run-queries.ts";
import { createRunReads } from "./run-reads.ts";
import { createWorkspaceQueries } from "./workspace-queries.ts";
import { createWorkspaceReads } from "./workspace-reads.ts";

export function createQueries(
  deps: Deps,
  reads: Reads,
): Omit<
  Queries,
  | keyof WebhookQueries
  | keyof BulkQueries
  | keyof RecoveredStateQueries
  | keyof RunnerQueries
  | keyof StateQueries
  | keyof RejectedCommandQueries
> {
  const runReads = createRunReads(deps, reads);
  return {
    ...createWorkspaceQueries(deps, reads, createWorkspaceReads(deps, reads)),
    ...createRunQueries(deps, reads, runReads),
    ...createResultQueries(runReads),
    ...createPeopleQueries(createPeopleReads(deps, reads)),
  };
}

type PeopleReads = ReturnType<typeof createPeopleReads>;

function createPeopleReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const onInstallation = () => INSTALLATION;
  return {
    /** Actors have no place: they are shown wherever a visible object names them. */
    actors: batched(database, findActors),
    tokens: reads.byId((ids) => findTokens(database, ids), onInstallation),
    listTokens: async (revoked: boolean | null, page: PageRequest<string>) =>
      reads.page(await listTokens(database, revoked, page), onInstallation),
  };
}

function createPeopleQueries(reads: PeopleReads): Pick<Queries, "actors" | "tokens" | "listTokens"> {
  return {
    actors: async (ids) => (ids.length === 0 ? [] : reads.actors(ids)),
    tokens: async (caller, ids) => permitOrNull(caller, "token:write", await reads.tokens(ids)),
    listTokens: async (caller, revoked, page) =>
      scopeOf(caller, "token:write").type === "everything"
        ? permitPage(caller, "token:write", await reads.listTokens(revoked, page))
        : toPage(page, []),
  };
}
