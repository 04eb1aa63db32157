import { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StateFiles } from "../domain/state/state-files.ts";
import type { Transfers } from "../domain/transfers.ts";
import type { LogExports } from "../domain/log/export-log.ts";
import type { ServerContext } from "../graphql/kit/context.ts";
import type { Graphql } from "../graphql/server/yoga.ts";
import { RUNNER_PATH } from "../ingestion/ingestion.ts";
import { LIMITS } from "../model/kit/limits.ts";

import type { TokenCaller } from "../model/people/permission.ts";
import { basicSecret, bearerSecret } from "./bearer.ts";
import { coalesce } from "./coalesce.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { createGraphiql, type Graphiql, isAssetPath, isPageRequest } from "./graphiql/graphiql.ts";
import { answerError, answerJson } from "./json-answer.ts";
import { answerLog, isLogPath } from "./log-export.ts";
import type { MetricsPage } from "./metrics.ts";
import { type HttpObserver, NO_OBSERVER, observeEventStream, observeRequest } from "./observe-request.ts";
import { answerPlainPost } from "./plain-post.ts";
import { readBody } from "./request-body.ts";
import { GRAPHQL_PATH, requestPath } from "./request-path.ts";
import { createQueueingServer } from "./request-queue.ts";
import { createRequestScope, type RequestScope } from "./request-scope.ts";
import { endWithToken, type WatchToken } from "./token-end.ts";
import { answerState, isBackendPath, isStatePath } from "./states.ts";
import { answerTransfer, isTransferPath } from "./transfers.ts";
import { answerWait, isWaitPath, type RunWaits, type WaitPlaces } from "./wait.ts";
import { attachWebSocket } from "./websocket.ts";

export interface HttpDeps {
  graphql: Graphql;
  /** Answers everything below RUNNER_PATH. */
  ingestion: (request: IncomingMessage, response: ServerResponse) => void;
  /** What is too large for GraphQL; absent: none of it is taken. */
  transfers?: Transfers;
  /** States as files; absent: there are none. */
  stateFiles?: StateFiles;
  /** Where scripts wait for runs; absent: they cannot. */
  runWaits?: RunWaits;
  /** Gives logs as files; absent: it cannot. */
  logExports?: LogExports;
  authenticate: (secret: string) => Promise<TokenCaller | null>;
  /** Whose body takes longer is asked for a token again that is valid; absent: a second. */
  slowBodyMs?: number;
  /** How long a client may read nothing of an answer that waits for it; absent: LIMITS.answerStallMs. */
  answerStallMs?: number;
  /** Tells when a token ends; absent: it is looked at only when something is asked for. */
  watchToken?: WatchToken;
  /** Whether requests can be served now: the database answers. */
  isReady: () => Promise<boolean>;
  /** Other origins whose pages may use the API; absent: none. */
  corsOrigins?: readonly string[];
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
  /** Which request is being served, for the log of whatever it does; absent: only this server knows. */
  scope?: RequestScope;
  observer?: HttpObserver;
  /** The page for scrapers; absent: there is none. */
  metrics?: (caller: TokenCaller) => Promise<MetricsPage>;
}

/** With nothing left out. */
type AllDeps = HttpDeps & {
  scope: RequestScope;
  observer: HttpObserver;
  /** Aborted when the server is closed: what is held open is answered. */
  closing: AbortSignal;
  waiting: WaitPlaces;
  graphiql: Graphiql;
  /** Logs that are being sent. */
  sending: Map<ServerResponse, string>;
};

export interface HttpServer extends AsyncDisposable {
  host: string;
  port: number;
}

const SHORT_MS = 2000;
const SLOW_BODY_MS = 1000;
const NO_STORE = { "cache-control": "no-store" };

