import fc from "fast-check";
import { expect, test } from "vitest";
import { encodedForms, partsOf, secretForms } from "../../../src/runner/mask/secret-forms.ts";

const plain = (value: string, minLength = 6): string[] => {
  const forms = secretForms(value, minLength);
  expect(forms.every(({ base64 }) => !base64)).toBe(true);
  return forms.map(({ text }) => text);
};

test("a value on one line is searched without the white space around it", () => {
  expect(plain("hunter2")).toEqual(["hunter2"]);
  expect(plain("  hunter2\t")).toEqual(["hunter2"]);
  // Without its margins it is too short, but not with them.
  expect(plain(" hunt ")).toEqual([" hunt "]);
  expect(plain(" hunte")).toEqual([" hunte"]);
  expect(plain(" hunter")).toEqual(["hunter"]);
  expect(plain(" h ")).toEqual(["h"]);
});

test("a value with white space is also searched without any", () => {
  expect(plain("pass  word\there")).toEqual(["pass  word\there", "passwordhere"]);
  expect(plain(" password ")).toEqual(["password"]);
});

test("a value of several lines is searched as a whole, line by line, and without white space", () => {
  expect(plain("line one\r\n  line two \rline 3\n\nline 4\n")).toEqual([
    "line one\r\n  line two \rline 3\n\nline 4",
    "line one",
    "line two",
    "line 3",
    "",
    "line 4",
    "",
    "lineonelinetwoline3line4",
  ]);
  expect(plain("first\rsecond")).toEqual(["first\rsecond", "first", "second", "firstsecond"]);
});

test("encoded forms are in hexadecimal of both cases and in base64 at each of three offsets", () => {
  expect(encodedForms(" ~~?>~~?k ", 6)).toEqual([
    { text: "7e7e3f3e7e7e3f6b", base64: false },
    { text: "7E7E3F3E7E7E3F6B", base64: false },
    { text: "fn4/Pn5+P2", base64: true },
    { text: "fn4_Pn5-P2", base64: true },
    { text: "5+Pz5+fj9r", base64: true },
    { text: "5-Pz5-fj9r", base64: true },
    { text: "+fj8+fn4/a", base64: true },
    { text: "-fj8-fn4_a", base64: true },
  ]);
  // None of its characters differs in URLs.
  expect(encodedForms("aaaaaa", 6)).toHaveLength(5);
});

test("the base64 of a value has the characters of one of its forms, whatever stands beside it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 6, maxLength: 30 }).map((text) => text.toWellFormed()),
      fc.uint8Array({ maxLength: 5 }),
      fc.uint8Array({ maxLength: 5 }),
      (value, before, after) => {
        const bytes = Buffer.from(value.trim());
        fc.pre(value.trim().length >= 6);
        const forms = encodedForms(value, 6).filter(({ base64 }) => base64);
        const first = Math.ceil((before.length * 8) / 6);
        const end = Math.floor(((before.length + bytes.length) * 8) / 6);
        for (const encoding of ["base64", "base64url"] as const) {
          const encoded = Buffer.concat([before, bytes, after]).toString(encoding);
          expect(forms.map(({ text }) => text)).toContain(encoded.slice(first, end));
        }
      },
    ),
  );
});

test("texts that are too short have no encoded form", () => {
  expect(encodedForms("hunte", 6)).toEqual([]);
  expect(encodedForms(" hunte ", 6)).toEqual([]);
  expect(encodedForms("hunter", 6)).not.toEqual([]);
});

test("long lines are also encoded by themselves, unless there are too many", () => {
  const hexOf = (value: string) =>
    encodedForms(value, 6)
      .filter(({ text }) => /^[0-9a-f]+$/.test(text))
      .map(({ text }) => Buffer.from(text, "hex").toString());
  expect(hexOf("sixteen letters!\n15 letters long\nseventeen letters")).toEqual([
    "sixteen letters!\n15 letters long\nseventeen letters",
    "sixteen letters!",
    "seventeen letters",
  ]);
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `a line of many: ${index}`).join("\n");
  expect(hexOf(lines(100))).toHaveLength(101);
  expect(hexOf(lines(101))).toEqual([lines(101)]);
});

test("parts cover a form, none is long, and each begins well before the one before it ends", () => {
  const text = (length: number) => Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
  for (const length of [1, 255, 256]) expect(partsOf(text(length))).toEqual([text(length)]);
  for (const length of [257, 271, 272, 273, 495, 496, 497, 511, 512, 513, 737, 5000]) {
    const whole = text(length);
    const starts = partsOf(whole).map((part) => {
      expect(part).toHaveLength(256);
      expect(whole).toContain(part);
      return whole.indexOf(part);
    });
    expect(starts[0]).toBe(0);
    expect(starts.at(-1)).toBe(length - 256);
    for (const [index, start] of starts.slice(1).entries()) {
      const step = start - (starts[index] ?? 0);
      expect(step).toBeGreaterThan(0);
      expect(step).toBeLessThanOrEqual(240);
    }
    expect(starts).toHaveLength(Math.ceil((length - 256) / 240) + 1);
  }
});
