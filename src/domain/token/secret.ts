import { createHash } from "node:crypto";

const PREFIX = "hpt_";
const SECRET_BYTES = 32;

/** What is stored of a secret: enough entropy went into it that a plain SHA-256 cannot be turned around. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** A new secret: 256 random bits behind a prefix that scanners can recognise. */
export function newSecret(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}
