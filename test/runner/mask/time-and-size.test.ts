import { expect, test } from "vitest";
import { AddressBook } from "../../../src/runner/mask/address-book.ts";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

test("what is made to be slow is not: repeated characters, and an escape for each", () => {
  const masker = new Masker(6);
  masker.add([`${"a".repeat(100_000)}b`, "x\ny".repeat(2000), " and spaces "]);
  expect(masker.mask("a".repeat(20_000))).toBe(MASK);
  const escaped = JSON.stringify("x\ny".repeat(4_000));
  expect(masker.mask(escaped)).toBe(`"${MASK}"`);
  expect(masker.longest).toBeLessThanOrEqual(256);
  const other = new Masker(6);
  other.add(["secret"]);
  const times = 130_000;
  expect(other.mask(`secr\n  ${"secret ".repeat(times)}`) === `secr\n  ${`${MASK} `.repeat(times)}`).toBe(true);
});

test("many values that begin alike, and one more each time, are not slow", () => {
  const masker = new Masker(6);
  for (let value = 0; value < 2000; value += 1) {
    masker.add([`${"p".repeat(40)}${value}`]);
    masker.mask("some text");
  }
  expect(masker.mask("p".repeat(20_000))).toBe("p".repeat(20_000));
  expect(masker.mask(`${"p".repeat(50)}1999`)).toBe(`${"p".repeat(10)}${MASK}`);
});

test("a value as long as a file is known as it is, and takes nothing from others", () => {
  const masker = new Masker(6);
  masker.add(["yz".repeat(2_200_000), "another one"]);
  expect(masker.mask("yz".repeat(300))).toBe(MASK);
  expect(masker.mask(Buffer.from("yz".repeat(300)).toString("hex"))).not.toContain(MASK);
  expect(masker.mask(Buffer.from("another one").toString("hex"))).toBe(MASK);
});

test("of twenty thousand values none survives", () => {
  const many = new Masker(6);
  many.add(Array.from({ length: 20_000 }, (_, index) => `secret-number-${index}-`));
  const text = "nothing to see here secret-number-19999- ".repeat(2000);
  expect(many.mask(text)).not.toContain("19999");
});

test("masking costs about the same for ten values and for a thousand", () => {
  const masker = new Masker(6);
  masker.add(Array.from({ length: 1000 }, (_, index) => `secret-number-${index * 7919}-of-many`));
  const line = "aws_instance.web[17]: Still creating... [id=i-0abc, 10s elapsed] secret-number-79190-of-many\n";
  const masked = masker.mask(line.repeat(2000));
  expect(masked).not.toContain("79190");
  expect(masked.split(MASK).length).toBe(2001);
});

test("an address book is not slow either with what is made to be slow", () => {
  const book = new AddressBook();
  book.add(["terraform_data.database"]);
  const times = 5000;
  for (const part of ["abcdefghijkl", "abcdef-ghijk-", "abcdef.", 'abc.d["', "module.a.", '"abcdef" ', 'module "']) {
    expect(book.find(part.repeat(times), () => false)).toEqual([]);
  }
  expect(book.find("terraform_data.database.".repeat(times), () => false)).toHaveLength(times);
});

test("a line of megabytes is searched for addresses", () => {
  const book = new AddressBook();
  book.add(["terraform_data.database"]);
  const long = "x".repeat(10_000_000);
  for (const text of [long, `a.b["${long}`, `a.b["${long}"]`, `${long}.b`]) {
    expect(book.find(text, () => false)).toEqual([]);
  }
});
