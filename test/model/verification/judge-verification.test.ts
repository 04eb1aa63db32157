import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CheckAnswer, judgeVerification } from "../../../src/model/verification/judge-verification.ts";
import { newProgress, type ProbeProgress, withSample } from "../../../src/model/verification/verification.ts";
import { DEFAULT_VERIFICATION } from "../../../src/model/workspace/verification-settings.ts";
import { failedSample, passedSample, type ProbeSample } from "../../../src/model/probe/probe-sample.ts";

const START = Date.parse("2026-03-01T00:00:00.000Z");
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const ENDS = at(300);
const PASS = passedSample(3);
const FAIL = failedSample("STATUS", "It answered with status 500.");
const UNRESOLVED = failedSample("UNRESOLVED", 'There is no output "url".');

function fresh(name: string, weight: ProbeProgress["weight"] = "REQUIRED"): ProbeProgress {
  return newProgress({ name, target: 0, weight, from: "SERVER", resolvedTarget: "https://a.test/" });
}

/** The progress after samples every ten seconds, the first one at `from`. */
function after(samples: readonly ProbeSample[], { from = 10, name = "web", weight = "REQUIRED" as const } = {}) {
  return samples.reduce(
    (progress, sample, n) =>
      withSample(progress, sample, { at: at(from + n * 10), settings: DEFAULT_VERIFICATION, expectGone: false }),
    fresh(name, weight),
  );
}

function judge(
  probes: readonly ProbeProgress[],
  seconds: number,
  {
    checks = [],
    failFastAfter = null,
    missingProber = null,
    changedProbe = null,
  }: {
    checks?: CheckAnswer[];
    failFastAfter?: number | null;
    missingProber?: string | null;
    changedProbe?: string | null;
  } = {},
) {
  const settings = { ...DEFAULT_VERIFICATION, failFastAfter };
  return judgeVerification({ settings, probes, checks, at: at(seconds), endsAt: ENDS, missingProber, changedProbe });
}

const check = (more: Partial<CheckAnswer>): CheckAnswer => {
  return { name: "smoke", open: false, level: "MANDATORY", failure: null, message: null, ...more };
};

describe("a required probe that was changed", () => {
  const changedProbe = "The required probe web was removed since the apply.";
  const green = after([PASS, PASS, PASS]);

  test("leaves no result, however green the others are", () => {
    const verdict = { verdict: "INCONCLUSIVE", reason: changedProbe, needsPerson: true };
    expect(judge([green], 30, { changedProbe })).toEqual(verdict);
    expect(judge([], 30, { changedProbe })).toEqual(verdict);
    expect(judge([green], 310, { changedProbe })).toEqual(verdict);
  });

  test("does not undo a failure", () => {
    const red = after([FAIL, FAIL]);
    expect(judge([red], 30, { changedProbe, failFastAfter: 2 }).verdict).toBe("FAILED");
    expect(judge([green], 30, { changedProbe, checks: [check({ failure: "MANDATORY" })] }).verdict).toBe("FAILED");
  });
});

describe("required probes", () => {
  test("pass after three passes in a row", () => {
    expect(judge([after([PASS, PASS])], 20).verdict).toBe("CONTINUE");
    expect(judge([after([PASS, PASS, PASS])], 30)).toEqual({ verdict: "PASSED" });
    expect(judge([after([PASS, PASS, FAIL, PASS])], 40).verdict).toBe("CONTINUE");
  });

  test("must all pass at the same time", () => {
    const web = after([PASS, PASS, PASS]);
    const shop = after([PASS, PASS, PASS, FAIL], { name: "shop" });
    expect(judge([web, shop], 40).verdict).toBe("CONTINUE");
    expect(judge([web, after([FAIL, PASS, PASS, PASS], { name: "shop" })], 40).verdict).toBe("PASSED");
  });

  test("that passed long ago do not pass now", () => {
    expect(judge([after([PASS, PASS, PASS])], 61).verdict).toBe("CONTINUE");
    const rested = withSample(after([PASS, PASS]), PASS, {
      at: at(120),
      settings: DEFAULT_VERIFICATION,
      expectGone: false,
    });
    expect(rested.passesInARow).toBe(1);
  });

  test("that fail at the end of the window fail it, with the reason", () => {
    const failing = after(Array.from({ length: 29 }, () => FAIL));
    expect(judge([failing], 299).verdict).toBe("CONTINUE");
    expect(judge([failing], 300)).toEqual({
      verdict: "FAILED",
      reason: "The probe web does not pass. It answered with status 500.",
    });
  });

  test("fail it early after so many failures in a row", () => {
    expect(judge([after([FAIL, FAIL])], 20, { failFastAfter: 3 }).verdict).toBe("CONTINUE");
    expect(judge([after([FAIL, FAIL, PASS, FAIL])], 40, { failFastAfter: 3 }).verdict).toBe("CONTINUE");
    expect(judge([after([FAIL, FAIL, FAIL])], 30, { failFastAfter: 3 }).verdict).toBe("FAILED");
  });
});

