import type { HttpObserver } from "./observe-request.ts";
import type { RequestFacts, RequestScope } from "./request-scope.ts";

/** An operation of a WebSocket, as it is told to the observer when it is over. */
export interface ObservedOperation {
  readonly facts: RequestFacts;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** Whether it is a subscription that was opened. */
  streaming: boolean;
}

/** Tells the observer of the operations of WebSockets. */
export interface OperationObserver {
  /** Facts of the next operation of a socket: its id is the socket's, and a number. */
  begin(socketId: string, number: number): ObservedOperation;
  /** Does part of an operation. */
  run<T>(operation: ObservedOperation, work: () => T): T;
  /** It is a subscription, and open now. */
  opened(operation: ObservedOperation): void;
  /** It was answered without being executed, with these codes. */
  refused(codes: readonly unknown[]): void;
  ended(operation: ObservedOperation): void;
}

export function createOperationObserver(scope: RequestScope, observer: HttpObserver): OperationObserver {
  return {
    begin: (socketId, number) => ({
      facts: { requestId: `${socketId}.${number}` },
      startedAt: performance.now(),
      streaming: false,
    }),
    run: ({ facts }, work) => scope.run(facts, work),
    opened(operation) {
      operation.streaming = true;
      observer.open("subscription", 1);
    },
    refused(codes) {
      for (const code of codes) observer.error(String(code));
    },
    ended({ facts, startedAt, streaming }) {
      if (streaming) observer.open("subscription", -1);
      const durationMs = Math.round(performance.now() - startedAt);
      const wire = { transport: "websocket", method: "subscribe", route: "/graphql", status: 0 } as const;
      observer.request({ ...facts, ...wire, durationMs });
    },
  };
}
