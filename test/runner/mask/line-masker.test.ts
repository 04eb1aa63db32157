import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineMasker } from "../../../src/runner/mask/line-masker.ts";
import { MASK, maskSpans, mergeSpans, type Span } from "../../../src/runner/mask/masked-text.ts";

/** Finds each value at each index. */
function finderOf(...values: string[]) {
  const longest = Math.max(...values.map(({ length }) => length));
  const find = (text: string) => {
    const spans: Span[] = [];
    for (const value of values) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
        spans.push([at, at + value.length]);
    }
    let open = Math.max(0, text.length - longest + 1);
    while (!values.some((value) => value.length > text.length - open && value.startsWith(text.slice(open)))) open += 1;
    return { spans, open: Math.min(open, text.length) };
  };
  const mask = (text: string) => maskSpans(text, mergeSpans(find(text).spans));
  return { find, mask };
}

interface Line {
  name: string;
  body: string;
}

/** What comes of lines, in order, and how many lines had to be pushed for each. */
function passed(masker: LineMasker<number>, lines: readonly Line[]) {
  const texts: { text: string; owner: number; after: number }[] = [];
  for (const [index, { name, body }] of lines.entries()) {
    const ready = masker.push(name, `${name}: `, body, index);
    texts.push(...ready.map((line) => ({ ...line, after: index })));
    expect(masker.holds).toBe(texts.length <= index);
  }
  return { texts, rest: masker.end(true) };
}

const SECRETS = ["ABCDEFGHIJKLMNOP", "GHIJKLMN-again-0", "0123456789"];

const all = finderOf(...SECRETS);

const token = fc.oneof(
  fc.constantFrom(...SECRETS),
  fc.constantFrom("word", ", ", "a", "ABCDE", "ABCDEFGHIJKLMNO", "012345678", "again-0", "PO", "."),
);
/** A text, and where it is broken: not beside the edge of a value, nor where its last three characters may begin one. */
const source = fc
  .tuple(fc.array(token, { minLength: 1, maxLength: 10 }), fc.array(fc.integer({ min: 2, max: 12 }), { minLength: 1 }))
  .map(([tokens, sizes]) => {
    const text = `${tokens.join("")};`;
    const { spans } = all.find(text);
    const hidden = Array.from(text, (_, at) => spans.some(([start, end]) => start <= at && at < end));
    const edges = new Set(spans.flat());
    const pieces: { start: number; end: number }[] = [];
    let start = 0;
    for (let index = 0; start < text.length; index += 1) {
      let end = Math.min(text.length, start + (sizes[index % sizes.length] ?? 2));
      const isShort = (begun: number) => begun > 0 && begun < 4;
      const isBad = (at: number) =>
        edges.has(at - 1) || edges.has(at + 1) || isShort(at - all.find(text.slice(0, at)).open);
      while (end < text.length && isBad(end)) end += 1;
      pieces.push({ start, end });
      start = end;
    }
    return { text, hidden, pieces };
  });
const margin = fc.constantFrom("", "  ", "│ ", "\t╷ ", "╵");
const behind = fc.constantFrom("", " ", "  ", "\r");

