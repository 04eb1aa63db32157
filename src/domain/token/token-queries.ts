/** Queries of tokens of the API and of actors. */
import { scopeOf, type TokenCaller } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/grant.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { findTokens, listTokens } from "../../persistence/people/token-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { permitPage } from "../access/unchecked.ts";
import { queryOrNull } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

function createTokenReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const onInstallation = () => INSTALLATION;
  return {
    /** Actors have no place: any visible object that names an actor shows it. */
    actors: batched(database, findActors),
    tokens: reads.byId((ids) => findTokens(database, ids), onInstallation),
    listTokens: async (revoked: boolean | null, page: PageRequest<string>) =>
      reads.page(await listTokens(database, revoked, page), onInstallation),
  };
}

/** Creates the queries of tokens and of the actors that use them. */
export function createTokenQueries(deps: Pick<Deps, "database">, base: Reads) {
  const reads = createTokenReads(deps, base);
  return {
    actors: async (ids: readonly string[]) => (ids.length === 0 ? [] : reads.actors(ids)),
    /** Returns tokens, including revoked and expired ones. */
    tokens: queryOrNull("token:write", reads.tokens),
    /** Lists tokens, newest first; positions are ids. `revoked`: only revoked ones, or only others; `null`: all. */
    listTokens: async (caller: TokenCaller, revoked: boolean | null, page: PageRequest<string>) =>
      scopeOf(caller, "token:write").type === "everything"
        ? permitPage(caller, "token:write", await reads.listTokens(revoked, page))
        : toPage(page, []),
  };
}