/** Listens on one port for GraphQL over HTTP and WebSocket, runners, and health checks. */
export async function startHttpServer(given: HttpDeps, address: { host: string; port: number }): Promise<HttpServer> {
  const closing = new AbortController();
  const own = {
    closing: closing.signal,
    graphiql: createGraphiql(),
    waiting: new Map(),
    sending: new Map<ServerResponse, string>(),
  };
  const deps: AllDeps = {
    scope: createRequestScope(),
    observer: NO_OBSERVER,
    ...given,
    ...own,
    isReady: coalesce(given.isReady),
  };
  const server = createQueueingServer({
    stallMs: given.answerStallMs ?? LIMITS.answerStallMs,
    serve(request, response) {
      observeRequest(deps, request, response, () => {
        handle(deps, request, response).catch((error: unknown) => fail(deps, request, response, error));
      });
    },
  });
  const { graphql, authenticate, reportError, scope, observer } = deps;
  const webSocket = attachWebSocket(server, {
    graphql,
    path: GRAPHQL_PATH,
    authenticate,
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

async function handle(deps: AllDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pathname = requestPath(request.url);
  if (pathname?.startsWith(RUNNER_PATH)) return deps.ingestion(request, response);
  if (pathname === GRAPHQL_PATH) return graphql(deps, request, response);
  if (pathname !== null && isTransferPath(pathname) && deps.transfers !== undefined) {
    const { transfers, reportError } = deps;
    allowOrigin(deps.corsOrigins ?? [], request, response);
    const caller = (): Promise<TokenCaller | null> => authenticate(deps, request, response);
    return answerTransfer({ transfers, authenticate: caller, reportError }, pathname, request, response);
  }
  if (pathname !== null && isStatePath(pathname) && deps.stateFiles !== undefined) {
    return states(deps, deps.stateFiles, pathname, request, response);
  }
  if (pathname !== null && isWaitPath(pathname) && deps.runWaits !== undefined) {
    allowOrigin(deps.corsOrigins ?? [], request, response);
    return waitForRun(deps, deps.runWaits, request, response);
  }
  if (pathname !== null && isLogPath(pathname) && deps.logExports !== undefined) {
    const { logExports, sending, reportError, watchToken } = deps;
    allowOrigin(deps.corsOrigins ?? [], request, response);
    const identify = () => authenticate(deps, request, response);
    const tokens = { authenticate: deps.authenticate, identify, ...(watchToken && { watchToken }) };
    return answerLog({ exports: logExports, ...tokens, sending, reportError }, request, response);
  }
  if (pathname !== null && isAssetPath(pathname)) return deps.graphiql.answerAsset(pathname, request, response);
  if (pathname === "/metrics" && deps.metrics !== undefined) return metrics(deps, deps.metrics, request, response);
  if (pathname === "/healthz") return answerJson(response, 200, { status: "ok" });
  if (pathname === "/readyz") {
    const ready = await deps.isReady();
    return answerJson(response, ready ? 200 : 503, {
      status: ready ? "ok" : "the database does not answer, or its disk is full",
    });
  }
  if (pathname === "/") {
    response.writeHead(302, { location: GRAPHQL_PATH }).end();
    return;
  }
  return answerError(response, 404, "NOT_FOUND", "There is nothing here; GraphQL is at /graphql.");
}

function states(
  deps: AllDeps,
  files: StateFiles,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { reportError } = deps;
  // An engine has nothing to do with pages.
  const ofEngine = isBackendPath(path);
  if (!ofEngine) allowOrigin(deps.corsOrigins ?? [], request, response);
  const caller = (): Promise<TokenCaller | null> => authenticate(deps, request, response, ofEngine);
  return answerState({ files, authenticate: caller, reportError }, path, { request, response });
}

function waitForRun(deps: AllDeps, waits: RunWaits, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { closing, waiting: places, reportError, watchToken } = deps;
  const identify = () => authenticate(deps, request, response);
  const tokens = { authenticate: deps.authenticate, identify, ...(watchToken && { watchToken }) };
  return answerWait({ ...waits, ...tokens, closing, places, reportError }, request, response);
}

/** Figures tell who works on what, and how much: they need a token, as everything else does that is not a page. */
async function metrics(
  deps: AllDeps,
  page: NonNullable<HttpDeps["metrics"]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const caller = await authenticate(deps, request, response);
  if (caller === null) return answerError(response, 401, "UNAUTHENTICATED", "A valid bearer token is needed.");
  const { contentType, text } = await page(caller);
  response.writeHead(200, { "content-type": contentType, ...NO_STORE }).end(text);
}

async function authenticate(
  deps: AllDeps,
  request: IncomingMessage,
  response: ServerResponse,
  basic = false,
): Promise<TokenCaller | null> {
  const { authorization } = request.headers;
  const caller = await deps.authenticate(basic ? basicSecret(authorization) : bearerSecret(authorization));
  if (caller === null) {
    response.setHeader("www-authenticate", basic ? 'Basic realm="Holdpoint"' : "Bearer");
    deps.observer.error("UNAUTHENTICATED");
  } else deps.scope.note({ actorId: caller.actor.id });
  return caller;
}

async function graphql(deps: AllDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  allowOrigin(deps.corsOrigins ?? [], request, response);
  const refuse = (status: number, code: string, message: string): void => {
    // What was not read of the body would be taken for the next request.
    if (!request.complete) response.setHeader("connection", "close");
    answerError(response, status, code, message);
  };
  if (request.method === "OPTIONS") return answerPreflight(response, "GET, POST, OPTIONS");
  // GraphiQL's page holds nothing; what it asks for needs a token like everything else.
  if (isPageRequest(request)) return deps.graphiql.answerPage(response);
  const caller = await authenticate(deps, request, response);
  if (caller === null) return refuse(401, "UNAUTHENTICATED", "A valid bearer token is needed.");
  if (request.method === "POST") {
    const length = request.headers["content-length"];
    if (length === undefined) return refuse(411, "QUERY_REFUSED", "Send a Content-Length.");
    if (Number(length) > LIMITS.requestBytes) {
      const message = `A request may have at most ${LIMITS.requestBytes} bytes.`;
      return refuse(413, "QUERY_REFUSED", message);
    }
  }
  // How long the body takes is up to the client: meanwhile its token may end.
  const askedAt = performance.now();
  const body = request.method === "POST" ? await readBody(request) : undefined;
  if (body === null) return;
  const isSlow = performance.now() - askedAt > (deps.slowBodyMs ?? SLOW_BODY_MS);
  if (isSlow && (await authenticate(deps, request, response)) === null) {
    return refuse(401, "UNAUTHENTICATED", "A valid bearer token is needed.");
  }
  return execute(deps, { request, body }, response, caller);
}

async function execute(
  deps: AllDeps,
  { request, body }: { request: IncomingMessage; body: Buffer | undefined },
  response: ServerResponse,
  caller: TokenCaller,
): Promise<void> {
  if (body !== undefined) {
    const context: ServerContext = { caller, note: deps.scope.note };
    if ((await answerPlainPost(deps.graphql, { request, body }, response, context)) === "answered") return;
    // Yoga takes what was read from here, as from any framework that reads bodies itself.
    Object.assign(request, { body });
  }
  return pass(deps, request, response, caller);
}

async function pass(
  deps: AllDeps,
  request: IncomingMessage,
  response: ServerResponse,
  caller: TokenCaller,
): Promise<void> {
  const onEventStream = (): void => {
    observeEventStream(deps.observer, response);
    endWithToken(deps, request, response, caller).catch((error: unknown) => {
      deps.reportError(error);
      response.destroy();
    });
  };
  await deps.graphql.handle(request, response, { caller, note: deps.scope.note, onEventStream });
}

function fail(deps: AllDeps, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const errorId = deps.reportError(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  allowOrigin(deps.corsOrigins ?? [], request, response);
  answerJson(response, 500, { errors: [{ message: "Unexpected error.", extensions: { code: "INTERNAL", errorId } }] });
}
