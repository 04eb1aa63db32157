import fc from "fast-check";
import { expect, test } from "vitest";
import { SPANS_PER_LINE } from "../../../src/model/log/log-span.ts";
import { coloredLines } from "../../../src/runner/log/colored-lines.ts";
import { readableLines } from "../../../src/runner/log/log-text.ts";

/** The colored parts of a text of one line, as `part=COLOR` and `part=bold`. */
function partsOf(text: string): string[] {
  return coloredLines(text).flatMap(({ text: line, spans }) =>
    spans.map(
      ({ from, to, color, bold }) => `${line.slice(from, to)}=${[color, bold && "bold"].filter(Boolean).join("+")}`,
    ),
  );
}

test.each([
  ["plain", []],
  ["\u001b[31mred\u001b[0m plain", ["red=RED"]],
  ["\u001b[mplain", []],
  ["\u001b[1mbold\u001b[22m plain", ["bold=bold"]],
  ["\u001b[1;32mboth \u001b[39monly bold\u001b[0;33myellow", ["both =GREEN+bold", "only bold=bold", "yellow=YELLOW"]],
  ["\u001b[91mbright\u001b[97m white", ["bright=RED", " white=WHITE"]],
  ["\u009b36mcyan", ["cyan=CYAN"]],
  ["\u001b[38;5;4mpalette \u001b[38;5;12mbright \u001b[38;5;200mother", ["palette =BLUE", "bright =BLUE"]],
  ["\u001b[38;2;1;31;32mtrue\u001b[35mmagenta", ["magenta=MAGENTA"]],
  ["\u001b[48;5;1mback\u001b[41mground\u001b[4munder", []],
  ["\u001b[31m\u0000r\u0008e\u001b[Kd\u001b]0;title\u0007!\u001b[0m.", ["red!=RED"]],
  ["\u001b[31mends\nhere", ["ends=RED"]],
  ["a\n\u001b[34mb\u001b[0m\nc", ["b=BLUE"]],
  ["\ud83d\u001b[31m\ude00x", ["\ude00x=RED"]],
])("%j has the colors %j", (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

test("the text is that of readable lines, and parts are in order within it, whatever comes", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r", "\r\n", "\u001b[", "\u001b[0m", "\u009b1m", "\u001b[K", "\ud83d", "\u0000", "x"),
    fc.array(fc.nat(110), { maxLength: 4 }).map((codes) => `\u001b[${codes.join(";")}m`),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      const lines = coloredLines(text);
      expect(lines.map((line) => line.text)).toEqual(readableLines(text));
      for (const line of lines) {
        let end = 0;
        for (const { from, to, color, bold } of line.spans) {
          expect([from >= end, to > from, to <= line.text.length, bold || color !== null]).toEqual(Array(4).fill(true));
          end = to;
        }
        expect(line.spans.length).toBeLessThanOrEqual(SPANS_PER_LINE);
      }
    }),
    { numRuns: 200 },
  );
});

test("of a line with many parts the first ones have colors", () => {
  const [line] = coloredLines("\u001b[31mx\u001b[32my".repeat(30));
  expect(line?.text).toBe("xy".repeat(30));
  expect(line?.spans.map(({ from }) => from)).toEqual(Array.from({ length: SPANS_PER_LINE }, (_, at) => at));
});

test.each([
  ["parts", "\u001b[31mx"],
  ["parts without readable text", "\u001b[31m\u0000"],
  ["lines with parts", "\u001b[31mx\r"],
])("the time grows with the number of %s, and not with its square", (_, unit) => {
  const cost = (count: number): number => {
    const text = unit.repeat(count);
    const tries = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      coloredLines(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...tries);
  };
  cost(500);
  const [few, many] = [cost(2_000), cost(32_000)];
  // 16 times as many take 16 times as long in linear time, and 256 times in quadratic time.
  expect(many).toBeLessThan(Math.max(few, 500) * 64);
});
