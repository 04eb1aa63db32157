/** How well reasons are found in messages that engines and providers really wrote. */
import { describe, expect, test } from "vitest";
import { reasonOf } from "../../../src/model/lifecycle/failure-classification.ts";
import type { FailureReason } from "../../../src/model/lifecycle/failure-reason.ts";
import { FAILURE_CORPUS } from "../../support/failure-corpus.ts";

const found = FAILURE_CORPUS.map((message) => ({ ...message, found: reasonOf([message], message.engine ?? null) }));

/** What loose words would make of a message. */
const LOOSE: [words: RegExp, reasons: readonly FailureReason[]][] = [
  [/network/i, ["NETWORK", "REGISTRY_UNREACHABLE"]],
  [/quota|limit/i, ["QUOTA_EXCEEDED", "RATE_LIMITED"]],
  [/time-?out/i, ["TIMED_OUT_WAITING", "STARTUP", "NETWORK", "REGISTRY_UNREACHABLE"]],
  [/den(?:y|ied)|forbidden|unauthori/i, ["PERMISSION_DENIED", "CREDENTIALS_INVALID"]],
  [/throttl/i, ["RATE_LIMITED"]],
];
const named = found.filter(({ summary, detail, address = "", reason }) => {
  const text = `${summary} ${detail} ${address}`;
  return LOOSE.some(([words, reasons]) => words.test(text) && (reason === null || !reasons.includes(reason)));
});

describe("the corpus", () => {
  test("is large enough, and has messages that are only called so", () => {
    expect(FAILURE_CORPUS.length).toBeGreaterThanOrEqual(150);
    expect(named.length).toBeGreaterThanOrEqual(30);
  });

  test("is recognised: precision of 98 % at least, recall of 80 % at least", () => {
    const claimed = found.filter((message) => message.found !== null);
    const right = claimed.filter((message) => message.found === message.reason);
    const meant = found.filter(({ reason }) => reason !== null);
    const wrong = claimed.filter((message) => message.found !== message.reason);
    expect(right.length / claimed.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(0.98);
    expect(right.length / meant.length).toBeGreaterThanOrEqual(0.8);
  });

  test("has no message whose words alone gave a reason", () => {
    const misled = named.filter(({ summary, detail, address = "", ...message }) => {
      const text = `${summary} ${detail} ${address}`;
      return LOOSE.some(([words, reasons]) => {
        return (
          words.test(text) && message.found !== message.reason && reasons.some((reason) => reason === message.found)
        );
      });
    });
    expect(misled).toEqual([]);
  });
});
