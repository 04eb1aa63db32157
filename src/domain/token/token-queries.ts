/** Queries of tokens of the API and of actors. */
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { INSTALLATION, organizationPlace, type Place } from "../../model/people/place.ts";
import { toPage, type PageRequest } from "../../model/kit/page.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  findTokens,
  listTokens,
  listTokensOfActor,
  type OwnedToken,
  type TokenFilter,
} from "../../persistence/people/token-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { queryOrNull } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

/** The place of the tokens of an organization's machine users, or of all others. */
const placeOf = ({ organizationId }: Pick<TokenFilter, "organizationId">): Place =>
  organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId });

function createTokenReads({ database }: Pick<Deps, "database">, reads: Reads) {
  return {
    /** Actors have no place: any visible object that names an actor shows it. */
    actors: batched(database, findActors),
    tokens: reads.byId<OwnedToken>((ids) => findTokens(database, ids), placeOf),
    tokensOfActor: (actorId: string) => listTokensOfActor(database, actorId, LIMITS.ownTokensShown),
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
    /**
     * Lists tokens, newest first; positions are ids: all, or those of the machine users of an organization, which takes
     * the permission there.
     */
    listTokens: async (caller: ActorCaller, filter: TokenFilter, page: PageRequest<string>) =>
      can(caller, "TOKEN_WRITE", placeOf(filter)) ? listTokens(deps.database, filter, page) : toPage(page, []),
  };
}
