import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { lineOfMapping, mappingOfLine } from "../../../src/console/inbound-hooks/mapping-line.ts";

const MAPPINGS: [key: string, pointer: string, line: string][] = [
  ["ticket", "/ticket/id", "ticket = /ticket/id"],
  ["whole", "", "whole = "],
  ["url", "/q/a=b", "url = /q/a=b"],
  ["a/b", "/c", "a/b = /c"],
  ["a = /b", "/c", '"a = /b" = /c'],
  ["a=b", "/c", '"a=b" = /c'],
  ["=", "/a", '"=" = /a'],
  ["=whole", "", '"=whole" = '],
  ['"', "/a", '"\\"" = /a'],
  ['say "a"', "/a", 'say "a" = /a'],
  ["C:\\", "/a", "C:\\ = /a"],
  ['"\\', "/a", '"\\"\\\\" = /a'],
  [" a ", "/a", '" a " = /a'],
  ["a", "/b ", 'a = "/b "'],
  ["a", "/b\n/c = /d", 'a = "/b\\n/c = /d"'],
];

describe("a value of a mapping", () => {
  it.each(MAPPINGS)("the key %j with the pointer %j is a line, and comes back from it", (key, pointer, line) => {
    expect(lineOfMapping({ key, pointer })).toBe(line);
    expect(mappingOfLine(line)).toEqual({ key, pointer });
  });

  test("any of them come back from the lines of a form", () => {
    const odd = fc.constantFrom("=", " = /", '"', "\\", " ", "/", "a", "ä", "\t", "\n", "\u0085", "\u00a0", "\u2028");
    const text = fc.oneof(
      fc.array(odd, { maxLength: 8 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    const mapping = fc.record({ key: text.filter((key) => key.trim() !== ""), pointer: text });
    fc.assert(
      fc.property(fc.array(mapping, { maxLength: 5 }), (values) => {
        // As a browser keeps the lines of a field, and as a form reads them.
        const kept = values.map(lineOfMapping).join("\n").replace(/\r\n?/g, "\n").toWellFormed();
        const lines = kept.split("\n").map((line) => line.trim());
        expect(lines.filter(Boolean).map(mappingOfLine)).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a line that a person has typed", () => {
  it.each([
    ["ticket=/ticket/id", "ticket", "/ticket/id"],
    ["  ticket  =  /a  ", "ticket", "/a"],
    ['"a=b"=/c', "a=b", "/c"],
    ['"ticket" = "/a"', "ticket", "/a"],
    ['"\\u0061" = /a', "a", "/a"],
  ])("%j has the key %j and the pointer %j", (line, key, pointer) => {
    expect(mappingOfLine(line)).toEqual({ key, pointer });
  });

  it("ends its key at the first sign, and leaves a wrong pointer to the server, which names it", () => {
    expect(mappingOfLine("ticket = id")).toEqual({ key: "ticket", pointer: "id" });
    expect(mappingOfLine("a=b = /c")).toEqual({ key: "a", pointer: "b = /c" });
  });

  it.each(["", "ticket", "/ticket/id", "=", "=/a", "= /a", " = ", '"" = /a', '" " = /a'])("is none: %j", (line) => {
    expect(mappingOfLine(line)).toBeNull();
  });

  it.each(['"a = /b', '"a" b = /c', '"a"', '"\\x" = /a', 'a = "/b', 'a = "/b" c'])(
    "is none, because its quotes are not closed: %j",
    (line) => {
      expect(mappingOfLine(line)).toBeNull();
    },
  );
});
