import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { describe, onTestFinished, beforeEach } from "vitest";
import type { ServerContext } from "../../src/graphql/kit/context.ts";
import type { Graphql } from "../../src/graphql/server/yoga.ts";
import { answerPlainPost } from "../../src/http/graphql/plain-post.ts";

/** Which way `request` of a test's own endpoint takes. */
let way: "short" | "Yoga's" = "short";

/** Defines these tests twice: their requests go the short way, and the way of Yoga's HTTP layer. */
export function eitherWay(define: () => void): void {
  describe.each(["short", "Yoga's"] as const)("by the %s way", (chosen) => {
    beforeEach(() => {
      way = chosen;
      onTestFinished(() => {
        way = "short";
      });
    });
    define();
  });
}

/** Sends a request to an endpoint of this process, and gives the JSON of its answer. */
export async function sendHere(graphql: Graphql, context: ServerContext, body: string): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  if (way === "short") return JSON.parse(await sendShort(graphql, context, headers, body));
  const response = await graphql.fetch("http://test/graphql", { method: "POST", headers, body }, { ...context });
  return response.json();
}

/** Without a socket; what is not for the short way is answered by Yoga. */
async function sendShort(graphql: Graphql, context: ServerContext, headers: object, body: string): Promise<string> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: "POST", url: "/graphql", headers: { host: "test", ...headers } });
  const response = new ServerResponse(request);
  const pieces: string[] = [];
  const write = (piece: unknown): boolean => pieces.push(String(piece)) > 0;
  const answered = new Promise<void>((resolve) => {
    const end = (piece: unknown): void => {
      if (typeof piece === "string" || Buffer.isBuffer(piece)) write(piece);
      resolve();
    };
    Object.assign(response, { write, end });
  });
  const read = Buffer.from(body);
  const left = await answerPlainPost(graphql, { request, body: read }, response, { ...context });
  if (left === "left") await graphql.handle(Object.assign(request, { body: read }), response, { ...context });
  await answered;
  return pieces.join("");
}

/** The endpoint by Yoga's own HTTP layer alone. */
export async function startYogaAlone(
  graphql: Graphql,
  context: ServerContext,
): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((request, response) => void graphql.handle(request, response, { ...context }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface RawAnswer {
  status: number;
  /** Without those that differ from answer to answer, or say only how the body is sent. */
  headers: Record<string, string>;
  body: string;
}

const OF_THE_WIRE = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "x-request-id",
  // Every answer of the product has it, whatever makes it.
  "x-content-type-options",
]);

/** Sends a request as it is written here, and reads the answer to its end. */
export async function sendRaw(
  port: number,
  method: string,
  target: string,
  headers: object,
  body: Buffer,
): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  const lines = Object.entries({ host: "x", connection: "close", "content-length": body.length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("");
  socket.write(Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`), body]));
  await once(socket, "close");
  return readAnswer(Buffer.concat(pieces).toString());
}

function readAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const isChunked = headers.some(([name]) => name === "transfer-encoding");
  const kept = headers.filter(([name]) => !OF_THE_WIRE.has(name));
  const body = text.slice(end + 4);
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(kept),
    body: isChunked ? withoutChunks(body) : body,
  };
}

/** For texts in ASCII, whose lengths are those of their bytes. */
function withoutChunks(body: string): string {
  let rest = body;
  let whole = "";
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (end < 0 || !(length > 0)) return whole;
    whole += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
}
