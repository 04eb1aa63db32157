import { expect, test } from "vitest";
import { apiCodes } from "../../../src/model/lifecycle/api-codes.ts";
import { FAILURE_PATTERNS } from "../../../src/model/lifecycle/failure-patterns.ts";

const SMALL = 4 * 1024;
const LARGE = 16 * SMALL;
/** A text of 16 times the length takes 16 times as long in linear time, and 256 times in quadratic time. */
const GROWTH = 64;
/** An expression that ends sooner on the large text needs no other measurement. */
const SOON_MS = 20;
const TRIES = 5;

const FILLERS = [
  "'",
  '"',
  '"}',
  "\\",
  ".",
  "a",
  "a.",
  "a ",
  "a: ",
  "0",
  "aA",
  "aToken",
  "aCapacity",
  "_a",
  "(",
  "[",
  ", ",
];

/** Returns the longer words of an expression, which a hostile text would repeat. */
function wordsOf({ source }: RegExp): string[] {
  const plain = source.replaceAll("\\b", "").replaceAll("\\/", "/");
  return [...new Set(plain.split(/\(\?<?[:=!]|[\\[\](){}|?+*^$]/).filter((word) => word.length >= 4))];
}

/** Returns makers of texts of about a length, which begin well and end badly. */
function hostileTexts(words: readonly string[]): ((length: number) => string)[] {
  const units = words.flatMap((word) => [["", word], ...FILLERS.map((filler) => [word, filler])]);
  return units.map(
    ([begin = "", unit = ""]) =>
      (length) =>
        `${begin}${unit.repeat(length / unit.length)}x1;`,
  );
}

/**
 * The least CPU time of some tries: a try during which the engine compiles or collects takes longer. One that ends soon
 * needs no other.
 */
function costMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES && least >= SOON_MS; count++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Returns the texts on which a search takes more than linear time. */
function slowTexts(search: (text: string) => unknown, words: readonly string[]): string[] {
  return hostileTexts(words).flatMap((make) => {
    const text = make(LARGE);
    const large = costMs(() => search(text));
    if (large < SOON_MS) return [];
    // Many times: one search of a small text is shorter than the clock can measure.
    const repeats = 16;
    const small = make(SMALL);
    const once = costMs(() => {
      for (let count = 0; count < repeats; count++) search(small);
    });
    return large > (once / repeats) * GROWTH ? [`${text.slice(0, 60)}…: ${large} ms`] : [];
  });
}

const expressions = FAILURE_PATTERNS.flatMap(({ texts = [], forms = [], types }) => [
  ...texts,
  ...forms,
  ...(types === undefined ? [] : [types]),
]);

test("no expression takes more than linear time", () => {
  const slow = expressions.flatMap((expression) =>
    slowTexts((text) => expression.test(text), wordsOf(expression)).map((text) => `${expression}: ${text}`),
  );
  expect(slow).toEqual([]);
});

test("codes are found in linear time", () => {
  const words = [
    "aa: A",
    "api error A",
    "RequestID: ",
    "Code: A",
    'Code="A',
    '"code":"a',
    "(a",
    "AADSTS",
    "googleapi: Error , a",
  ];
  expect(slowTexts(apiCodes, words)).toEqual([]);
});
