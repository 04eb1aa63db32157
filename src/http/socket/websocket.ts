import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { getOperationAST, GraphQLError } from "graphql";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from "graphql-ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { ServerContext } from "../../graphql/kit/context.ts";
import { chargeOperation, rateError } from "../../graphql/execution/charge.ts";
import { admitDocument, type OperationRequest, prepareOperation, withoutHttp } from "../../graphql/server/operation.ts";
import { schema } from "../../graphql/server/schema.ts";
import { createSharedStreams, type SharedStreams } from "../../graphql/server/shared-streams.ts";
import type { OpenedStream } from "../../graphql/server/stream-transport.ts";
import type { Graphql } from "../../graphql/server/yoga.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { CallerRates } from "../../model/limit/caller-rates.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { bearerSecret } from "../kit/bearer.ts";
import { sessionSecret, type Site, withoutSession } from "../kit/site.ts";
import {
  ClientSocket,
  type Connection,
  createConnection,
  drained,
  detachText,
  isDrained,
  sendNext,
  type SocketOperation,
} from "./client-socket.ts";
import * as sockets from "./graphql-socket.ts";
import { type NextPayload, toPayload } from "./next-frame.ts";
import { createOperationObserver, type OperationObserver } from "../observe/observe-operations.ts";
import type { HttpObserver } from "../observe/observe-request.ts";
import { requestPath } from "../kit/request-path.ts";
import { requestIdOf, type RequestScope } from "../observe/request-scope.ts";
import { keepAlive } from "./keep-alive.ts";
import { createMeter } from "../route/caller-limits.ts";
import { isExpected } from "../route/failure.ts";
import type { RefusedTokens } from "../route/refused-tokens.ts";
import type { TokenDoor } from "../route/token-door.ts";
import { type TokenEndDeps, watchToken } from "../kit/token-end.ts";

/** The close code without a valid token. The protocol's own 4403 would make clients try for ever. */
const UNAUTHENTICATED = 4401;
/** The close code if the token cannot be checked now. Clients reconnect after it, unlike after the library's 4500. */
const TRY_AGAIN_LATER = 1013;
/** The time that a client has to answer the close frame of a server that stops. */
const CLOSE_MS = 1000;

/** The time that a client has for its first message. */
const INIT_MS = 3000;

export interface WebSocketDeps extends Omit<TokenEndDeps, "secretOf"> {
  graphql: Graphql;
  /** The site whose pages may open sockets by the session of their browser; `null`: none may. */
  site: Site | null;
  enter: TokenDoor;
  /** Absent: callers are not limited. */
  rates?: CallerRates;
  refusedTokens: RefusedTokens;
  path: string;
  /** Reports an unexpected error; gives the id that the client sees. */
  reportError: (error: unknown) => string;
  scope: RequestScope;
  observer: HttpObserver;
}

/**
 * Serves graphql-transport-ws on the server's own port. Operations are prepared as those of HTTP, and each checks the
 * token again. Equal subscriptions are executed once. A client gets one item of each at a time, so that a client that
 * never reads delays no other.
 */
export function attachWebSocket(server: Server, deps: WebSocketDeps): AsyncDisposable {
  const accepting = new WebSocketServer({
    noServer: true,
    // `opened` has them; tracking would add a listener to each socket.
    clientTracking: false,
    WebSocket: ClientSocket,
    maxPayload: LIMITS.webSocketMessageBytes,
    handleProtocols,
    perMessageDeflate: false,
  });
  const observed = createOperationObserver(deps.scope, deps.observer);
  const streams = createStreams(deps, observed);
  const socketDeps: sockets.SocketDeps = {
    observed,
    streams,
    accept: (connection, parameters) => accept(deps, connection, parameters),
    admit: (connection, request) => admitOperation(deps, connection, request),
    prepare: (server, request) => prepareOperation(deps.graphql, server, request),
  };
  const opened = new Set<ClientSocket>();
  const alive = keepAlive(opened);
  const serve = createServing(deps, socketDeps, opened);
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (socket.destroyed) return;
    const id = requestIdOf(request.headers["x-request-id"]);
    if (requestPath(request.url) !== deps.path) {
      socket.on("error", () => socket.destroy());
      socket.end(`HTTP/1.1 404 Not Found\r\nconnection: close\r\nx-request-id: ${id}\r\n\r\n`);
      return;
    }
    const addRequestId = (headers: string[], answered: IncomingMessage): void => {
      if (answered === request) headers.push(`x-request-id: ${id}`);
    };
    accepting.once("headers", addRequestId);
    accepting.handleUpgrade(request, socket, head, (client) => serve(client, socket, request, id));
    accepting.off("headers", addRequestId);
  };
  server.on("upgrade", upgrade);
  return {
    async [Symbol.asyncDispose]() {
      server.off("upgrade", upgrade);
      alive[Symbol.dispose]();
      const timer = setTimeout(() => {
        for (const socket of opened) socket.terminate();
      }, CLOSE_MS);
      accepting.close();
      const closed = Array.from(opened, (socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of opened) socket.close(1001, "Going away");
      await Promise.all(closed);
      clearTimeout(timer);
    },
  };
}

