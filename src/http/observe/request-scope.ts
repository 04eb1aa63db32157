import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** The fields of a request, or of one operation of a WebSocket, in the log. None of them is secret. */
export interface RequestFacts {
  readonly requestId: string;
  /** The actor of its token. */
  actorId?: string;
  runId?: string;
  jobId?: string;
  /** Kind and name of a GraphQL operation. */
  operation?: string;
}

/** Fields that become known while a request is served. */
export type NewFacts = Partial<Omit<RequestFacts, "requestId">>;

/** Knows which request is being served, for log lines that are written far from it. */
export interface RequestScope {
  /** Runs the work, and everything that it starts, as part of this request. */
  run<T>(facts: RequestFacts, work: () => T): T;
  /** Gives the fields of the current request; undefined outside of any. */
  current(): RequestFacts | undefined;
  /** Adds fields to the current request; does nothing outside of any. */
  note: (facts: NewFacts) => void;
}

/** Creates the scope of one server. */
export function createRequestScope(): RequestScope {
  const storage = new AsyncLocalStorage<RequestFacts>();
  return {
    run: (facts, work) => storage.run(facts, work),
    current: () => storage.getStore(),
    note(facts) {
      const current = storage.getStore();
      if (current !== undefined) Object.assign(current, facts);
    },
  };
}

/** Matches ids that are printable, without blanks or quotes, and short enough for a line of a log. */
const WELL_FORMED = /^[\w.~:+/=@-]{1,128}$/;

/** Gives the id that the client chose for its request; a new one if there is none, or if it is malformed. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : randomUUID();
}
