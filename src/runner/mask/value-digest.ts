import { createHmac } from "node:crypto";

const PREFIX = "hp:";
const DIGITS = 16;

/**
 * Creates a function that replaces a sensitive text: `hp:` and 16 hexadecimal digits of its HMAC-SHA256. Equal texts stay
 * comparable under one key, and a reader without the key cannot try words.
 */
export function createValueDigest(key: string): (text: string) => string {
  return (text) => PREFIX + createHmac("sha256", key).update(text).digest("hex").slice(0, DIGITS);
}
