/**
 * Asks a query again behind the answer that is on its way. urql alone sends the next request at once: of a single view it gives up
 * the one that is on its way, so that a slow answer never comes while events do; of several views the older answer may come last.
 */
import { type Exchange, makeOperation } from "urql";
import { pipe, tap } from "wonka";

export interface InFlight {
  /** Notes the queries that were sent and their answers. */
  readonly exchange: Exchange;
  /**
   * Has a query asked again once its answer is here, which may be older than the change that the page has learned of. Gives
   * `false` if none is on its way, or if it takes so long that it may have been lost: then the caller sends it at once.
   */
  askAgain(key: number): boolean;
}

/** The requests for a query that have no answer yet. */
interface Sent {
  readonly count: number;
  /** When the newest was sent, in milliseconds. */
  readonly at: number;
  readonly isAskedAgain: boolean;
}

/** A connection that died in a sleep never answers. */
const PATIENCE_MS = 10_000;

export function createInFlight(now: () => number): InFlight {
  const queries = new Map<number, Sent>();
  return {
    exchange:
      ({ client, forward }) =>
      (operations) =>
        pipe(
          operations,
          tap(({ kind, key }) => {
            if (kind === "teardown") queries.delete(key);
            if (kind !== "query") return;
            const { count = 0, isAskedAgain = false } = queries.get(key) ?? {};
            queries.set(key, { count: count + 1, at: now(), isAskedAgain });
          }),
          forward,
          tap(({ operation }) => {
            const { kind, key, context } = operation;
            const sent = queries.get(key);
            if (sent === undefined) return;
            if (sent.count > 1) {
              queries.set(key, { ...sent, count: sent.count - 1 });
              return;
            }
            queries.delete(key);
            if (!sent.isAskedAgain) return;
            // The client sends it after this answer has gone through.
            client.reexecuteOperation(makeOperation(kind, operation, { ...context, requestPolicy: "network-only" }));
          }),
        ),
    askAgain(key) {
      const sent = queries.get(key);
      if (sent === undefined) return false;
      queries.set(key, { ...sent, isAskedAgain: true });
      return now() - sent.at < PATIENCE_MS;
    },
  };
}

export const inFlight = createInFlight(() => Date.now());
