/**
 * The ways in which a probe fails. LATENCY and CERTIFICATE_ENDS: the target works, but not well. UNRESOLVED: the target is
 * not known, for example because an output is missing. NO_PROBER: nothing was tried.
 */
export const PROBE_FAILURES = [
  "UNRESOLVED",
  "NO_PROBER",
  "ADDRESS_REFUSED",
  "NAME",
  "CONNECT",
  "TIMEOUT",
  "TLS",
  "PROTOCOL",
  "STATUS",
  "BODY",
  "GRAPHQL_ERRORS",
  "EXPRESSION",
  "LATENCY",
  "CERTIFICATE_ENDS",
  "COMMAND",
  "CHECKS",
  "EXTERNAL",
] as const;
export type ProbeFailure = (typeof PROBE_FAILURES)[number];

/** The result of one attempt. It never holds a part of an answer, nor a secret. */
export interface ProbeSample {
  ok: boolean;
  /** `null` if there was no whole answer. */
  latencyMs: number | null;
  /** `null` if `ok`. */
  failure: ProbeFailure | null;
  /** One sentence for people; `null` if `ok`. */
  reason: string | null;
}

/** Whether nothing was found out about the target. */
export function isInconclusive(failure: ProbeFailure | null): boolean {
  return failure === "UNRESOLVED" || failure === "NO_PROBER";
}

export function passedSample(latencyMs: number): ProbeSample {
  return { ok: true, latencyMs, failure: null, reason: null };
}

export function failedSample(failure: ProbeFailure, reason: string, latencyMs: number | null = null): ProbeSample {
  return { ok: false, latencyMs, failure, reason };
}
