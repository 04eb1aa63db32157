import fc from "fast-check";
import { expect, test } from "vitest";
import { PatternSet } from "../../../src/runner/mask/pattern-set.ts";

interface Found {
  /** Start, end and flag of the longest pattern at each index that has one. */
  matches: [number, number, boolean][];
  open: number;
}

function scanned(set: PatternSet, text: string): Found {
  const matches: Found["matches"] = [];
  const open = set.scan(text, (start, end, marked) => matches.push([start, end, marked]));
  return { matches, open };
}

/** Compares every pattern at every index. */
function naive(patterns: ReadonlyMap<string, boolean>, text: string): Found {
  const sorted = [...patterns].toSorted(([a], [b]) => b.length - a.length);
  const matches: Found["matches"] = [];
  let open = text.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const rest = text.slice(at);
    const longest = sorted.find(([pattern]) => rest.startsWith(pattern));
    if (longest !== undefined) matches.unshift([at, at + longest[0].length, longest[1]]);
    if (sorted.some(([pattern]) => pattern.length > rest.length && pattern.startsWith(rest))) open = at;
  }
  return { matches, open };
}

const LETTERS = ["a", "b", "c"];
const letters = (length: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom(...LETTERS), length).map((all) => all.join(""));

test.each([3, 4, 6])("finds in one pass all that a comparison at each index finds: window %i", (window) => {
  const patterns = fc.array(fc.tuple(letters({ minLength: window, maxLength: window + 4 }), fc.boolean()), {
    maxLength: 12,
  });
  const texts = fc.array(letters({ minLength: 0, maxLength: 60 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(patterns, texts, (added, [first = "", ...others]) => {
      const set = new PatternSet(window);
      const known = new Map<string, boolean>();
      for (const [index, [pattern, marked]] of added.entries()) {
        set.add(pattern, marked);
        known.set(pattern, marked || known.get(pattern) === true);
        // What was searched before does not keep a later pattern from being found.
        if (index % 3 === 0) expect(scanned(set, first)).toEqual(naive(known, first));
      }
      expect(set.size).toBe(known.size);
      expect(set.longest).toBe(Math.max(0, ...[...known.keys()].map(({ length }) => length)));
      for (const text of [first, ...others]) expect(scanned(set, text)).toEqual(naive(known, text));
    }),
    { numRuns: 150 },
  );
});

test("finds a pattern behind longer ones that begin with it", () => {
  const set = new PatternSet(3);
  for (const pattern of ["aaa", "aaab", "aaabb", "aaac"]) set.add(pattern, false);
  expect(scanned(set, "aaabc").matches).toEqual([[0, 4, false]]);
  expect(scanned(set, "aaad").matches).toEqual([[0, 3, false]]);
  expect(scanned(set, "aaabb").matches).toEqual([[0, 5, false]]);
});

test("finds patterns that are added while there are thousands, and those that share a beginning", () => {
  const set = new PatternSet(4);
  const known = new Map<string, boolean>();
  for (let index = 0; index < 1500; index += 1) {
    const pattern = index % 3 === 0 ? `same-beginning-${index}` : `${index * 7919}-own`;
    set.add(pattern, index % 2 === 0);
    known.set(pattern, index % 2 === 0);
    if (index % 50 > 0) continue;
    const text = `-${pattern}-${pattern.slice(0, -1)}`;
    expect(scanned(set, text)).toEqual(naive(known, text));
  }
  for (const pattern of known.keys()) {
    expect(scanned(set, `.${pattern}.`).matches).toContainEqual([1, pattern.length + 1, known.get(pattern)]);
  }
});

test("keeps the flag of the first addition", () => {
  const set = new PatternSet(3);
  set.add("abcd", true);
  set.add("abcd", false);
  expect(set.size).toBe(1);
  expect(scanned(set, "abcd").matches).toEqual([[0, 4, true]]);
});

test("finds nothing without patterns, and reports nothing as cut off", () => {
  expect(scanned(new PatternSet(3), "some text")).toEqual({ matches: [], open: 9 });
});
