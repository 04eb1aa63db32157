import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { LIMITS } from "../../model/kit/limits.ts";

export interface RequestQueueOptions {
  serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** The time for which a client may read nothing of its answer. */
  stallMs: number;
}

interface Connection {
  /** Whether a request is being served: until its answer has left this process. */
  isServing: boolean;
  /** Waiting requests in the order of their arrival. */
  readonly waiting: { request: IncomingMessage; response: ServerResponse }[];
}

/**
 * A server that serves the requests of each connection one at a time. Node parses all requests of a chunk and starts
 * their handlers at once, so a client that pipelines and never reads would fill the memory with requests and answers.
 * While a request waits, the connection is not read. A connection is closed when its client pipelines more requests
 * than it may, and when its client reads nothing of an answer for `stallMs`.
 */
export function createQueueingServer({ serve, stallMs }: RequestQueueOptions): Server {
  const connections = new WeakMap<Socket, Connection>();
  const isServing = (socket: Socket): boolean => connections.get(socket)?.isServing === true;
  const isFull = (socket: Socket): boolean =>
    (connections.get(socket)?.waiting.length ?? 0) >= LIMITS.pipelinedRequests - 1;

  /** Pretends to upgrade when the queue is full: Node then stops parsing. The rest of a chunk took 24 ms of CPU. */
  class QueuedRequest extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      if (isFull(socket)) Object.defineProperty(this, "upgrade", { get: () => true, set: () => {} });
    }
  }
  // curl and Java offer HTTP/2 with requests that want a plain answer.
  const shouldUpgradeCallback = ({ headers, socket }: IncomingMessage): boolean =>
    isFull(socket) || headers.upgrade?.toLowerCase() === "websocket";
  const server = createServer({ IncomingMessage: QueuedRequest, shouldUpgradeCallback });

  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.isServing = true;
    response.once("close", () => end(connection, request.socket));
    serve(request, response);
  }

  function end(connection: Connection, socket: Socket): void {
    connection.isServing = false;
    const next = connection.waiting.shift();
    if (next === undefined) return;
    if (!socket.writable) {
      connection.waiting.length = 0;
      return;
    }
    if (connection.waiting.length === 0) socket.resume();
    begin(connection, next.request, next.response);
  }

  server.on("request", (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = { isServing: false, waiting: [] };
      connections.set(socket, connection);
    }
    if (!connection.isServing) return begin(connection, request, response);
    connection.waiting.push({ request, response });
    if (connection.waiting.length === 1) keepPaused(socket, connection);
  });
  server.on("upgrade", ({ socket }) => {
    // Frames would be mixed with the answer.
    if (isServing(socket)) socket.destroy();
  });
  server.setTimeout(stallMs, (socket) => {
    // A client that waits for its answer is silent on purpose.
    if (!isServing(socket) || socket.writableLength > 0) socket.destroy();
  });
  return server;
}

/** Pauses a socket until its queue is empty: Node resumes it after each parsed request and after each answer. */
function keepPaused(socket: Socket, { waiting }: Connection): void {
  const pause = (): void => {
    if (waiting.length > 0) socket.pause();
    else socket.off("resume", pause);
  };
  socket.on("resume", pause).pause();
}
