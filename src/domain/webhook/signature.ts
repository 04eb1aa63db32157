/** Secrets and signatures by the specification Standard Webhooks. */
import { createHmac } from "node:crypto";
import { isEqualText } from "../kit/equal-text.ts";

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
  timestamp: number | string;
  body: string | Buffer;
}

/** Returns the value of `webhook-signature`: one signature per secret, separated by blanks. */
export function signMessage(message: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => signatureOf(message, keyOf(secret))).join(" ");
}

/** Whether one of the signatures of a message is by the secret. A secret without `whsec_` is itself the key. */
export function isSignedMessage(message: SignedMessage, signatures: readonly string[], secret: string): boolean {
  const wanted = signatureOf(message, keyOf(secret));
  return signatures.some((given) => isEqualText(given, wanted));
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
}

function signatureOf({ id, timestamp, body }: SignedMessage, key: Buffer): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}