function createStreams(deps: WebSocketDeps, observed: OperationObserver): SharedStreams<SocketOperation> {
  return createSharedStreams<SocketOperation, NextPayload>({
    schema,
    transport: {
      credentialOf: ({ connection: { secret, address } }) => `${secret} ${address}`,
      refuse: ({ connection }, how) => connection.socket.tokenEnded(how),
      isReady: ({ connection }) => isDrained(connection),
      ready: ({ connection }) => drained(connection),
      opened: (operation) => observed.opened(operation.observed),
      toPayload,
      next: sendNext,
      complete: (operation) => {
        sockets.sendComplete(operation);
        observed.ended(operation.observed);
      },
      toError: (error) => unexpected(deps, error),
      fail: (operation, error) => {
        sockets.sendErrors(operation, [error]);
        observed.ended(operation.observed);
      },
    },
    open: (server, request) => openStream(deps.graphql, server, request),
    authenticate: ({ connection: { secret, address } }) => deps.recheck(secret ?? "", () => address),
    runAs: (facts, work) => deps.scope.run(facts, work),
  });
}

async function openStream(graphql: Graphql, server: ServerContext, request: OperationRequest): Promise<OpenedStream> {
  const operation = await prepareOperation(graphql, server, request);
  if (!("document" in operation)) return { errors: operation };
  const opened: OpenedStream | undefined = await operation.subscribe(operation);
  if (opened === undefined) throw new Error("A subscription gave nothing.");
  return opened;
}

/** Creates the function that serves a socket until it is closed. All sockets share its listeners. */
function createServing(
  deps: WebSocketDeps,
  socketDeps: sockets.SocketDeps,
  opened: Set<ClientSocket>,
): (socket: ClientSocket, wire: Duplex, request: IncomingMessage, requestId: string) => void {
  let count = 0;
  function onClose(this: WebSocket): void {
    deps.observer.open("websocket", -1);
    const connection = connectionOf(this);
    if (connection === null) return;
    opened.delete(connection.socket);
    sockets.closed(socketDeps, connection);
  }
  function onMessage(this: WebSocket, data: RawData): void {
    const connection = connectionOf(this);
    if (connection === null) return;
    // ws gives buffers by default.
    const text = Buffer.isBuffer(data) ? data.toString() : "";
    sockets.receive(socketDeps, connection, text).catch((error: unknown) => {
      deps.reportError(error);
      this.close(CloseCode.InternalServerError, "Internal server error");
    });
  }
  return (socket, wire, request, requestId) => {
    const connection = createConnection(socket, wire, request, requestId);
    count += 1;
    socket.turn = count;
    socket.connection = connection;
    deps.observer.open("websocket", 1);
    opened.add(socket);
    // A client that breaks the protocol of sockets is no error of ours; ws closes its socket.
    socket.on("error", ignore).on("close", onClose).on("pong", onPong);
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
      socket.close(CloseCode.SubprotocolNotAcceptable, "Subprotocol not acceptable");
      return;
    }
    connection.initTimer = setTimeout(closeUninitialised, INIT_MS, socket).unref();
    socket.on("message", onMessage);
  };
}

function ignore(): void {}

