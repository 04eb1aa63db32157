import { expect, test } from "vitest";
import { BadAnswer, sampleOfError } from "../../src/probing/failure-of-error.ts";

const CANARY = "canary-91b2";
const withCode = (code: unknown): Error => Object.assign(new Error(CANARY), { code });

test.each<[string, string, RegExp]>([
  ["ENOTFOUND", "NAME", /cannot be resolved\.$/],
  ["EAI_AGAIN", "NAME", /at the moment/],
  ["ECONNREFUSED", "CONNECT", /was refused/],
  ["ECONNRESET", "CONNECT", /was reset/],
  ["EPIPE", "CONNECT", /closed early/],
  ["EHOSTUNREACH", "CONNECT", /host cannot be reached/],
  ["ENETUNREACH", "CONNECT", /network cannot be reached/],
  ["EADDRNOTAVAIL", "CONNECT", /address cannot be reached/],
  ["ETIMEDOUT", "TIMEOUT", /timed out/],
  ["HPE_HEADER_OVERFLOW", "PROTOCOL", /4 KiB/],
  ["CERT_HAS_EXPIRED", "TLS", /has expired/],
  ["CERT_NOT_YET_VALID", "TLS", /not valid yet/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "TLS", /another name/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "TLS", /self-signed/],
  ["SELF_SIGNED_CERT_IN_CHAIN", "TLS", /authority/],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "TLS", /authority/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "TLS", /authority/],
  ["EPROTO", "TLS", /does not speak TLS/],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS", /could not be agreed/],
  ["ERR_TLS_HANDSHAKE_TIMEOUT", "TLS", /could not be agreed/],
  ["HPE_INVALID_CONSTANT", "PROTOCOL", /not valid HTTP/],
  ["EOTHER", "CONNECT", /connection failed/],
  ["X_HPE_ERR_SSL_ERR_TLS_", "CONNECT", /connection failed/],
])("%s is a failure of %s, in words of our own", (code, failure, words) => {
  const sample = sampleOfError(withCode(code));
  expect(sample).toMatchObject({ ok: false, failure, latencyMs: null });
  expect(sample.reason).toMatch(words);
  expect(sample.reason).not.toContain(CANARY);
});

test("the first of several errors decides", () => {
  const both = new AggregateError([withCode("ENETUNREACH"), withCode("ECONNREFUSED")]);
  expect(sampleOfError(both)).toMatchObject({ reason: "The network cannot be reached." });
});

test("an error without a code is a failed connection, and that of a probe says what is wrong", () => {
  for (const error of [new Error(CANARY), withCode(7), "ECONNREFUSED", null, new AggregateError([]), { code: "EPIPE" }])
    expect(sampleOfError(error)).toMatchObject({ failure: "CONNECT", reason: "The connection failed." });
  expect(sampleOfError(new BadAnswer("It is odd."))).toMatchObject({ failure: "PROTOCOL", reason: "It is odd." });
});
