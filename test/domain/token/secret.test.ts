import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { canBeSecret, hashSecret, hexHash, newSecret } from "../../../src/domain/token/secret.ts";

test("a secret has a prefix, 256 bits and a checksum, in letters and digits", () => {
  const secret = newSecret((count) => new Uint8Array(count).fill(255));
  expect(secret).toMatch(/^hpt_[0-9A-Za-z]{49}$/);
  expect(newSecret((count) => new Uint8Array(count))).toMatch(/^hpt_0{43}[0-9A-Za-z]{6}$/);
  expect(canBeSecret(secret)).toBe(true);
});

test("a text of that form with another checksum is no secret, whatever differs in it", () => {
  for (let round = 0; round < 20; round += 1) {
    const secret = newSecret(randomBytes);
    expect(canBeSecret(secret)).toBe(true);
    for (let at = 4; at < secret.length; at += 1) {
      const other = secret.charAt(at) === "x" ? "y" : "x";
      expect(canBeSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  }
  expect(canBeSecret(`hpt_${"-".repeat(49)}`)).toBe(false);
});

test.each([
  ["a secret from before the checksum", `hpt_${"a".repeat(43)}`],
  ["one that was chosen by hand", "t".repeat(32)],
  ["one of another kind", `hpr_${"a".repeat(49)}`],
])("%s has no checksum", (_name, text) => {
  expect(canBeSecret(text)).toBe(true);
});

test("the checksum is the CRC-32 of the text in base 62, so that tokens stay valid over releases", () => {
  expect(newSecret((count) => new Uint8Array(count))).toBe(`hpt_${"0".repeat(43)}1LLc66`);
  expect(newSecret((count) => new Uint8Array(count).fill(255))).toBe(
    "hpt_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp149d3Qw",
  );
});

test("what is stored of a secret is its SHA-256", () => {
  const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(hexHash("abc")).toBe(hash);
  expect(hashSecret("abc").toString("hex")).toBe(hash);
});
