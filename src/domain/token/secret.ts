import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "hpt_";
const SECRET_BYTES = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The digits of 256 bits and of 32 bits in base 62. */
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECK_DIGITS}}$`);

/** Returns the stored hash of a secret. With 256 bits of entropy a plain SHA-256 cannot be reversed. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** Returns the stored hash of a secret as text, by which look-ups are batched. */
export function hexHash(secret: string): string {
  return hash("sha256", secret, "hex");
}

/**
 * Creates a secret: a prefix that scanners can recognise, 256 random bits, and their checksum. A text of this form with
 * another checksum was never a secret of ours.
 */
export function newSecret(randomBytes: (count: number) => Uint8Array): string {
  const text = PREFIX + inBase62(BigInt(`0x${Buffer.from(randomBytes(SECRET_BYTES)).toString("hex")}`), SECRET_DIGITS);
  return text + checksum(text);
}

/**
 * Returns whether a text can be a secret. One that was chosen by hand, for the administrator, has no checksum and may be any
 * text of another length.
 */
export function canBeSecret(text: string): boolean {
  if (!FORM.test(text)) return !text.startsWith(PREFIX) || text.length !== PREFIX.length + SECRET_DIGITS + CHECK_DIGITS;
  return text.endsWith(checksum(text.slice(0, -CHECK_DIGITS)));
}

/** In numbers: each request checks its token, and arithmetic of BigInt takes four times as long. */
function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < CHECK_DIGITS; rest = Math.trunc(rest / 62)) {
    digits = DIGITS.charAt(rest % 62) + digits;
  }
  return digits;
}

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text;
}
