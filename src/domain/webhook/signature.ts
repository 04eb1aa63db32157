/** Secrets and signatures by the specification Standard Webhooks. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Creates a secret: 256 random bits. */
export function newWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64");
}

/** Whether a text is `whsec_` with 24 to 64 bytes as base64. */
export function isWebhookSecret(text: string): boolean {
  const body = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || body.length > MAX_BYTES * 2 || !BASE64.test(body)) return false;
  const bytes = Buffer.from(body, "base64");
  // Node ignores invalid base64; only a text that encodes back to itself was valid.
  const same = bytes.toString("base64").replace(/=+$/, "") === body.replace(/=+$/, "");
  return same && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}

/** The id of a message and the time of this attempt, in seconds. */
export interface SignedMessage {
  id: string;
  timestamp: number;
  body: string;
}

/** Returns the value of `webhook-signature`: one signature per secret, separated by blanks. */
export function signMessage({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  };
  return secrets.map(sign).join(" ");
}
