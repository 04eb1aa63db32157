import type { IncomingMessage } from "node:http";
import type { HttpObserver } from "./observe-request.ts";
import { type RequestFacts, requestIdOf, type RequestScope, scopedIterator } from "./request-scope.ts";

/** Gives the operations of WebSockets their ids, and tells the observer when each is over. */
export interface OperationObserver {
  /** The id of the request that opened the socket. */
  socketId(request: IncomingMessage): string;
  /** Facts of the next operation of a socket: its id is the socket's, and a number. */
  begin(request: IncomingMessage): RequestFacts;
  /** Does part of an operation. */
  run<T>(facts: RequestFacts, work: () => T): T;
  /** Executes an operation; where that is a subscription, it ends with its items. */
  execute<T>(facts: RequestFacts, work: () => T | Promise<T>): Promise<T | AsyncIterableIterator<unknown>>;
  /** An operation was answered without being executed. */
  refused(facts: RequestFacts, codes: readonly unknown[]): void;
}

export function createOperationObserver(scope: RequestScope, observer: HttpObserver): OperationObserver {
  const sockets = new WeakMap<IncomingMessage, { id: string; operations: number }>();
  const startedAt = new WeakMap<RequestFacts, number>();

  function socketOf(request: IncomingMessage) {
    const found = sockets.get(request) ?? { id: requestIdOf(request.headers["x-request-id"]), operations: 0 };
    sockets.set(request, found);
    return found;
  }

  function end(facts: RequestFacts): void {
    const durationMs = Math.round(performance.now() - (startedAt.get(facts) ?? 0));
    observer.request({
      ...facts,
      transport: "websocket",
      method: "subscribe",
      route: "/graphql",
      status: 0,
      durationMs,
    });
  }

  return {
    socketId: (request) => socketOf(request).id,
    begin(request) {
      const socket = socketOf(request);
      socket.operations += 1;
      const facts = { requestId: `${socket.id}.${socket.operations}` };
      startedAt.set(facts, performance.now());
      return facts;
    },
    run: (facts, work) => scope.run(facts, work),
    async execute(facts, work) {
      const result = await scope.run(facts, work);
      if (!isIterator(result)) {
        end(facts);
        return result;
      }
      observer.open("subscription", 1);
      return scopedIterator(scope, facts, result, () => {
        observer.open("subscription", -1);
        end(facts);
      });
    },
    refused(facts, codes) {
      for (const code of codes) observer.error(String(code));
      end(facts);
    },
  };
}

function isIterator(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}
