import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { getOperationAST, GraphQLError } from "graphql";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from "graphql-ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { ServerContext } from "../../graphql/kit/context.ts";
import { admitDocument, type OperationRequest, prepareOperation } from "../../graphql/server/operation.ts";
import { schema } from "../../graphql/server/schema.ts";
import { createSharedStreams, type SharedStreams } from "../../graphql/server/shared-streams.ts";
import type { OpenedStream } from "../../graphql/server/stream-transport.ts";
import type { Graphql } from "../../graphql/server/yoga.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { bearerSecret } from "../kit/bearer.ts";
import {
  ClientSocket,
  type Connection,
  createConnection,
  drained,
  inOnePiece,
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
import { type TokenEndDeps, watchToken } from "../kit/token-end.ts";

/** No valid token. The protocol's own answer, 4403, would make clients try for ever. */
const UNAUTHENTICATED = 4401;
/** Nobody can say now whether the token is valid: a code after which clients come again, unlike the library's own 4500. */
const TRY_AGAIN_LATER = 1013;
/** What a client gets to answer the goodbye of a server that stops; one that reads nothing never does. */
const GOODBYE_MS = 1000;

/** What a client gets for its first message. */
const INIT_MS = 3000;

export interface WebSocketDeps extends TokenEndDeps {
  graphql: Graphql;
  path: string;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
  scope: RequestScope;
  observer: HttpObserver;
}

/**
 * graphql-transport-ws on the server's own port. Operations are prepared as those of HTTP are, and every one asks
 * anew whose the token is. Subscriptions to the same are executed once; one item of each is under way to a client at a
 * time, so that a reader that never reads holds up nobody but itself.
 */
export function attachWebSocket(server: Server, deps: WebSocketDeps): AsyncDisposable {
  const accepting = new WebSocketServer({
    noServer: true,
    // Here they are known anyway, and a listener is less.
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
    const sayId = (headers: string[], answered: IncomingMessage): void => {
      if (answered === request) headers.push(`x-request-id: ${id}`);
    };
    accepting.once("headers", sayId);
    accepting.handleUpgrade(request, socket, head, (client) => serve(client, socket, id));
    accepting.off("headers", sayId);
  };
  server.on("upgrade", upgrade);
  return {
    async [Symbol.asyncDispose]() {
      server.off("upgrade", upgrade);
      alive[Symbol.dispose]();
      const timer = setTimeout(() => {
        for (const socket of opened) socket.terminate();
      }, GOODBYE_MS);
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

/** Gives what serves a socket until it is closed, and keeps it among the opened; its listeners are those of all. */
function createServing(
  deps: WebSocketDeps,
  socketDeps: sockets.SocketDeps,
  opened: Set<ClientSocket>,
): (socket: ClientSocket, wire: Duplex, requestId: string) => void {
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
    // As ws gives them by default.
    const text = Buffer.isBuffer(data) ? data.toString() : "";
    sockets.receive(socketDeps, connection, text).catch((error: unknown) => {
      deps.reportError(error);
      this.close(CloseCode.InternalServerError, "Internal server error");
    });
  }
  return (socket, wire, requestId) => {
    const connection = createConnection(socket, wire, requestId);
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
    connection.silence = setTimeout(closeSilent, INIT_MS, socket).unref();
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

/** It has not said who it is: a client that only pings is nobody. */
function closeSilent(socket: ClientSocket): void {
  socket.close(CloseCode.ConnectionInitialisationTimeout, "Connection initialisation timeout");
}

/** Whether the token that the first message brings is valid; its end is the socket's. */
async function accept(
  deps: WebSocketDeps,
  connection: Connection,
  { authorization }: Record<string, unknown>,
): Promise<boolean> {
  const { socket } = connection;
  const secret = inOnePiece(bearerSecret(authorization));
  connection.secret = secret;
  const caller = await authenticateConnection(deps, secret);
  if (caller === null || caller === undefined) {
    if (caller === null) socket.close(UNAUTHENTICATED, "Unauthorized");
    else socket.close(TRY_AGAIN_LATER, "Try again later");
    return false;
  }
  // Before the first operation, which asks again: a token that ends in between is found by one or the other.
  if (socket.readyState === socket.OPEN) {
    connection.token = watchToken(deps, { caller, secret }, socket);
  }
  return true;
}

/** null: the token is not valid; undefined: that could not be found out. */
async function authenticateConnection(deps: WebSocketDeps, secret: string): Promise<TokenCaller | null | undefined> {
  try {
    return await deps.authenticate(secret);
  } catch (error) {
    deps.reportError(error);
    return undefined;
  }
}

async function admitOperation(
  deps: WebSocketDeps,
  { socket, secret }: Connection,
  request: OperationRequest,
): Promise<sockets.Admitted | readonly GraphQLError[]> {
  try {
    const caller = await deps.authenticate(secret ?? "");
    if (caller === null) {
      socket.tokenEnded();
      return [new GraphQLError("The token is not valid any more.", { extensions: { code: "UNAUTHENTICATED" } })];
    }
    deps.scope.note({ actorId: caller.actor.id });
    const server = { caller, note: deps.scope.note };
    const document = admitDocument(deps.graphql, server, request);
    if (!("kind" in document)) return document;
    // A document of several operations needs the name of one.
    const type = getOperationAST(document, request.operationName)?.operation;
    return type === undefined ? [sockets.refusal("Unable to identify operation")] : { type, document, server };
  } catch (error) {
    return [unexpected(deps, error)];
  }
}

function unexpected(deps: WebSocketDeps, error: unknown): GraphQLError {
  const errorId = deps.reportError(error);
  return new GraphQLError("Unexpected error.", { extensions: { code: "INTERNAL", errorId } });
}
