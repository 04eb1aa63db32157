/** Writes JSON piece by piece, so that a large document is never in memory as one text. */
import type { Json } from "../../model/plan/json.ts";

export type Pieces = Iterable<string>;

export function* valuePieces(value: Json): Generator<string> {
  yield JSON.stringify(value);
}

/** Writes an object. The pieces of a field are made when they are written. */
export function* objectPieces(fields: Iterable<readonly [string, Pieces]>): Generator<string> {
  let separator = "{";
  for (const [key, pieces] of fields) {
    yield `${separator}${JSON.stringify(key)}:`;
    yield* pieces;
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

export function* listPieces(items: Iterable<Pieces>): Generator<string> {
  let separator = "[";
  for (const pieces of items) {
    yield separator;
    yield* pieces;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
