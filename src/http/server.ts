import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LIMITS } from "../model/kit/limits.ts";
import { createAddressOf, type TrustedNetwork } from "./kit/client-address.ts";
import { createSecretOf } from "./kit/site.ts";
import type { Programs } from "./programs/program-deps.ts";
import type { SignInSettings } from "./sign-in/sign-in-deps.ts";
import { createRefusedTokens } from "./route/refused-tokens.ts";
import { createTokenDoor } from "./route/token-door.ts";
import { coalesce } from "./kit/coalesce.ts";
import { type HttpObserver, NO_OBSERVER, observeRequest } from "./observe/observe-request.ts";
import { GRAPHQL_PATH } from "./kit/request-path.ts";
import { createQueueingServer } from "./kit/request-queue.ts";
import { createRequestScope, type RequestScope } from "./observe/request-scope.ts";
import { createFindRoute } from "./route/find-route.ts";
import type { CheckAccess } from "../domain/external-check/take-report.ts";
import type { InboundHooks } from "../domain/schedule/receive-hook.ts";
import { serveRoute } from "./serve-route.ts";
import { createRoutes, UNKNOWN_ROUTE, type RouteDeps } from "./routes.ts";
import { attachWebSocket } from "./socket/websocket.ts";

export interface HttpDeps
  extends Omit<
    RouteDeps,
    | "closing"
    | "slowBodyMs"
    | "scope"
    | "observer"
    | "secretOf"
    | "addressOf"
    | "signIn"
    | "programs"
    | "inboundHooks"
    | "checks"
  > {
  /** How people sign in; absent: the server has no sign-in and reads no cookies. */
  signIn?: SignInSettings;
  /** The use cases of programs that want a token; absent: administrators alone give tokens. */
  programs?: Programs;
  /** The deliveries of other systems; absent: there is no route for them. */
  inboundHooks?: InboundHooks;
  /** The access of external checks; absent: there are no routes for them. */
  checks?: CheckAccess;
  /** A body that takes longer needs a token that is still valid at its end; absent: a second. */
  slowBodyMs?: number;
  /** The time for which a client may read nothing of its answer; absent: LIMITS.answerStallMs. */
  answerStallMs?: number;
  clock?: () => Date;
  /** Networks whose proxies are believed about the address of a client; absent: none. */
  trustedProxies?: readonly TrustedNetwork[];
  /** Other origins whose pages may use the API; absent: none. */
  corsOrigins?: readonly string[];
  /** The scope of requests, which the log of other layers reads; absent: a scope of this server alone. */
  scope?: RequestScope;
  observer?: HttpObserver;
}

export interface HttpServer extends AsyncDisposable {
  host: string;
  port: number;
}

const SHORT_MS = 2000;
const SLOW_BODY_MS = 1000;

/** Listens on one port for GraphQL over HTTP and WebSocket, runners, and health checks. */
export async function startHttpServer(
  { signIn, programs, inboundHooks, checks, ...given }: HttpDeps,
  address: { host: string; port: number },
): Promise<HttpServer> {
  const closing = new AbortController();
  const site = signIn?.site ?? null;
  const { clock = () => new Date(), trustedProxies = [] } = given;
  const secretOf = createSecretOf(site);
  const addressOf = createAddressOf(trustedProxies);
  const deps = {
    slowBodyMs: SLOW_BODY_MS,
    corsOrigins: [],
    scope: createRequestScope(),
    observer: NO_OBSERVER,
    ...given,
    secretOf,
    addressOf,
    closing: closing.signal,
    isReady: coalesce(given.isReady),
  };
  const { authenticate } = given;
  const enter = createTokenDoor({ authenticate, clock, trustedProxies });
  const refusedTokens = createRefusedTokens(clock);
  const routeDeps = { ...deps, refusedTokens, enter };
  const signInDeps = signIn && { ...signIn, enter, clock, trustedProxies };
  const programDeps = programs && { ...programs, signIn: signInDeps ?? null, clock, trustedProxies };
  const routes = createRoutes({
    ...deps,
    ...(signInDeps && { signIn: signInDeps }),
    ...(programDeps && { programs: programDeps }),
    ...(inboundHooks && { inboundHooks: { hooks: inboundHooks, clock, trustedProxies } }),
    ...(checks && { checks: { access: checks, clock, trustedProxies } }),
  });
  const find = createFindRoute(routes, UNKNOWN_ROUTE);
  const server = createQueueingServer({
    stallMs: given.answerStallMs ?? LIMITS.answerStallMs,
    serve(request, response) {
      const found = find(request, response);
      observeRequest(deps, found, () => void serveRoute(routeDeps, found));
    },
  });
  const { graphql, reportError, scope, observer } = deps;
  const webSocket = attachWebSocket(server, {
    graphql,
    path: GRAPHQL_PATH,
    site,
    authenticate,
    recheck: given.recheck,
    addressOf,
    enter,
    refusedTokens,
    ...(given.rates && { rates: given.rates }),
    ...(given.watchToken && { watchToken: given.watchToken }),
    reportError,
    scope,
    observer,
  });
  const { address: host, port } = await listen(server, address);
  return {
    host,
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      closing.abort();
      await webSocket[Symbol.asyncDispose]();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), SHORT_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const bound = server.address();
      if (bound === null || typeof bound === "string") reject(new Error("The server listens on no port."));
      else resolve(bound);
    });
  });
}
