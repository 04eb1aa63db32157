import { type Exchange, makeOperation, type OperationResult } from "urql";
import { filter, map, merge, pipe, share, makeSubject } from "wonka";
import { createVersions } from "./versions.ts";

/** How often an answer that was overtaken by an event is asked for again. */
const TRIES = 3;

/**
 * Drops answers to queries that are older than what the page has seen of a run, and asks again: a slow answer does not
 * undo what an event has shown. The API counts the version of a run up with each change.
 */
export const monotonicExchange: Exchange = ({ forward }) => {
  const versions = createVersions();
  const tries = new Map<number, number>();
  return (operations) => {
    const again = makeSubject<Parameters<typeof makeOperation>[1]>();
    const isNew = (result: OperationResult): boolean => {
      const { operation, data } = result;
      const isOlder = versions.note(data);
      const tried = tries.get(operation.key) ?? 0;
      if (!isOlder || operation.kind !== "query" || tried >= TRIES) {
        tries.delete(operation.key);
        // An event that was sent before a newer answer is dropped as well.
        return !(isOlder && operation.kind === "subscription");
      }
      tries.set(operation.key, tried + 1);
      again.next(makeOperation(operation.kind, operation));
      return false;
    };
    return pipe(
      merge([operations, again.source]),
      forward,
      filter(isNew),
      map((result) => result),
      share,
    );
  };
};