describe("a verification is inconclusive", () => {
  test.each([
    ["no prober was there", fresh("web"), /never sent/],
    ["an output is missing", after(Array.from({ length: 29 }, () => UNRESOLVED)), /no output "url"/],
    ["there are too few samples", after([FAIL, FAIL], { from: 270 }), /has 2 results/],
    ["the prober left while it was red", after([FAIL, FAIL, FAIL, FAIL]), /has 4 results/],
    ["the prober left while it was green", after([PASS, PASS]), /has 2 results/],
  ])("where %s", (_name, progress, reason) => {
    expect(judge([progress], 300)).toEqual({ verdict: "INCONCLUSIVE", reason: expect.stringMatching(reason) });
  });

  test("only if nothing else is seen to be bad", () => {
    const failing = after(Array.from({ length: 29 }, () => FAIL));
    expect(judge([fresh("shop"), failing], 300).verdict).toBe("FAILED");
  });
});

test("informational probes decide nothing", () => {
  const shown = after([FAIL, FAIL, FAIL], { weight: "INFORMATIONAL" as never });
  expect(judge([shown, after([PASS, PASS, PASS], { name: "shop" })], 30)).toEqual({ verdict: "PASSED" });
  expect(judge([shown], 30)).toEqual({ verdict: "PASSED" });
  expect(judge([{ ...shown, attempts: 2 }], 20).verdict).toBe("CONTINUE");
  expect(judge([fresh("web", "INFORMATIONAL")], 300)).toEqual({ verdict: "PASSED" });
});

describe("an external check", () => {
  test("at the level MANDATORY fails it at once", () => {
    const failed = check({ failure: "MANDATORY", message: "2 of 9 failed" });
    expect(judge([fresh("web")], 10, { checks: [failed] })).toEqual({
      verdict: "FAILED",
      reason: "The check smoke failed. 2 of 9 failed",
    });
  });

  test("at the level SOFT_MANDATORY asks for a judgement, once the probes pass", () => {
    const checks = [check({ level: "SOFT_MANDATORY", failure: "SOFT_MANDATORY" })];
    expect(judge([after([PASS, PASS])], 20, { checks }).verdict).toBe("CONTINUE");
    expect(judge([after([PASS, PASS, PASS])], 30, { checks })).toEqual({
      verdict: "INCONCLUSIVE",
      reason: "The check smoke asks for a judgement.",
    });
  });

  test("is awaited, also after the window; one that advises is not", () => {
    expect(judge([], 400, { checks: [check({ open: true })] }).verdict).toBe("CONTINUE");
    expect(judge([], 10, { checks: [check({ open: true, level: "ADVISORY" })] })).toEqual({ verdict: "PASSED" });
    expect(judge([], 10, { checks: [check({ level: "ADVISORY", failure: "ADVISORY" })] })).toEqual({
      verdict: "PASSED",
    });
  });
});

test("targets that must be gone pass by not answering well", () => {
  const gone = { at: at(10), settings: DEFAULT_VERIFICATION, expectGone: true };
  expect(withSample(fresh("web"), FAIL, gone)).toMatchObject({ passesInARow: 1, lastFailure: null });
  expect(withSample(fresh("web"), PASS, gone)).toMatchObject({
    passesInARow: 0,
    failuresInARow: 1,
    lastFailure: "The target still answers.",
  });
  expect(withSample(fresh("web"), UNRESOLVED, gone)).toMatchObject({
    passesInARow: 0,
    failuresInARow: 0,
    unknown: true,
  });
});

test("whatever is sampled: it never fails for what was not seen, and never passes without its passes", () => {
  const sample = fc.constantFrom(PASS, FAIL, UNRESOLVED, null);
  fc.assert(
    fc.property(
      fc.array(fc.array(sample, { maxLength: 31 }), { minLength: 1, maxLength: 3 }),
      fc.nat({ max: 310 }),
      (all, now) => {
        const probes = all.map((samples, index) =>
          samples.reduce<ProbeProgress>(
            (progress, one, n) => {
              const seconds = n * 10;
              if (one === null || seconds > Math.min(now, 300)) return progress;
              return withSample(progress, one, { at: at(seconds), settings: DEFAULT_VERIFICATION, expectGone: false });
            },
            fresh(`p${index}`),
          ),
        );
        const { verdict } = judge(probes, now);
        if (verdict === "PASSED") for (const { passesInARow } of probes) expect(passesInARow).toBeGreaterThanOrEqual(3);
        if (verdict === "FAILED")
          expect(probes.some(({ lastFailure, samples }) => lastFailure !== null && samples >= 3)).toBe(true);
        if (now >= 300) expect(verdict).not.toBe("CONTINUE");
      },
    ),
    { numRuns: 1000 },
  );
});

