import { expect, test } from "vitest";
import {
  DEFAULT_VERIFICATION,
  type VerificationSettings,
  verificationProblems,
} from "../../../src/model/workspace/verification-settings.ts";

test("the default verifies a healthy service within 35 s", () => {
  const { initialDelaySeconds, intervalSeconds, successesInARow } = DEFAULT_VERIFICATION;
  expect(verificationProblems(DEFAULT_VERIFICATION)).toEqual([]);
  expect(initialDelaySeconds + (successesInARow - 1) * intervalSeconds).toBeLessThanOrEqual(35);
});

test.each<[Partial<VerificationSettings>, string, RegExp]>([
  [{ windowSeconds: 29, intervalSeconds: 1 }, "windowSeconds", /from 30 to 3600, not 29/],
  [{ windowSeconds: 3601 }, "windowSeconds", /from 30 to 3600/],
  [{ intervalSeconds: 0 }, "intervalSeconds", /from 1 to 600/],
  [{ initialDelaySeconds: -1 }, "initialDelaySeconds", /from 0 to 3600/],
  [{ successesInARow: 21 }, "successesInARow", /from 1 to 20/],
  [{ failFastAfter: 0 }, "failFastAfter", /from 1 to 100/],
  [
    { windowSeconds: 89, intervalSeconds: 30 },
    "windowSeconds",
    /at least intervalSeconds × successesInARow, which is 90, not 89/,
  ],
])("%j", (changes, field, message) => {
  expect(verificationProblems({ ...DEFAULT_VERIFICATION, ...changes })).toEqual([
    { field, message: expect.stringMatching(message) },
  ]);
});
