/** Compares the answer of a probe with what is expected. */
import { isRecord } from "../kit/is-record.ts";
import type { ProbeExpectation } from "./probe.ts";
import { failedSample, passedSample, type ProbeFailure, type ProbeSample } from "./probe-sample.ts";

/** An answer over HTTP. The body is its beginning. */
export interface ProbeAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  latencyMs: number;
}

/** A problem of an answer; `null` if it is good. Reasons hold no part of a body. */
export type AnswerProblem = { failure: ProbeFailure; reason: string } | null;

const STATUS = /^([1-5])(?:xx|\d\d)$/;
const USUAL_STATUSES = ["2xx", "3xx"];

/** Whether a text is a status or a class of them: `200`, `2xx`. */
export function isStatusPattern(text: string): boolean {
  return STATUS.test(text);
}

function matches(pattern: string, status: number): boolean {
  return pattern.endsWith("xx") ? Math.floor(status / 100) === Number(pattern[0]) : Number(pattern) === status;
}

/** Judges the status and the body of an answer to HTTP. Expressions and latency are judged after it. */
export function httpProblem(expect: ProbeExpectation, { status, body }: ProbeAnswer): AnswerProblem {
  const patterns = expect.statuses.length === 0 ? USUAL_STATUSES : expect.statuses;
  if (!patterns.some((pattern) => matches(pattern, status))) {
    return { failure: "STATUS", reason: `It answered with status ${status}; expected is ${patterns.join(", ")}.` };
  }
  return bodyProblem(expect, body);
}

/** Judges an answer to GRAPHQL: status 200 and no errors. */
export function graphqlProblem(expect: ProbeExpectation, answer: ProbeAnswer): AnswerProblem {
  if (answer.status !== 200) {
    return { failure: "STATUS", reason: `It answered with status ${answer.status}; expected is 200.` };
  }
  const result = parsed(answer.body);
  if (!isRecord(result)) return { failure: "BODY", reason: "The answer is not a JSON object of at most 64 KiB." };
  if (Array.isArray(result["errors"]) && result["errors"].length > 0) {
    return { failure: "GRAPHQL_ERRORS", reason: `The answer has ${result["errors"].length} errors.` };
  }
  if (!isRecord(result["data"])) return { failure: "BODY", reason: "The answer has no data." };
  return bodyProblem(expect, answer.body);
}

/** Judges the text that an answer must contain. */
export function bodyProblem({ bodyContains }: ProbeExpectation, body: string): AnswerProblem {
  if (bodyContains === null || body.includes(bodyContains)) return null;
  return { failure: "BODY", reason: "The answer does not contain the expected text in its first 64 KiB." };
}

/** Makes the sample of an answer that is good but for its latency, which is judged here. */
export function latencySample({ maxLatencyMs }: ProbeExpectation, latencyMs: number): ProbeSample {
  if (maxLatencyMs === null || latencyMs <= maxLatencyMs) return passedSample(latencyMs);
  return failedSample("LATENCY", `It took ${latencyMs} ms; at most ${maxLatencyMs} ms are expected.`, latencyMs);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Judges the days for which a certificate is still valid. */
export function certificateProblem({ certificateDays }: ProbeExpectation, validTo: Date, now: Date): AnswerProblem {
  if (certificateDays === null) return null;
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  if (days >= certificateDays) return null;
  return {
    failure: "CERTIFICATE_ENDS",
    reason: `The certificate is valid for ${days} more days; expected are ${certificateDays}.`,
  };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}
