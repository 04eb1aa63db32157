import type { IncomingMessage } from "node:http";
import type { ActorCaller } from "../model/people/permission.ts";
import type { CallerRates } from "../model/limit/caller-rates.ts";
import { basicSecret } from "./kit/bearer.ts";
import { allowOrigin, answerPreflight } from "./kit/cors.ts";
import { type SecretOf, withoutSession } from "./kit/site.ts";
import { answerJson } from "./kit/json-answer.ts";
import { limitRequest, noteWithoutPoints, refuseWithoutPoints } from "./route/caller-limits.ts";
import type { RefusedTokens } from "./route/refused-tokens.ts";
import type { TokenDoor } from "./route/token-door.ts";
import type { HttpObserver } from "./observe/observe-request.ts";
import type { RequestScope } from "./observe/request-scope.ts";
import { describeFailure, isExpected, isGone, HttpError, type RouteAuth, unauthenticated } from "./route/failure.ts";
import type { FoundRoute } from "./route/find-route.ts";
import type { HttpExchange, Route } from "./route/route.ts";

export interface ServeDeps {
  enter: TokenDoor;
  secretOf: SecretOf;
  /** Absent: callers are not limited. */
  rates?: CallerRates;
  refusedTokens: RefusedTokens;
  /** Other origins whose pages may use routes with `cors`. */
  corsOrigins: readonly string[];
  /** Reports something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
  scope: RequestScope;
  observer: HttpObserver;
}

const CHALLENGES: Record<RouteAuth, string> = { bearer: "Bearer", basic: 'Basic realm="Holdpoint"' };

/** Serves a request by its route: CORS, OPTIONS, 405, 401, the handler, and errors in the form of the route. */
export async function serveRoute(deps: ServeDeps, { route, exchange }: FoundRoute): Promise<void> {
  const { request, response } = exchange;
  // Logs, states and errors hold what others wrote: no browser may take them for a page.
  response.setHeader("x-content-type-options", "nosniff");
  try {
    if (route.cors) allowOrigin(deps.corsOrigins, request, response);
    const isOwn = route.methods === null || route.methods.includes(request.method ?? "");
    if (!isOwn) return answerOther(route, exchange);
    const caller = route.auth === null ? null : await authenticate(deps, route.auth, request);
    if (caller !== null && deps.rates) limitRequest(deps.rates, route.limit, caller, response);
    await route.serve(exchange, caller);
  } catch (error) {
    if (route.auth !== null) noteWithoutPoints(deps.refusedTokens, secretIn(deps, route.auth, request), error);
    fail(deps, route, exchange, error);
  }
}

/** Answers a method that the route does not have. */
function answerOther({ methods }: Route, { request, response }: HttpExchange): void {
  const own = methods ?? [];
  const allowed = [...own, "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return answerPreflight(response, allowed);
  response.setHeader("allow", allowed);
  throw new HttpError(405, "METHOD_NOT_ALLOWED", `This method is not allowed here. Use ${own.join(" or ")}.`);
}

function secretIn({ secretOf }: ServeDeps, auth: RouteAuth, request: IncomingMessage): string {
  return auth === "basic" ? withoutSession(basicSecret(request.headers.authorization)) : secretOf(request);
}

async function authenticate(deps: ServeDeps, auth: RouteAuth, request: IncomingMessage): Promise<ActorCaller> {
  const { enter, scope, refusedTokens } = deps;
  const secret = secretIn(deps, auth, request);
  // Engines keep their access to states.
  if (auth === "bearer") refuseWithoutPoints(refusedTokens, secret);
  const caller = await enter(secret, request);
  if (caller === null) throw unauthenticated(auth);
  scope.note({ actorId: caller.actor.id });
  return caller;
}

function fail(deps: ServeDeps, { auth, errors }: Route, { request, response }: HttpExchange, error: unknown): void {
  // The client left, or has a part of an answer, which cannot be taken back.
  if (request.errored !== null || response.destroyed || response.headersSent) {
    if (!isGone(error) && (response.headersSent || !isExpected(error))) deps.reportError(error);
    response.destroy();
    return;
  }
  const failure = describeFailure(error, deps.reportError);
  if (failure.status === 401 || failure.status === 429) deps.observer.error(failure.code);
  if (failure.status === 401 && auth !== null) response.setHeader("www-authenticate", CHALLENGES[auth]);
  if (error instanceof HttpError)
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  // Node would parse the rest of a body as the next request.
  if (hasBody(request) && !request.complete) response.setHeader("connection", "close");
  answerJson(response, failure.status, errors(failure));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
