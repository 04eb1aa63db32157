import { expect, test } from "vitest";
import { isTaken, missingRunnerText } from "../../../src/model/check/check-request.ts";

test("a runner has a request until its lease ends", () => {
  const leaseUntil = "2026-03-20T12:00:30.000Z";
  expect(isTaken({ leaseUntil }, "2026-03-20T12:00:29.999Z")).toBe(true);
  expect(isTaken({ leaseUntil }, leaseUntil)).toBe(false);
  expect(isTaken({ leaseUntil: null }, leaseUntil)).toBe(false);
});

test("a request that no runner takes has the reason and the remedy", () => {
  expect(missingRunnerText("emea", true)).toBeNull();
  expect(missingRunnerText("emea", false)).toBe(
    "No runner of the pool emea sends requests of checks. Start one with HOLDPOINT_RUNNER_CHECKS=true.",
  );
  const gone = "The runner pool that sends the request was deleted. Give the check another one.";
  expect([missingRunnerText(null, false), missingRunnerText(null, true)]).toEqual([gone, gone]);
});
