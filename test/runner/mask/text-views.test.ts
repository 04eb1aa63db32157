import { expect, test } from "vitest";
import {
  percentDecode,
  removeEscapes,
  removeSpaces,
  removeTemplateEscapes,
  type TextView,
} from "../../../src/runner/mask/text-views.ts";

/** The original beginning and end of each unit, and where the end is. */
function mapOf({ text, place, placeEnd }: TextView) {
  const units = Array.from({ length: text.length }, (_, at) => [place(at), placeEnd(at + 1)]);
  return { text, units, end: place(text.length) };
}

test("escapes of backslashes are removed, and each unit keeps its place", () => {
  expect(mapOf(removeEscapes(String.raw`a\u0041b\x42\"\\c`, null))).toEqual({
    text: 'aAbB"\\c',
    units: [
      [0, 1],
      [1, 7],
      [7, 8],
      [8, 12],
      [12, 14],
      [14, 16],
      [16, 17],
    ],
    end: 17,
  });
  expect(removeEscapes(String.raw`\n\t\r\b\f\v\q\N`, null).text).toBe("\n\t\r\b\f\vqN");
  expect(removeEscapes("plain", null).text).toBe("plain");
});

test("an escape without its digits is a letter, unless the end cuts it", () => {
  expect(removeEscapes(String.raw`a\xg \u00g \x4`, null).text).toBe("axg u00g ");
  for (const cut of ["\\", "\\u", "\\u0", "\\u00", "\\u004", "\\x", "\\x4"]) {
    expect(mapOf(removeEscapes(`ab${cut}`, null)), cut).toEqual({
      text: "ab",
      units: [
        [0, 1],
        [1, 2],
      ],
      end: 2,
    });
  }
});

test("escapes of templates lose one of their signs", () => {
  expect(mapOf(removeTemplateEscapes("a$${b", null))).toEqual({
    text: "a${b",
    units: [
      [0, 1],
      [1, 3],
      [3, 4],
      [4, 5],
    ],
    end: 5,
  });
  expect(removeTemplateEscapes("%%{ $$$${ $%{ %${ $$ %% ${", null).text).toBe("%{ $$${ $%{ %${ $$ %% ${");
  expect(mapOf(removeTemplateEscapes("a$$", null))).toEqual({ text: "a", units: [[0, 1]], end: 1 });
  expect(mapOf(removeTemplateEscapes("a$", null))).toMatchObject({ text: "a$", end: 2 });
});

test("bytes of URLs are decoded together where they are one character", () => {
  expect(mapOf(percentDecode("a%41%f0%9f%98%80b%c3%BC+", false, null))).toEqual({
    text: "aA\u{1f600}bü+",
    units: [
      [0, 1],
      [1, 4],
      [4, 16],
      [4, 16],
      [16, 17],
      [17, 23],
      [23, 24],
    ],
    end: 24,
  });
  expect(mapOf(percentDecode("a+b", true, null))).toEqual({
    text: "a b",
    units: [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
    end: 3,
  });
});

test("characters of two, three and four bytes are decoded from their first byte on", () => {
  for (const text of ["\u0080", "é", "\u07ff", "\u0800", "ह", "\uffee", "\u{10000}", "\u{10ffff}"]) {
    const written = [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");
    const view = percentDecode(`${written}x`, false, null);
    expect(view.text, text).toBe(`${text}x`);
    expect(view.placeEnd(text.length)).toBe(written.length);
  }
});

test("what is no byte stays, and a character that is cut is left out at the end alone", () => {
  expect(percentDecode("a%4x%zz%", false, null).text).toBe("a%4x%zz");
  expect(percentDecode("%41%4x", false, null).text).toBe("A%4x");
  const broken = percentDecode("%e2%82x", false, null);
  expect(broken.text).toBe("\ufffdx");
  expect(broken.place(1)).toBe(6);
  for (const cut of ["%", "%e", "%e2", "%e2%8", "%e2%82", "%e2%82%", "%e2%82%a"]) {
    expect(mapOf(percentDecode(`x%41${cut}`, false, null)), cut).toEqual({
      text: "xA",
      units: [
        [0, 1],
        [1, 4],
      ],
      end: 4,
    });
  }
});

test("white space is removed", () => {
  expect(mapOf(removeSpaces(" a b\t\ncd ", null))).toEqual({
    text: "abcd",
    units: [
      [1, 2],
      [3, 4],
      [6, 7],
      [7, 8],
    ],
    end: 9,
  });
});

test("a view of a view has the places of the original", () => {
  const inner = removeEscapes(String.raw`a\u0025\u0034\u0031 b\x`, null);
  expect(inner.text).toBe("a%41 b");
  const outer = removeSpaces(percentDecode(inner.text, false, inner).text, percentDecode(inner.text, false, inner));
  expect(mapOf(outer)).toEqual({
    text: "aAb",
    units: [
      [0, 1],
      [1, 19],
      [20, 21],
    ],
    end: 21,
  });
});
