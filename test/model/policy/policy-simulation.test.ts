/** How a simulation compares the judgement of now with that of then. */
import { describe, expect, it } from "vitest";
import type { Judgement, PolicyError, PolicyFinding } from "../../../src/model/policy/evaluator.ts";
import {
  countOutcomes,
  EARLIER_JUDGEMENTS,
  judgementOf,
  outcomeOf,
  SIMULATED_JUDGEMENTS,
} from "../../../src/model/policy/policy-simulation.ts";
import { DBA } from "../../support/findings.ts";

it("tells by then and now what would change", () => {
  const rows = [null, ...EARLIER_JUDGEMENTS].map((before) =>
    [null, ...SIMULATED_JUDGEMENTS].map((after) => outcomeOf({ before, after })),
  );
  // Now: not reached, PASSED, WARNED, FAILED, ERRORED, UNKNOWN.
  const allowed = [null, "SAME", "SAME", "NEWLY_DENIED", "ERROR", "UNKNOWN"];
  const denied = [null, "NEWLY_PASSING", "NEWLY_PASSING", "SAME", "ERROR", "UNKNOWN"];
  expect(Object.fromEntries(["NONE", ...EARLIER_JUDGEMENTS].map((before, index) => [before, rows[index]]))).toEqual({
    NONE: allowed,
    PASSED: allowed,
    WARNED: allowed,
    FAILED: denied,
    ERRORED: denied,
    CANCELED: allowed,
  });
});

it("counts the plans by their outcomes", () => {
  expect(
    countOutcomes([
      { before: null, after: null, count: 1 },
      { before: null, after: "FAILED", count: 2 },
      { before: "FAILED", after: "PASSED", count: 4 },
      { before: "PASSED", after: "ERRORED", count: 8 },
      { before: "PASSED", after: "UNKNOWN", count: 16 },
      { before: "PASSED", after: "PASSED", count: 32 },
    ]),
  ).toEqual({ total: 63, done: 62, newlyDenied: 2, newlyPassing: 4, errors: 8, unknown: 16 });
  expect(countOutcomes([])).toEqual({ total: 0, done: 0, newlyDenied: 0, newlyPassing: 0, errors: 0, unknown: 0 });
});

describe("a judgement amounts to", () => {
  const found = (changes: Partial<PolicyFinding> = {}): PolicyFinding => ({
    policy: "tags",
    rule: "tags",
    level: "ADVISORY",
    stopsAutoApply: true,
    message: "",
    addresses: [],
    addressesInferred: false,
    remediation: null,
    approvers: null,
    trace: null,
    ...changes,
  });
  const of = (findings: PolicyFinding[], errors: PolicyError[] = []): Judgement => {
    return { findings, errors, passed: 0, dropped: 0, cpuMs: 0 };
  };
  const error: PolicyError = { policy: "tags", kind: "TIME", message: "It took too long." };

  it.each<[string, Judgement]>([
    ["PASSED", of([])],
    ["WARNED", of([found()])],
    ["FAILED", of([found(), found({ level: "SOFT_MANDATORY" })])],
    ["FAILED", of([found({ level: "MANDATORY" })])],
    ["FAILED", of([found({ approvers: DBA })])],
    ["ERRORED", of([found({ level: "MANDATORY" })], [error])],
  ])("%s", (expected, judgement) => {
    expect(judgementOf(judgement)).toBe(expected);
  });
});