function connectionOf(socket: WebSocket): Connection | null {
  return socket instanceof ClientSocket ? socket.connection : null;
}

function onPong(this: WebSocket): void {
  if (this instanceof ClientSocket) this.owesPong = false;
}

/** Closes a socket without a first message; pings do not count. */
function closeUninitialised(socket: ClientSocket): void {
  socket.close(CloseCode.ConnectionInitialisationTimeout, "Connection initialisation timeout");
}

/** Whether the token of the first message is valid. The socket is closed when that token ends. */
async function accept(
  deps: WebSocketDeps,
  connection: Connection,
  { authorization }: Record<string, unknown>,
): Promise<boolean> {
  const { socket } = connection;
  const secret = detachText(
    authorization === undefined && connection.request !== null
      ? sessionSecret(deps.site, connection.request)
      : withoutSession(bearerSecret(authorization)),
  );
  connection.secret = secret;
  if (connection.request !== null) connection.address = deps.addressOf(connection.request);
  const caller = await authenticateConnection(deps, connection, secret);
  if (caller === null || caller === undefined) {
    if (caller === null) socket.close(UNAUTHENTICATED, "Unauthorized");
    else socket.close(TRY_AGAIN_LATER, "Try again later");
    return false;
  }
  // Watched before the first operation, which checks the token again: an end in between is found by one of the two.
  if (socket.readyState === socket.OPEN) {
    connection.token = watchToken(deps, { caller, secret, address: connection.address }, socket);
  }
  return true;
}

/** Finds the caller of a token; null if it is not valid, undefined if it could not be checked. */
async function authenticateConnection(
  deps: WebSocketDeps,
  connection: Connection,
  secret: string,
): Promise<ActorCaller | null | undefined> {
  const { request } = connection;
  // Its headers are not kept for the life of the socket.
  connection.request = null;
  try {
    return request === null ? null : await deps.enter(secret, request);
  } catch (error) {
    if (!isExpected(error)) deps.reportError(error);
    return undefined;
  }
}

const WITHOUT_POINTS = { type: "exhausted", whose: "credential", quotas: [] } as const;

async function admitOperation(
  deps: WebSocketDeps,
  { socket, secret, address }: Connection,
  request: OperationRequest,
): Promise<sockets.Admitted | readonly GraphQLError[]> {
  try {
    const retryAfterMs = deps.refusedTokens.retryAfterMs(secret ?? "");
    if (retryAfterMs > 0) return [withoutHttp(rateError({ ...WITHOUT_POINTS, retryAfterMs }))];
    const caller = await deps.authenticate(secret ?? "", () => address);
    if (caller === null) {
      socket.tokenEnded("ENDED");
      return [
        new GraphQLError("The token has expired or was revoked. Connect with another one.", {
          extensions: { code: "UNAUTHENTICATED" },
        }),
      ];
    }
    deps.scope.note({ actorId: caller.actor.id });
    const meter = deps.rates && createMeter(deps.rates, caller);
    const exhausted = meter?.check() ?? null;
    if (exhausted !== null) {
      deps.refusedTokens.note(secret ?? "", exhausted.retryAfterMs);
      return [withoutHttp(rateError(exhausted))];
    }
    const server: ServerContext = { caller, note: deps.scope.note, charge: meter?.charge };
    const document = admitDocument(deps.graphql, server, request);
    // A document of several operations needs the name of one.
    const type = "kind" in document ? getOperationAST(document, request.operationName)?.operation : undefined;
    if (!("kind" in document) || type === undefined) {
      meter?.leave();
      return "kind" in document ? [sockets.refusal("Unable to identify operation")] : document;
    }
    const { operationName, variables: variableValues } = request;
    const refused = chargeOperation(server, { schema, document, operationName, variableValues });
    if (refused !== null) return [withoutHttp(refused)];
    // It was charged: the executor must not charge it again.
    server.charge = undefined;
    return { type, document, server, counted: meter?.counted() ?? null };
  } catch (error) {
    return [unexpected(deps, error)];
  }
}

function unexpected(deps: WebSocketDeps, error: unknown): GraphQLError {
  const errorId = deps.reportError(error);
  return new GraphQLError("Unexpected error.", { extensions: { code: "INTERNAL", errorId } });
}
