import fc from "fast-check";
import { expect, test } from "vitest";
import { MASK } from "../../src/runner/masked-text.ts";
import { Masker } from "../../src/runner/masker.ts";

test("values, their lines and their escaped forms are masked; short ones are not", () => {
  const masker = new Masker(6);
  masker.add(["short", "longer", 'first line\nsecond "line"', "<html&>", "a+b(c)[d"]);
  expect(masker.mask("short longer")).toBe(`short ${MASK}`);
  expect(masker.mask('x second "line" y')).toBe(`x ${MASK} y`);
  expect(masker.mask(JSON.stringify({ v: 'first line\nsecond "line"' }))).toBe(`{"v":"${MASK}"}`);
  expect(masker.mask("\\u003chtml\\u0026\\u003e <html&>")).toBe(`${MASK} ${MASK}`);
  expect(masker.mask("a+b(c)[d")).toBe(MASK);
});

test("a value of several lines gets one mark where it stands as it is, and one a line where it was broken anew", () => {
  const masker = new Masker(6);
  masker.add(["-----BEGIN KEY-----\nabcdefghijkl\nmn\n-----END KEY-----\n"]);
  expect(masker.mask("key: -----BEGIN KEY-----\nabcdefghijkl\nmn\n-----END KEY-----\nend")).toBe(`key: ${MASK}\nend`);
  expect(masker.mask("-----BEGIN KEY-----\n  abcdef\n  ghijkl\n  mn\n  -----END KEY-----")).toBe(
    `${MASK}\n  ${MASK}\n  ${MASK}\n  ${MASK}\n  ${MASK}`,
  );
});

test("what is made to be slow is not: repeated characters, and an escape for each", () => {
  const masker = new Masker(6);
  masker.add([`${"a".repeat(100_000)}b`, "x\ny".repeat(2000), " and spaces "]);
  expect(masker.mask("a".repeat(50_000))).toBe(MASK);
  const escaped = JSON.stringify("x\ny".repeat(10_000));
  expect(masker.mask(escaped)).toBe(`"${MASK}"`);
  expect(masker.longest).toBeLessThanOrEqual(256);
});

test("the longest value wins, and later values count", () => {
  const masker = new Masker(6);
  masker.add(["secret"]);
  expect(masker.mask("secret-and-more")).toBe(`${MASK}-and-more`);
  masker.add(["secret-and-more"]);
  expect(masker.mask("secret-and-more")).toBe(MASK);
});

test("no value survives in any text, however many there are", () => {
  const values = fc.array(
    fc.string({ minLength: 6, maxLength: 12 }).filter((s) => s.trim().length >= 6 && !MASK.includes(s)),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(values, fc.string(), (secrets, between) => {
      const masker = new Masker(6);
      masker.add(secrets);
      const [first = ""] = secrets;
      return !masker
        .mask(between + first + between)
        .replaceAll(MASK, "")
        .includes(first);
    }),
  );
  const many = new Masker(6);
  many.add(Array.from({ length: 20_000 }, (_, index) => `secret-number-${index}-`));
  const text = "nothing to see here secret-number-19999- ".repeat(2000);
  expect(many.mask(text)).not.toContain("19999");
});
