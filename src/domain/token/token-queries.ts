/** Queries of tokens of the API and of actors. */
import { scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { findTokens, listTokens, listTokensOfActor } from "../../persistence/people/token-store.ts";
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
    tokensOfActor: (actorId: string) => listTokensOfActor(database, actorId, LIMITS.ownTokensShown),
    listTokens: async (revoked: boolean | null, page: PageRequest<string>) =>
      reads.page(() => listTokens(database, revoked, page), onInstallation),
  };
}

/** Creates the queries of tokens and of the actors that use them. */
export function createTokenQueries(deps: Pick<Deps, "database">, base: Reads) {
  const reads = createTokenReads(deps, base);
  return {
    actors: async (ids: readonly string[]) => (ids.length === 0 ? [] : reads.actors(ids)),
    /** Returns tokens, including revoked and expired ones. */
    tokens: queryOrNull("TOKEN_WRITE", reads.tokens),
    /** Returns the tokens of the caller that were not revoked, newest first. */
    ownTokens: (caller: ActorCaller) => reads.tokensOfActor(caller.actor.id),
    /** Lists tokens, newest first; positions are ids. `revoked`: only revoked ones, or only others; `null`: all. */
    listTokens: async (caller: ActorCaller, revoked: boolean | null, page: PageRequest<string>) =>
      scopeOf(caller, "TOKEN_WRITE").type === "everything"
        ? permitPage(caller, "TOKEN_WRITE", await reads.listTokens(revoked, page))
        : toPage(page, []),
  };
}
