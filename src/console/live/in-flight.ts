/**
 * Asks a query again behind the answer that is on its way. urql alone drops a request for a query that has had no answer yet,
 * and sends one for any other query beside the former: then the older answer may come last, and stay.
 */
import { type Exchange, makeOperation } from "urql";
import { pipe, tap } from "wonka";

export interface InFlight {
  /** Notes the queries that were sent and their answers. */
  readonly exchange: Exchange;
  /** Has a query asked again once its answer is here, which may be older than the change that the page has learned of; gives `false` if none is on its way. */
  askAgain(key: number): boolean;
}

export function createInFlight(): InFlight {
  /** The keys of queries that have no answer yet, and whether each is asked again behind it. */
  const sent = new Map<number, boolean>();
  return {
    exchange:
      ({ client, forward }) =>
      (operations) =>
        pipe(
          operations,
          tap(({ kind, key }) => {
            if (kind === "query") sent.set(key, sent.get(key) ?? false);
            else if (kind === "teardown") sent.delete(key);
          }),
          forward,
          tap(({ operation }) => {
            const { kind, key, context } = operation;
            const isAgain = sent.get(key) === true;
            sent.delete(key);
            // The client sends it after this answer has gone through.
            if (isAgain)
              client.reexecuteOperation(makeOperation(kind, operation, { ...context, requestPolicy: "network-only" }));
          }),
        ),
    askAgain(key) {
      if (!sent.has(key)) return false;
      sent.set(key, true);
      return true;
    },
  };
}

export const inFlight = createInFlight();
