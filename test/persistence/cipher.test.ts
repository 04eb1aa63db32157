import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCipher } from "../../src/persistence/installation/cipher.ts";

const KEY = Buffer.alloc(32, 7);
const OWNER = "run/run_1/variables";
const cipher = createCipher(KEY);
const plain = Buffer.from("swordfish");

test("what was sealed opens, also under a cipher that was made anew", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, owner) => {
      const opened = createCipher(KEY).open(cipher.seal(bytes, owner), owner);
      expect(opened.equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

test("sealing twice gives other bytes, and none of them in clear", () => {
  const [one, two] = [cipher.seal(plain, OWNER), cipher.seal(plain, OWNER)];
  expect(one.equals(two)).toBe(false);
  expect(one.includes(plain)).toBe(false);
});

test("every changed byte is noticed, and so is every lost one", () => {
  const sealed = cipher.seal(plain, OWNER);
  for (let index = 0; index < sealed.length; index++) {
    const tampered = Buffer.from(sealed);
    tampered[index] = (tampered[index] ?? 0) ^ 1;
    expect(() => cipher.open(tampered, OWNER), `byte ${index}`).toThrow();
    expect(() => cipher.open(sealed.subarray(0, index), OWNER), `the first ${index} bytes`).toThrow();
  }
});

test("another owner and another key open nothing", () => {
  const sealed = cipher.seal(plain, OWNER);
  expect(() => cipher.open(sealed, "run/run_2/variables")).toThrow();
  expect(() => createCipher(Buffer.alloc(32, 8)).open(sealed, OWNER)).toThrow();
});

test("a key has 32 bytes", () => {
  for (const length of [0, 16, 31, 33]) expect(() => createCipher(Buffer.alloc(length))).toThrow("32 bytes");
});

test("a digest depends on the key, the purpose and the text", () => {
  const digest = cipher.mac("job", "job_1").toString("hex");
  expect(createCipher(KEY).mac("job", "job_1").toString("hex")).toBe(digest);
  const others = [
    cipher.mac("job", "job_2"),
    cipher.mac("key-check", "job_1"),
    createCipher(randomBytes(32)).mac("job", "job_1"),
  ].map((other) => other.toString("hex"));
  expect(new Set([digest, ...others]).size).toBe(4);
});
