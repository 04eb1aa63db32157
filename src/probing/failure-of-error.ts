/** Finds the failure of a probe from what was thrown. Texts are our own: those of others may hold parts of an answer. */
import { failedSample, type ProbeFailure, type ProbeSample } from "../model/probe/probe-sample.ts";
import { TargetRefused } from "../network/guarded-lookup.ts";

/** The answer breaks the rules of its protocol, or of probes. */
export class BadAnswer extends Error {}

const REFUSED = "The address may not be probed from here.";

const FAILURE_OF_CODE: Readonly<Record<string, readonly [ProbeFailure, string]>> = {
  ENOTFOUND: ["NAME", "The name of the host cannot be resolved."],
  EAI_AGAIN: ["NAME", "The name of the host cannot be resolved at the moment."],
  ECONNREFUSED: ["CONNECT", "The connection was refused."],
  ECONNRESET: ["CONNECT", "The connection was reset."],
  EPIPE: ["CONNECT", "The connection was closed early."],
  EHOSTUNREACH: ["CONNECT", "The host cannot be reached."],
  ENETUNREACH: ["CONNECT", "The network cannot be reached."],
  EADDRNOTAVAIL: ["CONNECT", "The address cannot be reached."],
  ETIMEDOUT: ["TIMEOUT", "The connection timed out."],
  HPE_HEADER_OVERFLOW: ["PROTOCOL", "The head of the answer has more than 4 KiB."],
  CERT_HAS_EXPIRED: ["TLS", "The certificate has expired."],
  CERT_NOT_YET_VALID: ["TLS", "The certificate is not valid yet."],
  ERR_TLS_CERT_ALTNAME_INVALID: ["TLS", "The certificate is for another name."],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["TLS", "The certificate is self-signed."],
  SELF_SIGNED_CERT_IN_CHAIN: ["TLS", "The certificate comes from an authority that is not known."],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["TLS", "The certificate comes from an authority that is not known."],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["TLS", "The certificate comes from an authority that is not known."],
  EPROTO: ["TLS", "The other side does not speak TLS."],
};

/** Returns the sample of an attempt that threw. */
export function sampleOfError(error: unknown): ProbeSample {
  if (error instanceof TargetRefused) return failedSample("ADDRESS_REFUSED", REFUSED);
  if (error instanceof BadAnswer) return failedSample("PROTOCOL", error.message);
  const code = codeOf(error);
  const known = FAILURE_OF_CODE[code];
  if (known !== undefined) return failedSample(...known);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
    return failedSample("TLS", "TLS could not be agreed.");
  if (code.startsWith("HPE_")) return failedSample("PROTOCOL", "The answer is not valid HTTP.");
  return failedSample("CONNECT", "The connection failed.");
}

/** A name with several addresses fails with one error for each; the first decides. */
function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error) || !("code" in first)) return "";
  return typeof first.code === "string" ? first.code : "";
}
