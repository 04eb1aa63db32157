import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** What the log says about a request, or about one operation of a WebSocket. No secret is ever among it. */
export interface RequestFacts {
  readonly requestId: string;
  /** Whose token came with it. */
  actorId?: string;
  runId?: string;
  jobId?: string;
  /** Kind and name of a GraphQL operation. */
  operation?: string;
}

/** Facts that become known while a request is being served. */
export type NewFacts = Partial<Omit<RequestFacts, "requestId">>;

/** Which request is being served: for what logs far away from it. */
export interface RequestScope {
  /** Does the work, and everything that it starts, as part of this request. */
  run<T>(facts: RequestFacts, work: () => T): T;
  /** Facts about the request that is being served; undefined outside of any. */
  current(): RequestFacts | undefined;
  /** Adds to the facts about it; nothing outside of any. */
  note: (facts: NewFacts) => void;
}

/** One for each server. */
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

/** Printable, without blanks or quotes, and short enough for a line of a log. */
const WELL_FORMED = /^[\w.~:+/=@-]{1,128}$/;

/** The id that a client gives its request; another one where it gives none, or none that is well-formed. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : randomUUID();
}
