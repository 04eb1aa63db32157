/** Replaces each sensitive value in a text. */
export const MASK = "(sensitive value)";

/** A range in a text; `end` is exclusive. */
export type Span = [start: number, end: number];

/** Sorts spans and merges those that touch. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last === undefined || start > last[1]) result.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return result;
}

/** Replaces each span by the mask. Spans are in order, without overlaps. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans) {
    result += text.slice(at, start) + MASK;
    at = end;
  }
  return result + text.slice(at);
}

/**
 * Gives the range of a masked text that `range` of the text became; `spans` as for `maskSpans`. A mask in which the range
 * begins or ends is not a part of the result, so that the result reveals nothing of the value. `null` for an empty range.
 */
export function maskedRange([from, to]: Readonly<Span>, spans: readonly Readonly<Span>[]): Span | null {
  let [first, last] = [from, to];
  for (const [start, end] of spans) {
    const grown = MASK.length - (end - start);
    if (from >= end) first += grown;
    else if (from > start) first += end - from + grown;
    if (to >= end) last += grown;
    else if (to > start) last -= to - start;
  }
  return first < last ? [first, last] : null;
}