describe("lines of parallel sources", () => {
  test("are masked as if each source were one text, in order, and each as early as it is certain", () => {
    fc.assert(
      fc.property(
        fc.array(source, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(2), { minLength: 1 }),
        fc.array(fc.tuple(margin, behind), { minLength: 1 }),
        (sources, turns, frames) => {
          const left = sources.map(({ pieces }, index) => ({ index, pieces: [...pieces] }));
          const lines: (Line & { expected: string; through: number; of: number })[] = [];
          for (let turn = 0; left.some(({ pieces }) => pieces.length > 0); turn += 1) {
            const live = left.filter(({ pieces }) => pieces.length > 0);
            const next = live[(turns[turn % turns.length] ?? 0) % live.length];
            const piece = next?.pieces.shift();
            const { text = "", hidden = [] } = sources[next?.index ?? 0] ?? {};
            if (next === undefined || piece === undefined) throw new Error("no line");
            const [before = "", after = ""] = frames[turn % frames.length] ?? [];
            const shown = text.slice(piece.start, piece.end);
            const spans = Array.from(shown, (_, at): Span => [at, at + 1]).filter(([at]) => hidden[piece.start + at]);
            lines.push({
              name: `s${next.index}`,
              // A margin is one only behind a line that may be continued.
              body: before + shown + after,
              expected: `s${next.index}: ${before}${maskSpans(shown, mergeSpans(spans))}${after}`,
              through: piece.end,
              of: next.index,
            });
          }
          const { texts, rest } = passed(new LineMasker(all), lines);
          expect(texts.map(({ text }) => text)).toEqual(lines.map(({ expected }) => expected));
          expect(texts.map(({ owner }) => owner)).toEqual(lines.map((_, index) => index));
          expect(rest).toEqual([]);
          // A line waits while it, or one before it, may end with the beginning of a value.
          const isHeld = (line: number, pushed: number) => {
            const { of = 0, through = 0 } = lines[line] ?? {};
            const read = lines.slice(0, pushed + 1).findLast((other) => other.of === of)?.through ?? 0;
            const { open } = all.find((sources[of]?.text ?? "").slice(0, read));
            return read - open >= 4 && open < through;
          };
          for (const { owner, after } of texts) {
            let first = owner;
            while (lines.slice(0, owner + 1).some((_, line) => isHeld(line, first))) first += 1;
            expect(after).toBe(first);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const linesOf = (name: string, ...bodies: string[]): Line[] => bodies.map((body) => ({ name, body }));
const maskedLines = (values: readonly string[], ...bodies: string[]): string[] => {
  const { texts, rest } = passed(new LineMasker(finderOf(...values)), linesOf("", ...bodies));
  return [...texts, ...rest].map(({ text }) => text.slice(2));
};

describe("a value over several lines", () => {
  test("is masked in each, without the margins and the space behind", () => {
    expect(maskedLines([ALPHABET], "x ABCDEFGH \t", "  \t│ ╷IJKLMNOPQ ", "", " ", "╵RSTUVWXYZ. ")).toEqual([
      `x ${MASK} \t`,
      `  \t│ ╷${MASK} `,
      "",
      " ",
      `╵${MASK}. `,
    ]);
  });

  test("leaves one character visible at the edge of a longer line, as base64 has a neighbour there", () => {
    expect(maskedLines([ALPHABET], "x ABCDEFGHIJKLMNOPQRSTUVWXY", "Z", "Z.")).toEqual([`x ${MASK}`, MASK, "Z."]);
    expect(maskedLines([ALPHABET], "x ABCDEFGHIJKLMNOPQRSTUVWXY", "Z.")).toEqual([`x ${MASK}`, "Z."]);
    expect(maskedLines([ALPHABET], "x ABCDEFGHIJKLMNOPQRSTUVWX", "YZ.")).toEqual([`x ${MASK}`, `${MASK}.`]);
    expect(maskedLines([ALPHABET, "QQABQQQ"], "QQA", "BCDEFGHIJKLMNOPQRSTUVWXYZ")).toEqual(["QQA", MASK]);
    expect(maskedLines([ALPHABET, "QQQQABQQQ"], "QQQQA", "BCDEFGHIJKLMNOPQRSTUVWXYZ")).toEqual(["QQQQA", MASK]);
    expect(maskedLines(["X"], "XY", "YX")).toEqual([`${MASK}Y`, `Y${MASK}`]);
  });

  test("of which one line has a value of its own, with the margin in it", () => {
    expect(maskedLines([ALPHABET, "  secret"], "x ABCDEFGH", "  secret", "x")).toEqual(["x ABCDEFGH", MASK, "x"]);
    expect(maskedLines([ALPHABET, "HIJK  ", "GH IJ"], "x ABCDEFGH", "IJKL  ", "x")).toEqual([
      "x ABCDEFGH",
      "IJKL  ",
      "x",
    ]);
    expect(maskedLines([ALPHABET, "│ secret"], "no beginning", "│ secret")).toEqual(["no beginning", MASK]);
  });

  test("may begin with white space that no line before it has made a margin", () => {
    expect(maskedLines(["  secret-long"], "x", "  secret-", "long")).toEqual(["x", MASK, MASK]);
  });

  test("is not one where another line comes between", () => {
    expect(maskedLines([ALPHABET], "ABCDEFGHIJKLM", "x", "NOPQRSTUVWXYZ")).toEqual([
      "ABCDEFGHIJKLM",
      "x",
      "NOPQRSTUVWXYZ",
    ]);
  });
});

describe("lines are held back", () => {
  const bodiesOf = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

  test("only from the fourth character of a value on", () => {
    const masker = new LineMasker<null>(finderOf(ALPHABET));
    expect(bodiesOf(masker.push("", "", "x ABC", null))).toEqual(["x ABC"]);
    expect(masker.holds).toBe(false);
    expect(bodiesOf(masker.push("", "", "x ABCD", null))).toEqual([]);
    expect(masker.holds).toBe(true);
  });

  test("up to 500, then all of them come, with what may be a value masked", () => {
    const masker = new LineMasker<null>(finderOf(ALPHABET));
    for (let count = 0; count < 2000; count += 1) expect(masker.push("b", "", "x", null)).toHaveLength(1);
    expect(masker.push("a", "", "x ABCDEFGH", null)).toEqual([]);
    for (let count = 1; count < 500; count += 1) expect(masker.push("b", "", "x", null)).toEqual([]);
    const all = bodiesOf(masker.push("b", "", "x", null));
    expect(all).toEqual([`x ${MASK}`, ...Array.from({ length: 500 }, () => "x")]);
    expect(masker.holds).toBe(false);
    // What is over counts no more.
    expect(masker.push("a", "", "x ABCDEFGH", null)).toEqual([]);
  });

  test("up to half a million characters, without those that have come", () => {
    const masker = new LineMasker<null>(finderOf(ALPHABET));
    const half = "x".repeat(256 * 1024);
    for (let count = 0; count < 5; count += 1) expect(masker.push("b", "", half, null)).toHaveLength(1);
    masker.pushBeginning("b", "", half, null);
    expect(masker.push("a", "", "ABCDEFGH", null)).toEqual([]);
    expect(masker.push("b", "", half, null)).toEqual([]);
    expect(masker.pushBeginning("b", "", half.slice(8), null)).toEqual([]);
    expect(bodiesOf(masker.push("b", "", "x", null))).toEqual([MASK, half, half.slice(8), "x"]);
    // Nor what was dropped of them.
    expect(masker.push("a", "", "ABCDEFGH", null)).toEqual([]);
    expect(masker.pushBeginning("b", "", `${half.slice(8)}ABCDEFGH`, null)).toEqual([]);
    expect(masker.push("b", "", half, null)).toEqual([]);
    expect(bodiesOf(masker.pushBeginning("b", "", "x", null))).toEqual([MASK, half.slice(8), half, "x"]);
  });

  test("while no more of them is carried than 8,192 characters; then what may be a value is masked", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const masker = new LineMasker<null>(finderOf(long));
    expect(masker.push("", "", `x ${long.slice(0, 8000)}`, null)).toEqual([]);
    expect(masker.push("", "", long.slice(8000, 8192), null)).toEqual([]);
    expect(bodiesOf(masker.push("", "", long.slice(8192, 8194), null))).toEqual([`x ${MASK}`, MASK, MASK]);
    expect(masker.holds).toBe(false);
    expect(bodiesOf(masker.push("", "", long.slice(8194, 9000), null))).toEqual([long.slice(8194, 9000)]);
    // A new beginning may have white space before it.
    const spaced = new LineMasker<null>(finderOf(long, "  secret-long"));
    expect(spaced.push("", "", long.slice(0, 9000), null)).toHaveLength(1);
    expect(bodiesOf([...spaced.push("", "", "  secret-", null), ...spaced.push("", "", "long", null)])).toEqual([
      MASK,
      MASK,
    ]);
  });
});

describe("a line that was cut off", () => {
  const cutOff = (carried: string[], body: string) => {
    const masker = new LineMasker<null>(finderOf(ALPHABET, "WXYZ-2", "secret"));
    const texts = carried.flatMap((line) => masker.push("", "", line, null));
    texts.push(...masker.pushBeginning("", "", body, null));
    expect(masker.holds).toBe(false);
    return texts.map(({ text }) => text);
  };

  test("comes without the beginning of a value", () => {
    expect(cutOff([], "x ABCDE")).toEqual(["x "]);
    expect(cutOff([], "x secret, A")).toEqual([`x ${MASK}, `]);
    expect(cutOff([], "x secret A  ")).toEqual([`x ${MASK} `]);
    expect(cutOff([], "x secret  ")).toEqual([`x ${MASK}  `]);
    // Its last characters begin another value, but they are known already.
    expect(cutOff([], `x ${ALPHABET}`)).toEqual([`x ${MASK}`]);
    expect(cutOff([], `secret, secret, ${ALPHABET}`)).toEqual([`${MASK}, ${MASK}, ${MASK}`]);
    expect(cutOff([], "x ABCsecretDEF")).toEqual([`x ABC${MASK}DEF`]);
  });

  test("may end a value that the line before it has begun", () => {
    expect(cutOff(["x ABCDEFGHIJKLM"], "NOPQRSTUVWXYZ and ABCDEF")).toEqual([`x ${MASK}`, `${MASK} and `]);
    expect(cutOff(["x ABCD", "EFGH"], "  IJKL  ")).toEqual([`x ${MASK}`, MASK, "  "]);
    expect(cutOff(["x ABCD"], "EFG")).toEqual(["x ABCD", ""]);
    expect(cutOff(["x ABCD"], "EFGH")).toEqual([`x ${MASK}`, ""]);
    expect(cutOff(["x ABCDEFGHIJKLM"], "something new")).toEqual(["x ABCDEFGHIJKLM", "something new"]);
    expect(cutOff(["x ABCDEFGHIJKLM"], "   ")).toEqual([`x ${MASK}`, "   "]);
  });

  test("has no continuation, and other sources none the less", () => {
    const masker = new LineMasker<number>(finderOf(ALPHABET));
    expect(masker.push("b", "", "x", 0)).toHaveLength(1);
    expect(masker.push("a", "", "ABCDEFGHIJKLM", 1)).toEqual([]);
    expect(masker.pushBeginning("b", "b: ", "x ABCDEFGHIJKLM", 2)).toEqual([]);
    expect(masker.push("b", "b: ", "NOPQRSTUVWXYZ", 3)).toEqual([]);
    expect(masker.push("a", "a: ", "NOPQRSTUVWXYZ", 4)).toMatchObject([
      { text: MASK, owner: 1 },
      { text: "b: x ", owner: 2 },
      { text: "b: NOPQRSTUVWXYZ", owner: 3 },
      { text: `a: ${MASK}`, owner: 4 },
    ]);
  });
});

test("a prefix is masked by itself and is no part of a value", () => {
  const masker = new LineMasker<null>(finderOf(ALPHABET));
  expect(masker.push("", `${ALPHABET}: ABCDEFGHIJKLM`, "NOPQRSTUVWXYZ", null)).toMatchObject([
    { text: `${MASK}: ABCDEFGHIJKLMNOPQRSTUVWXYZ`, owner: null },
  ]);
});

test("the last lines come with their masks, and without what may begin a value where that is asked for", () => {
  for (const [cautious, expected] of [
    [true, [`x ${MASK}`, `  ${MASK}`, "y ABCDEFG"]],
    [false, ["x ABCDEFGH", "  IJKL", "y ABCDEFG"]],
  ] as const) {
    const masker = new LineMasker<null>(finderOf(ALPHABET));
    masker.push("a", "", "x ABCDEFGH", null);
    masker.push("a", "", "  IJKL", null);
    masker.push("b", "", "y ABCDEFG", null);
    expect(masker.end(cautious).map(({ text }) => text)).toEqual(expected);
    expect(masker.holds).toBe(false);
    expect(masker.end(cautious)).toEqual([]);
  }
});
