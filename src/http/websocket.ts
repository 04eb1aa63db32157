import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { GraphQLError } from "graphql";
import { type Context, handleProtocols } from "graphql-ws";
import { type Extra, useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import type { Graphql } from "../graphql/yoga.ts";
import { type OperationRequest, type PreparedOperation, prepareOperation } from "../graphql/operation.ts";
import { LIMITS } from "../model/limits.ts";
import type { TokenCaller } from "../model/permission.ts";
import { bearerSecret } from "./bearer.ts";
import { createOperationObserver } from "./observe-operations.ts";
import type { HttpObserver } from "./observe-request.ts";
import { requestPath } from "./request-path.ts";
import type { RequestFacts, RequestScope } from "./request-scope.ts";
import { type TokenEndDeps, watchConnection } from "./token-end.ts";

/** No valid token. The protocol's own answer, 4403, would make clients try for ever. */
const UNAUTHENTICATED = 4401;
/** The token was valid when the socket was opened, and is not any more. */
const REVOKED = 4403;
/** Nobody can say now whether the token is valid: a code after which clients come again, unlike the library's own 4500. */
const TRY_AGAIN_LATER = 1013;
/** What a client gets to answer the goodbye of a server that stops; one that reads nothing never does. */
const GOODBYE_MS = 1000;

export interface WebSocketDeps extends TokenEndDeps {
  graphql: Graphql;
  path: string;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
  scope: RequestScope;
  observer: HttpObserver;
}

type Params = Record<string, unknown>;
type Connection = Context<Params, Extra>;
type ObservedOperation = PreparedOperation & { facts: RequestFacts };

/**
 * graphql-transport-ws on the server's own port. Operations are prepared as those of HTTP are, and every one asks
 * anew whose the token is. One item of a subscription is under way at a time: the next is read when the socket took
 * the last one, so that a reader that never reads holds up nobody but itself.
 */
export function attachWebSocket(server: Server, deps: WebSocketDeps): AsyncDisposable {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.webSocketMessageBytes,
    handleProtocols,
    perMessageDeflate: false,
  });
  // What an operation was prepared with, found again by the context that is its own.
  const operations = new WeakMap<object, ObservedOperation>();
  const observed = createOperationObserver(deps.scope, deps.observer);
  const operationOf = (context: unknown): ObservedOperation => {
    const operation = typeof context === "object" && context !== null ? operations.get(context) : undefined;
    if (operation === undefined) throw new Error("An operation was not prepared.");
    return operation;
  };
  const protocol = useServer<Params>(
    {
      onConnect: async (connection) => {
        const { socket } = connection.extra;
        const secret = secretOf(connection);
        const caller = await authenticateConnection(deps, secret);
        if (caller === null || caller === undefined) {
          if (caller === null) socket.close(UNAUTHENTICATED, "Unauthorized");
          else socket.close(TRY_AGAIN_LATER, "Try again later");
          return false;
        }
        // Before the first operation, which asks again: a token that ends in between is found by one or the other.
        if (socket.readyState === socket.OPEN) {
          watchConnection(deps, socket, { caller, secret }, () => socket.close(REVOKED, "Forbidden"));
        }
        return true;
      },
      onSubscribe: async (connection, _id, request) => {
        const facts = observed.begin(connection.extra.request);
        const operation = await observed.run(facts, () => admitOperation(deps, connection, request));
        if (!("document" in operation)) {
          const codes = operation.map(({ extensions }) => extensions["code"]);
          observed.refused(facts, codes);
          return operation;
        }
        operations.set(operation.contextValue, { ...operation, facts });
        const { schema, document, contextValue, operationName, variableValues } = operation;
        return {
          schema,
          document,
          contextValue,
          ...(operationName !== undefined && { operationName }),
          ...(variableValues !== undefined && { variableValues }),
        };
      },
      execute: (args) => {
        const { facts, execute } = operationOf(args.contextValue);
        return observed.execute(facts, () => execute(args));
      },
      subscribe: (args) => {
        const { facts, subscribe } = operationOf(args.contextValue);
        return observed.execute(facts, () => subscribe(args));
      },
    },
    sockets,
  );
  sockets.on("headers", (headers, request) => headers.push(`x-request-id: ${observed.socketId(request)}`));
  sockets.on("connection", (socket) => {
    deps.observer.open("websocket", 1);
    socket.once("close", () => deps.observer.open("websocket", -1));
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    if (requestPath(request.url) !== deps.path) {
      const id = observed.socketId(request);
      socket.end(`HTTP/1.1 404 Not Found\r\nconnection: close\r\nx-request-id: ${id}\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      sockets.emit("connection", opened, request);
      // The library prints errors with their stack. A client that breaks the protocol is none; ws closes its socket.
      opened.removeAllListeners("error").on("error", () => undefined);
    });
  };
  server.on("upgrade", upgrade);
  return {
    async [Symbol.asyncDispose]() {
      server.off("upgrade", upgrade);
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, GOODBYE_MS);
      await protocol.dispose();
      clearTimeout(timer);
    },
  };
}

function secretOf(connection: Connection): string {
  return bearerSecret(connection.connectionParams?.["authorization"]);
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
  connection: Connection,
  request: OperationRequest,
): Promise<PreparedOperation | readonly GraphQLError[]> {
  try {
    const caller = await deps.authenticate(secretOf(connection));
    if (caller === null) {
      connection.extra.socket.close(REVOKED, "Forbidden");
      return [new GraphQLError("The token is not valid any more.", { extensions: { code: "UNAUTHENTICATED" } })];
    }
    if (Object.keys(connection.subscriptions).length > LIMITS.subscriptionsPerSocket) {
      const message = `A socket may have at most ${LIMITS.subscriptionsPerSocket} operations at a time.`;
      return [new GraphQLError(message, { extensions: { code: "QUERY_REFUSED" } })];
    }
    deps.scope.note({ actorId: caller.actor.id });
    const server = { caller, note: deps.scope.note };
    return await prepareOperation(deps.graphql, server, request);
  } catch (error) {
    const errorId = deps.reportError(error);
    return [new GraphQLError("Unexpected error.", { extensions: { code: "INTERNAL", errorId } })];
  }
}
