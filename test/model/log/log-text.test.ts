import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { LOG_STREAMS } from "../../../src/model/log/log.ts";
import { LOG_COLORS, type LogSpan, SPANS_PER_LINE } from "../../../src/model/log/log-span.ts";
import { LOG_TEXT_TYPE, summarizeLogText, writeLogText } from "../../../src/model/log/log-text.ts";
import { decodeLines, encodeTexts } from "../../../src/persistence/log/log-codec.ts";

const machineInput = (text: string) => summarizeLogText(Buffer.from(text));

interface DrawnSpan extends Pick<LogSpan, "color" | "bold"> {
  length: number;
  gap: number;
}

/** Puts parts behind each other, as far as the text goes. */
function spansWithin(text: string, drawn: readonly DrawnSpan[]): LogSpan[] {
  let at = 0;
  return drawn.flatMap(({ color, bold, length, gap }) => {
    const [from, to] = [at + gap, Math.min(at + gap + length, text.length)];
    at = to;
    return from < to && (bold || color !== null) ? [{ from, to, color, bold }] : [];
  });
}

test("what is written is understood, whatever its lines hold", () => {
  const line = fc.record({
    at: fc.date({
      min: new Date("0000-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    text: fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\0]/g, " ")),
    stream: fc.constantFrom(undefined, ...LOG_STREAMS),
    drawnSpans: fc.array(
      fc.record({ color: fc.constantFrom(null, ...LOG_COLORS), bold: fc.boolean(), length: fc.nat(9), gap: fc.nat(9) }),
      { maxLength: SPANS_PER_LINE },
    ),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (drawn) => {
      const lines = drawn.map(({ at, drawnSpans, ...rest }) => {
        return { at: at.toISOString(), ...rest, spans: spansWithin(rest.text, drawnSpans) };
      });
      const body = encodeTexts([Buffer.from(writeLogText(lines))]);
      const row = { first_line: 1, phase: "PLAN", attempt: 1, body };
      expect(decodeLines(row).map(({ spans = [] }) => spans)).toEqual(lines.map(({ spans }) => spans));
      expect(machineInput(writeLogText(lines))).toEqual({
        lineCount: lines.length,
        byteCount: lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0),
        streams: lines.reduce((bits, { stream = "STDOUT" }) => bits | (1 << LOG_STREAMS.indexOf(stream)), 0),
      });
    }),
  );
});

test("the bytes are those that rows have", () => {
  const at = "2026-11-20T16:07:25.447Z";
  const spans: LogSpan[] = [
    { from: 0, to: 1, color: "RED", bold: true },
    { from: 2, to: 5, color: null, bold: true },
    { from: 5, to: 6, color: "BLACK", bold: false },
  ];
  const lines = [
    { at, text: "a\tb" },
    { at, text: "", stream: "STDERR" } as const,
    { at, text: "colored", stream: "STDERR", spans } as const,
  ];
  expect(writeLogText(lines)).toBe("1795190845447\ta\tb\n1795190845447.1\t\n1795190845447.1;0-1r*,2-5*,5-6k\tcolored");
});

test.each([
  "",
  "text",
  "1\n",
  "\ttext",
  "1 text",
  "1.\ttext",
  "1.0\ttext",
  "1.3\ttext",
  "1.12\ttext",
  "--1\ttext",
  "-\ttext",
  "1e3\ttext",
  "253402300800000\ttext",
  "-62167219200001\ttext",
  "9".repeat(400) + "\ttext",
  "0".repeat(400) + "1\ttext",
  "1;\ttext",
  "1;0-2\ttext",
  "1;0-2x\ttext",
  "1;2-2r\ttext",
  "1;3-2r\ttext",
  "1;0-2r;3-4r\ttext",
  "1;0-2r,1-3g\ttext",
  "1;0-2r,\ttext",
  "1;0-5r\ttext",
  "1;0-2\u00e9\ttext",
  `1;${Array.from({ length: SPANS_PER_LINE + 1 }, (_, index) => `${index}-${index + 1}r`).join(",")}\t${"x".repeat(99)}`,
  `1;${"0".repeat(400)}-1r\ttext`,
  "1.1;0-2r",
  "1;0-2r.1\ttext",
  "1\ta\n\n2\tb",
  "1\ta\n",
  "1\ta\0",
  `1\t${"x".repeat(LIMITS.logLineBytes + 1)}`,
])("what is no text of lines is refused (%#)", (text) => {
  expect(machineInput(text)).toEqual(expect.any(String));
});

test("a line may be as long as a line may be, and is known by its number where it is not", () => {
  const longest = "x".repeat(LIMITS.logLineBytes);
  expect(machineInput(`1\t${longest}`)).toMatchObject({ lineCount: 1, byteCount: LIMITS.logLineBytes + 1 });
  expect(machineInput(`1\ta\n2\t${longest}x\n3\tb`)).toContain("line 2");
});

test.each([
  ["1\ta\0", "must not contain the character U+0000"],
  ["text", "line 1 must begin with milliseconds, its stream and a tab"],
  ["1\ta\nb", "line 2 must begin with milliseconds, its stream and a tab"],
  ["1.3\ta", "line 1 must begin with milliseconds, its stream and a tab"],
  [`1\t${"x".repeat(LIMITS.logLineBytes + 1)}`, `line 1 must have at most ${LIMITS.logLineBytes} bytes`],
])("what is wrong with a text is named for its writer: %#", (text, reason) => {
  expect(machineInput(text)).toBe(reason);
});

test.each([
  ["253402300799999\ta", 1],
  ["-62167219200000\ta", 1],
  ["-1\ta", 1],
  ["0\ta", 1],
  ["000000000000001\ta", 1],
  ["1.1\ta", 2],
  ["1.2\ta", 4],
  ["1\ta\n1.2\tb", 5],
])("instants from the years 0 to 9999 and streams are read: %j", (text, streams) => {
  expect(machineInput(text)).toMatchObject({ streams });
});

test.each(["0000000000000001\ta", "1.1", "1.1 a", "1.-\ta", "1.\t", "-", "", "1.10\ta", "1:1\ta"])(
  "%j is no stamp",
  (text) => {
    expect(machineInput(text)).toContain("line 1 must begin");
  },
);

test("an instant is written once more where it is another one, and a stream where it is not the first", () => {
  const [one, two] = ["2026-11-20T16:07:25.447Z", "2026-11-20T16:07:25.448Z"];
  const lines = [
    { at: one, text: "a" },
    { at: one, text: "b", stream: "STDOUT" },
    { at: two, text: "c", stream: "RUNNER" },
    { at: one, text: "d" },
  ] as const;
  expect(writeLogText(lines)).toBe("1795190845447\ta\n1795190845447\tb\n1795190845448.2\tc\n1795190845447\td");
  expect(writeLogText([])).toBe("");
});

test("the type of such a text is its own", () => {
  expect(LOG_TEXT_TYPE).toBe("application/vnd.holdpoint.log");
});
