import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MASK, mergeSpans, type Span } from "../../../src/runner/mask/masked-text.ts";
import { SecretFinder } from "../../../src/runner/mask/secret-finder.ts";

const MIN_LENGTH = 6;

function finderOf(...values: string[]): SecretFinder {
  const finder = new SecretFinder(MIN_LENGTH);
  finder.add(values);
  return finder;
}

const spansOf = (finder: SecretFinder, text: string): Span[] => mergeSpans(finder.find(text).spans);
const foundIn = (finder: SecretFinder, text: string): string[] =>
  spansOf(finder, text).map(([start, end]) => text.slice(start, end));
const hexOf = (value: string): string => Buffer.from(value).toString("hex");

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const unicode = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const bytes = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, "0").slice(-2)}`);
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const form = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");
const template = (text: string): string => text.replace(/[$%](?=\{)/g, "$&$&");

/** Escapes, each with what it is made for. */
const ESCAPES: Record<string, (text: string) => string> = {
  plain: (text) => text,
  json,
  template,
  unicode,
  upperUnicode: (text) => unicode(text).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  everyCharacter: (text) => text.replace(/[^a-zA-Z0-9]/g, "\\$&"),
  uri: encodeURIComponent,
  form,
  percent,
  jsonOfJson: (text) => json(json(text)),
  jsonOfJsonOfJson: (text) => json(json(json(text))),
  uriInJson: (text) => json(percent(text)),
  jsonWithEscapedUri: (text) => percent(text).replaceAll("%", "\\u0025"),
  formWithEscapedPlus: (text) => form(text).replaceAll("+", "\\u002b"),
  hcl: (text) => json(template(text)),
  templateTwice: (text) => template(template(text)),
  uriInTemplate: (text) => template(text.replace(/[^a-zA-Z0-9${]+/gu, encodeURIComponent)),
  hclInJson: (text) => json(json(template(text))),
};

const value = fc
  .array(
    fc.constantFrom(
      ...Array.from("abcXYZ019 \\\"'<&%$+{}/=~üß€\u{1d11e}"),
      "${",
      "%{",
      "$${",
      "$%{",
      "%%%{",
      "%41",
      "\\n",
    ),
    {
      minLength: 8,
      maxLength: 20,
    },
  )
  .map((all) => all.join("").trim())
  // One that begins or ends in the middle of an escape of its own has no clear border.
  .filter((text) => /^[a-zA-Z0-9].*[a-zA-Z0-9]$/u.test(text) && text.replaceAll(" ", "").length >= 8);

describe("a value", () => {
  test.each(Object.keys(ESCAPES))("is found exactly, and its beginning wherever it is cut: %s", (name) => {
    const escape = ESCAPES[name] ?? String;
    fc.assert(
      fc.property(value, fc.constantFrom("", "before: "), fc.constantFrom("", " ;after"), (secret, before, after) => {
        const finder = finderOf(secret);
        const written = escape(secret);
        const text = before + written + after;
        expect(foundIn(finder, text)).toContain(written);
        expect(spansOf(finder, text)).toHaveLength(1);
        for (let cut = before.length + 1; cut < before.length + written.length; cut += 1) {
          const { spans, open } = finder.find(text.slice(0, cut));
          expect(spans, text.slice(0, cut)).toEqual([]);
          expect(open, text.slice(0, cut)).toBe(before.length);
        }
      }),
      { numRuns: 12 },
    );
  });

  test("is found in bytes that are escaped one by one", () => {
    expect(foundIn(finderOf("pass\nword"), `x ${bytes("pass\nword")} y`)).toEqual([bytes("pass\nword")]);
  });

  test("is found with the escapes of letters", () => {
    const secret = "a\nb\tc\rd\be\ff\vg";
    expect(foundIn(finderOf(secret), String.raw`x a\nb\tc\rd\be\ff\vg y`)).toEqual([String.raw`a\nb\tc\rd\be\ff\vg`]);
  });

  test("is not found behind more escapes than three", () => {
    const secret = 'quote"quote"';
    expect(foundIn(finderOf(secret), json(json(json(json(secret)))))).toEqual([]);
    const finder = finderOf("start${end");
    expect(foundIn(finder, template(template(template("start${end"))))).toEqual(["start$$$${end"]);
    expect(foundIn(finder, template(template(template(template("start${end")))))).toEqual([]);
  });

  test("is found in hexadecimal and in base64, beside what is not encoded", () => {
    const finder = finderOf("hunter2-hunter2");
    expect(foundIn(finder, `x ${hexOf("hunter2-hunter2")} y`)).toEqual([hexOf("hunter2-hunter2")]);
    expect(foundIn(finder, `(${Buffer.from("hunter2-hunter2").toString("base64")})`)).toEqual([
      Buffer.from("hunter2-hunter2").toString("base64"),
    ]);
  });

  test.each(["before", "after"])("takes them along where another value is that base64, added %s it", (when) => {
    const encoded = Buffer.from("_hunter2_").toString("base64");
    const core = encoded.slice(2, 10);
    const finder = when === "before" ? finderOf(core, "hunter2") : finderOf("hunter2", core);
    expect(foundIn(finder, `(${encoded})`)).toEqual([encoded.slice(1, 11)]);
  });

  test("takes along the characters of base64 that hold bits of it, and the signs at its end", () => {
    // "hunter2" begins at the second of three bytes, and ends at the second.
    const finder = finderOf("hunter2");
    const core = Buffer.from("_hunter2").toString("base64").slice(2, 10);
    for (const [text, found] of [
      [`${core}`, core],
      [`a${core}b`, `a${core}b`],
      [`aa${core}bb`, `a${core}b`],
      [`+${core}/`, `+${core}/`],
      [`-${core}_`, `-${core}_`],
      [`9${core}Z`, `9${core}Z`],
      [` ${core} `, core],
      [`=${core}.`, core],
      [`(${core}=)`, `${core}=`],
      [`(${core}==)`, `${core}==`],
      [`(${core}===)`, `${core}==`],
      [`(${core}a==)`, `${core}a==`],
      [`(${core}ab==)`, `${core}a`],
      [`(${core}a=b)`, `${core}a=`],
    ] as const) {
      expect(foundIn(finder, text), text).toEqual([found]);
    }
    expect(finder.find(core).spans).toEqual([[0, core.length]]);
    // In hexadecimal a neighbour holds nothing.
    expect(foundIn(finder, `a${hexOf("hunter2")}b`)).toEqual([hexOf("hunter2")]);
    expect(foundIn(finder, "ahunter2b==")).toEqual(["hunter2"]);
  });

  test("with white space is found with any, also escaped", () => {
    const finder = finderOf("pass word here");
    for (const text of ["pass word here", "password here", "pass  word\there", "p a s s w o r d h e r e"]) {
      expect(foundIn(finder, `x: ${text} .`)).toEqual([text]);
    }
    for (const text of ["pass+word+here", "pass%20word++here", String.raw`pass\tword\u0020here`, "pass%2Bword"]) {
      expect(foundIn(finder, `x: ${text} .`)).toEqual(text.includes("%2B") ? [] : [text]);
    }
    expect(finder.find("x: pass+wo").open).toBe(3);
  });

  test("without white space is found only as it is", () => {
    const finder = finderOf("password");
    for (const text of ["pass word", "pass+word", "pass%20word", String.raw`pass\tword`]) {
      expect(finder.find(text), text).toEqual({ spans: [], open: text.length });
    }
    expect(finderOf("pass+word").find("pass+word").spans).not.toEqual([]);
    // A plus is itself where a value may have no space.
    expect(foundIn(finderOf("pass+word"), "pass+w%6frd")).toEqual(["pass+w%6frd"]);
  });

  test("longer than a part is found by its parts", () => {
    const secret = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const finder = finderOf(secret);
    expect(finder.longest).toBe(256);
    expect(foundIn(finder, `x ${secret} y`)).toEqual([secret]);
    expect(foundIn(finder, `x ${hexOf(secret)} y`)).toEqual([hexOf(secret)]);
  });
});

describe("an end that cuts an escape", () => {
  const finder = finderOf('"quote"');
  test.each([
    ["a \\", 2],
    ["a \\u", 2],
    ["a \\u0", 2],
    ["a \\u002", 2],
    ["a \\x", 2],
    ["a \\x2", 2],
    // Without one escape it ends with another.
    ["a \\\\", 2],
    ["a \\\\n", 5],
    ["a \\q", 4],
    ["a $$", 2],
    ["a %%", 2],
    ["a $%", 3],
    ["a $$$", 3],
    ["a $${", 5],
    ["a \\$$", 2],
    ["a $$\\u007b", 10],
    ["a \\n", 4],
    ["a %", 2],
    ["a %2", 2],
    ["a %2g", 5],
    ["a %41", 5],
    ["a %e2%82", 2],
    ["a x%e2%82%", 3],
    ["a %41%e2", 5],
    ["a %ff", 2],
    ["a %20%f0%9f%98", 5],
    ["a %20%f0%9f%98%80", 17],
    ["a %c3", 2],
    ["a %bf", 5],
    ["a %e2%82%ac", 11],
  ])("is open from there: %j", (text, open) => {
    expect(finder.find(text)).toEqual({ spans: [], open });
  });
});

describe("no value", () => {
  test("is one that is too short, of white space alone, or the mask itself", () => {
    const finder = finderOf("short", "          ", MASK);
    for (const text of ["short", "            ", MASK, `x ${MASK} y`]) expect(foundIn(finder, text)).toEqual([]);
    expect(foundIn(finderOf("sixsix"), "sixsix")).toEqual(["sixsix"]);
    // Nor is a short line of a longer one, which holds nothing back either.
    expect(finderOf("first line\nabcd\nlast line").find("x abcd")).toEqual({ spans: [], open: 6 });
  });

  test("is found by a finder without any", () => {
    const finder = finderOf();
    expect(finder.longest).toBe(0);
    expect(finder.find("a %")).toEqual({ spans: [], open: 3 });
  });
});

describe("a bound of what is encoded", () => {
  const bounded = (values: number, characters: number) => new SecretFinder(MIN_LENGTH, { values, characters });

  test("is the number of values, without those that are too short", () => {
    const finder = bounded(2, 1000);
    finder.add(["one", "two", "three", "first-value", "second-value", "first-value", "third-value"]);
    expect(foundIn(finder, hexOf("first-value"))).toEqual([hexOf("first-value")]);
    expect(foundIn(finder, hexOf("second-value"))).toEqual([hexOf("second-value")]);
    expect(foundIn(finder, hexOf("third-value"))).toEqual([]);
    expect(foundIn(finder, "third-value")).toEqual(["third-value"]);
  });

  test("is the length of all of them, each counted once", () => {
    const finder = bounded(100, 20);
    finder.add(["ten-letter", "ten-letter", "one-letter-too-long"]);
    finder.add(["ten-letter", "0123456789"]);
    for (const value of ["ten-letter", "0123456789"]) expect(foundIn(finder, hexOf(value))).toEqual([hexOf(value)]);
    finder.add(["eleventh"]);
    for (const value of ["one-letter-too-long", "eleventh"]) {
      expect(foundIn(finder, hexOf(value))).toEqual([]);
      expect(foundIn(finder, value)).toEqual([value]);
    }
  });
});

test("values of several lines are found as they are", () => {
  const finder = finderOf("first line\nsecond line", "alone-alone");
  expect(finder.findBroken("x first line\nsecond line y alone-alone")).toEqual([[2, 24]]);
  expect(finder.findBroken("x first line y second line alone-alone")).toEqual([]);
});
