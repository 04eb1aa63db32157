import { hash } from "node:crypto";

const PREFIX = "hpt_";
const SECRET_BYTES = 32;

/** Returns the stored hash of a secret. With 256 bits of entropy a plain SHA-256 cannot be reversed. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** Creates a secret: 256 random bits behind a prefix that scanners can recognise. */
export function newSecret(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}
