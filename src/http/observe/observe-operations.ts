import type { HttpObserver } from "./observe-request.ts";
import type { RequestFacts, RequestScope } from "./request-scope.ts";

/** An operation of a WebSocket, for the observer. */
export interface ObservedOperation {
  readonly facts: RequestFacts;
  /** Read from `performance.now()`. */
  readonly startedAt: number;
  /** Whether it is a subscription that was opened. */
  streaming: boolean;
}

/** Reports the operations of WebSockets to the observer. */
export interface OperationObserver {
  /** Begins the next operation of a socket, whose id is that of the socket and a number. */
  begin(socketId: string, number: number): ObservedOperation;
  /** Runs a part of the operation in its scope. */
  run<T>(operation: ObservedOperation, work: () => T): T;
  /** Reports that the operation is a subscription and open. */
  opened(operation: ObservedOperation): void;
  /** Reports the codes of an operation that was not executed. */
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
