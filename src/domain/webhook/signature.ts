/** Secrets and signatures as Standard Webhooks has them. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A new secret: 256 random bits. */
export function newWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64");
}

/** Whether a text is `whsec_` with 24 to 64 bytes as base64. */
export function isWebhookSecret(text: string): boolean {
  const body = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || body.length > MAX_BYTES * 2 || !BASE64.test(body)) return false;
  const bytes = Buffer.from(body, "base64");
  // Node skips what it cannot read: only what it writes the same way again was base64.
  const same = bytes.toString("base64").replace(/=+$/, "") === body.replace(/=+$/, "");
  return same && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}

/** What identifies a message and says when this attempt was made (in seconds). */
export interface SignedMessage {
  id: string;
  timestamp: number;
  body: string;
}

/** The value of `webhook-signature`: one signature for each secret, separated by blanks. */
export function signMessage({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  };
  return secrets.map(sign).join(" ");
}