describe("a result that cannot change any more", () => {
  const final = (sample: ProbeSample) => ({ ...after([sample]), final: true });

  test("counts at once, and for ever", () => {
    expect(judge([final(PASS)], 10)).toEqual({ verdict: "PASSED" });
    expect(judge([final(PASS)], 290)).toEqual({ verdict: "PASSED" });
    expect(judge([final(FAIL)], 10)).toMatchObject({ verdict: "FAILED" });
    expect(judge([{ ...final(PASS), passesInARow: 0 }], 10).verdict).toBe("CONTINUE");
  });

  test("shows an informational probe with one attempt", () => {
    const shown = { ...after([FAIL], { weight: "INFORMATIONAL" as never }), final: true };
    expect(judge([shown], 10)).toEqual({ verdict: "PASSED" });
    expect(judge([{ ...shown, final: false }], 10).verdict).toBe("CONTINUE");
    // Beside required ones it is shown as far as it is.
    const started = { ...after([FAIL], { weight: "INFORMATIONAL" as never, name: "shop" }) };
    expect(judge([started, after([PASS, PASS, PASS])], 30)).toEqual({ verdict: "PASSED" });
  });
});

describe("without a result the reason", () => {
  const reasonOf = (progress: ProbeProgress, missingProber: string | null = null) => {
    const judged = judge([progress], 300, { missingProber });
    return "reason" in judged ? judged.reason : null;
  };
  const ofRunners = (progress: ProbeProgress): ProbeProgress => ({ ...progress, from: "RUNNERS" });
  const NO_RUNNER = "No runner sends probes.";

  test("of a probe that was never sent is that no one sent it", () => {
    expect(reasonOf(fresh("web"))).toBe("The probe web was never sent. No prober was there.");
    expect(reasonOf(fresh("web"), NO_RUNNER)).toBe("The probe web was never sent. No prober was there.");
    expect(reasonOf(ofRunners(fresh("web")))).toBe("The probe web was never sent. No prober was there.");
    expect(reasonOf(ofRunners(fresh("web")), NO_RUNNER)).toBe("The probe web was never sent. No runner sends probes.");
  });

  test("of one with too few samples counts them", () => {
    const few = "The probe web has 2 results of this window; 3 recent ones are needed.";
    const seen = after([PASS, PASS]);
    expect(reasonOf(seen)).toBe(few);
    expect(reasonOf(seen, NO_RUNNER)).toBe(few);
    expect(reasonOf(ofRunners(seen), NO_RUNNER)).toBe(`${few} ${NO_RUNNER}`);
  });

  test("has no white space at its end where nothing is known", () => {
    expect(reasonOf({ ...fresh("web"), unknown: true })).toBe("Nothing is known about the probe web.");
    expect(judge([{ ...fresh("web"), failuresInARow: 3 }], 10, { failFastAfter: 3 })).toEqual({
      verdict: "FAILED",
      reason: "The probe web does not pass.",
    });
  });

  test("is none of a failure where the last samples passed", () => {
    const late = after([PASS, PASS, PASS], { from: 280 });
    expect(judge([{ ...late, passesInARow: 2 }], 300).verdict).toBe("INCONCLUSIVE");
  });

  test("at the end is that of a failure with just enough samples", () => {
    expect(judge([after([FAIL, FAIL, FAIL], { from: 280 })], 300).verdict).toBe("FAILED");
  });
});

test("a check that failed softly says so, with its message", () => {
  const checks = [check({ level: "SOFT_MANDATORY", failure: "SOFT_MANDATORY", message: "Look." })];
  expect(judge([after([PASS, PASS, PASS])], 30, { checks })).toMatchObject({
    reason: "The check smoke asks for a judgement. Look.",
  });
});

test("a sample counts for three intervals, and for 30 s at least", () => {
  const passes = (intervalSeconds: number, seconds: number): number => {
    const settings = { ...DEFAULT_VERIFICATION, intervalSeconds };
    const once = withSample(fresh("web"), PASS, { at: at(0), settings, expectGone: false });
    return withSample(once, PASS, { at: at(seconds), settings, expectGone: false }).passesInARow;
  };
  expect([passes(10, 30), passes(10, 31), passes(1, 30), passes(1, 31), passes(60, 180), passes(60, 181)]).toEqual([
    2, 1, 2, 1, 2, 1,
  ]);
  expect(fresh("web")).toMatchObject({ unknown: false, lastFailure: null, baseline: null, sampledAt: null });
});
