import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { LOG_STREAMS } from "../../../src/model/log/log.ts";
import { summarizeLogText, writeLogText } from "../../../src/model/log/log-text.ts";

const machineInput = (text: string) => summarizeLogText(Buffer.from(text));

test("what is written is understood, whatever its lines hold", () => {
  const line = fc.record({
    at: fc.date({
      min: new Date("0000-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    text: fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\0]/g, " ")),
    stream: fc.constantFrom(undefined, ...LOG_STREAMS),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (drawn) => {
      const lines = drawn.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest }));
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
  const lines = [{ at, text: "a\tb" }, { at, text: "", stream: "STDERR" } as const];
  expect(writeLogText(lines)).toBe("1795190845447\ta\tb\n1795190845447.1\t");
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
