/** The queries and streams of the page, as they are sent: what a person copies to ask the same by another program. */
import { type Exchange, stringifyDocument } from "urql";
import { pipe, tap } from "wonka";
import { createListeners } from "../parts/listeners.ts";

/** A query or a stream that the page shows now. */
export interface ShownOperation {
  readonly key: number;
  readonly name: string;
  readonly kind: "query" | "subscription";
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const shown = new Map<number, ShownOperation>();
let snapshot: readonly ShownOperation[] = [];
const listeners = createListeners();

function change(): void {
  snapshot = [...shown.values()];
  listeners.notify();
}

/** Notes the operations that parts of the page follow, until the last of these parts is gone. */
export const operationsExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    pipe(
      operations,
      tap(({ key, kind, query, variables }) => {
        if (kind === "teardown") {
          if (shown.delete(key)) change();
        } else if ((kind === "query" || kind === "subscription") && !shown.has(key)) {
          const text = stringifyDocument(query);
          const name = /(?:query|subscription) (\w+)/.exec(text)?.[1] ?? kind;
          const given: Record<string, unknown> = { ...variables };
          shown.set(key, { key, name, kind, text, variables: given });
          change();
        }
      }),
      forward,
    );

let keys = 0;

/** Notes a stream that a part of the page follows without the cache. Gives the function that ends the note. */
export function noteStream(text: string, variables: Readonly<Record<string, unknown>>): () => void {
  // The keys of the cache are positive.
  keys -= 1;
  const key = keys;
  const name = /subscription (\w+)/.exec(text)?.[1] ?? "subscription";
  shown.set(key, { key, name, kind: "subscription", text, variables });
  change();
  return () => {
    if (shown.delete(key)) change();
  };
}

/** The operations now; the same list until it changes. */
export const shownOperations = (): readonly ShownOperation[] => snapshot;

export const onOperations = listeners.subscribe;
