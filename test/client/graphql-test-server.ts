import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { buildSchema, graphql } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";

/** The printed schema: a document that does not fit the real server fails here too. */
const schema = buildSchema(readFileSync(new URL("../../schema/schema.graphql", import.meta.url), "utf8"));

export const testToken = "test-token";

/** Functions of root fields: plain objects with `__typename` for queries, async iterables for subscriptions. */
export type RootFields = Readonly<Record<string, (args: never) => unknown>>;

export interface GraphqlTestServer extends AsyncDisposable {
  readonly url: string;
  /** Breaks off every open WebSocket without a close frame, as a lost network would. */
  dropSockets(): void;
  /** Closes every open WebSocket with a code. */
  closeSockets(code: number): void;
  /** Stops listening and breaks everything off. */
  stop(): Promise<void>;
  /** The `variables` of every subscription so far, in order. */
  readonly subscribed: readonly Readonly<Record<string, unknown>>[];
}

/** A GraphQL server over HTTP and graphql-transport-ws that answers from functions. */
export async function startGraphqlTestServer(rootValue: RootFields): Promise<GraphqlTestServer> {
  const subscribed: Record<string, unknown>[] = [];
  const http = createServer((request, response) => void answer(request, response, rootValue));
  const sockets = new WebSocketServer({ server: http, path: "/graphql" });
  useServer(
    {
      schema,
      roots: { subscription: rootValue },
      onConnect: ({ connectionParams, extra }) => {
        if (connectionParams?.["authorization"] !== `Bearer ${testToken}`) extra.socket.close(4401, "Unauthorized");
        return true;
      },
      onSubscribe: (_context, _id, { variables }) => {
        subscribed.push({ ...variables });
      },
    },
    sockets,
  );
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= new Promise((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
    });
    return stopping;
  };
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    subscribed,
    dropSockets() {
      for (const socket of sockets.clients) socket.terminate();
    },
    closeSockets(code) {
      for (const socket of sockets.clients) socket.close(code);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, rootValue: RootFields): Promise<void> {
  if (request.headers.authorization !== `Bearer ${testToken}`) {
    response.writeHead(401).end(JSON.stringify({ errors: [{ message: "no valid token" }] }));
    return;
  }
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
  const result = await graphql({ schema, source: query, variableValues: variables, rootValue });
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(result));
}
