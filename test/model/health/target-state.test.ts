import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HEALTH_LIMITS } from "../../../src/model/health/health-limits.ts";
import {
  type CountedSample,
  gradeOf,
  isSameState,
  NEW_TARGET,
  nextSample,
  reasonOfTarget,
  statusOfTarget,
  type TargetState,
  type TargetStanding,
  withoutTrend,
  withTargetSample,
} from "../../../src/model/health/target-state.ts";

const GOOD: CountedSample = { ok: true, failure: null, reason: null };
const BAD: CountedSample = { ok: false, failure: "CONNECT", reason: "The connection was refused." };
const SLOW: CountedSample = { ok: false, failure: "LATENCY", reason: "It took 900 ms; at most 500 ms are expected." };
const ENDING: CountedSample = { ok: false, failure: "CERTIFICATE_ENDS", reason: "It is valid for 2 more days." };
const BLIND: CountedSample = { ok: false, failure: "ADDRESS_REFUSED", reason: "It may not be probed from here." };

const after = (...samples: CountedSample[]): TargetState => samples.reduce(withTargetSample, NEW_TARGET);
const UP = after(GOOD, GOOD, GOOD);
const DOWN = after(BAD, BAD, BAD);

describe("a target", () => {
  test("is down after three bad samples in a row, and not before", () => {
    expect(statusOfTarget(UP)).toBe("HEALTHY");
    expect(statusOfTarget([BAD, BAD].reduce(withTargetSample, UP))).toBe("HEALTHY");
    expect(statusOfTarget([BAD, BAD, BAD].reduce(withTargetSample, UP))).toBe("UNREACHABLE");
    expect(statusOfTarget([BAD, BAD, GOOD, BAD, BAD].reduce(withTargetSample, UP))).toBe("HEALTHY");
  });

  test("is up again after two good samples in a row", () => {
    expect(statusOfTarget(withTargetSample(DOWN, GOOD))).toBe("UNREACHABLE");
    expect(statusOfTarget([GOOD, BAD, GOOD].reduce(withTargetSample, DOWN))).toBe("UNREACHABLE");
    expect(statusOfTarget([GOOD, GOOD].reduce(withTargetSample, DOWN))).toBe("HEALTHY");
  });

  test("has nothing against it that no sample has shown", () => {
    expect(after(BAD)).toMatchObject({ slow: false, certificateEnds: false, samples: 1, badInARow: 1 });
  });

  test("is healthy only after three samples", () => {
    expect(statusOfTarget(after(GOOD, GOOD))).toBe("UNKNOWN");
    expect(statusOfTarget(after(GOOD, GOOD, GOOD))).toBe("HEALTHY");
  });

  test("that is slow three times is degraded, until two answers are quick", () => {
    expect(statusOfTarget([SLOW, SLOW].reduce(withTargetSample, UP))).toBe("HEALTHY");
    const slow = [SLOW, SLOW, SLOW].reduce(withTargetSample, UP);
    expect([statusOfTarget(slow), reasonOfTarget(slow)]).toEqual(["DEGRADED", SLOW.reason]);
    expect(statusOfTarget(withTargetSample(slow, GOOD))).toBe("DEGRADED");
    expect(statusOfTarget([GOOD, GOOD].reduce(withTargetSample, slow))).toBe("HEALTHY");
    // Slow answers are answers.
    expect([SLOW, SLOW].reduce(withTargetSample, DOWN).standing).toBe("UP");
  });

  test("whose certificate ends soon is degraded at once", () => {
    expect(statusOfTarget(withTargetSample(UP, ENDING))).toBe("DEGRADED");
    expect(statusOfTarget(withTargetSample(withTargetSample(UP, ENDING), GOOD))).toBe("HEALTHY");
  });

  test("whose certificate ends soon says nothing about its latency", () => {
    const slow = [SLOW, SLOW, SLOW, ENDING, ENDING].reduce(withTargetSample, UP);
    expect(statusOfTarget(withTargetSample(slow, GOOD))).toBe("DEGRADED");
    expect(statusOfTarget([GOOD, GOOD].reduce(withTargetSample, slow))).toBe("HEALTHY");
  });

  test("that is down is not slow as well, and judged anew once it is up", () => {
    const poor = [SLOW, SLOW, SLOW, ENDING, BAD, BAD, BAD].reduce(withTargetSample, UP);
    expect(poor).toMatchObject({ standing: "DOWN", slow: false, certificateEnds: false });
    expect(statusOfTarget([SLOW, SLOW].reduce(withTargetSample, poor))).toBe("HEALTHY");
  });

  test("that may not be probed is unknown, never down", () => {
    const blind = Array.from({ length: 20 }, () => BLIND).reduce(withTargetSample, UP);
    expect([statusOfTarget(blind), reasonOfTarget(blind)]).toEqual(["UNKNOWN", BLIND.reason]);
    expect(statusOfTarget([BLIND, BLIND].reduce(withTargetSample, UP))).toBe("HEALTHY");
    expect([BAD, BLIND, BLIND, BAD].reduce(withTargetSample, UP).standing).toBe("UP");
  });

  test("forgets what points to a change, and nothing else", () => {
    const shaky = [BAD, BAD].reduce(withTargetSample, UP);
    expect(withTargetSample(withoutTrend(shaky), BAD).standing).toBe("UP");
    const rising = withTargetSample(DOWN, GOOD);
    expect(withTargetSample(withoutTrend(rising), GOOD).standing).toBe("DOWN");
    expect(withoutTrend(DOWN).badInARow).toBe(DOWN.badInARow);
  });

  test("keeps the text of a failure that goes on, so that nothing is written", () => {
    const slower = { ...SLOW, reason: "It took 901 ms; at most 500 ms are expected." };
    const slow = [SLOW, SLOW, SLOW, SLOW].reduce(withTargetSample, UP);
    expect(isSameState(slow, withTargetSample(slow, slower))).toBe(true);
    const down = Array.from({ length: 20 }, () => BAD).reduce(withTargetSample, UP);
    expect(isSameState(down, withTargetSample(down, BAD))).toBe(true);
    expect(isSameState(UP, withTargetSample(UP, GOOD))).toBe(true);
  });
});

describe("the reason of a target", () => {
  const silent = (sample: CountedSample): CountedSample => ({ ...sample, reason: null });

  test("is none while it is healthy, also if a sample was bad", () => {
    expect(reasonOfTarget(UP)).toBeNull();
    expect(reasonOfTarget(withTargetSample(UP, BAD))).toBeNull();
  });

  test("is that of the sample", () => {
    expect(reasonOfTarget(DOWN)).toBe(BAD.reason);
    expect(reasonOfTarget(withTargetSample(UP, ENDING))).toBe(ENDING.reason);
    expect(reasonOfTarget(after(BAD))).toBe(BAD.reason);
  });

  test("is one sentence where no sample has one", () => {
    expect(reasonOfTarget(NEW_TARGET)).toBe("It has too few results so far.");
    expect(reasonOfTarget([GOOD].reduce(withTargetSample, DOWN))).toBe("It did not answer well.");
    const slow = [SLOW, SLOW, SLOW].reduce(withTargetSample, UP);
    expect(reasonOfTarget(withTargetSample(slow, GOOD))).toBe("It was slow lately.");
    expect(reasonOfTarget(withTargetSample(UP, silent(ENDING)))).toBe("Its certificate ends soon.");
  });
});

test.each<[CountedSample["failure"], string]>([
  [null, "GOOD"],
  ["LATENCY", "GOOD"],
  ["CERTIFICATE_ENDS", "GOOD"],
  ["UNRESOLVED", "BLIND"],
  ["NO_PROBER", "BLIND"],
  ["ADDRESS_REFUSED", "BLIND"],
  ["CONNECT", "BAD"],
  ["STATUS", "BAD"],
])("the failure %s is %s", (failure, grade) => {
  expect(gradeOf({ ok: failure === null, failure })).toBe(grade);
});

test("states differ if one of their fields does", () => {
  const others: { [Field in keyof TargetState]: TargetState[Field] } = {
    standing: "DOWN",
    samples: 9,
    badInARow: 9,
    goodInARow: 9,
    blindInARow: 9,
    slowInARow: 9,
    fastInARow: 9,
    openInARow: 9,
    slow: true,
    certificateEnds: true,
    failure: "CONNECT",
    reason: "Other.",
  };
  for (const [field, value] of Object.entries(others)) {
    expect([field, isSameState(UP, { ...UP, [field]: value })]).toEqual([field, false]);
  }
  expect(isSameState(UP, { ...UP })).toBe(true);
});

describe("the next sample", () => {
  const quick = { type: "QUICK", afterMs: 5000 };
  const regular = { type: "REGULAR", intervalMs: 30_000 };

  test("comes soon, to confirm a change", () => {
    expect(nextSample(UP, 30_000)).toEqual(regular);
    expect(nextSample(withTargetSample(UP, BAD), 30_000)).toEqual(quick);
    expect(nextSample(DOWN, 30_000)).toEqual(regular);
    expect(nextSample(withTargetSample(DOWN, GOOD), 30_000)).toEqual(quick);
    expect(nextSample(withTargetSample(UP, SLOW), 30_000)).toEqual(quick);
    expect(nextSample(after(GOOD), 30_000)).toEqual(quick);
  });

  test("comes soon for a slow target that answers quickly, and only then", () => {
    const slow = [SLOW, SLOW, SLOW, SLOW].reduce(withTargetSample, UP);
    expect(nextSample(slow, 30_000)).toEqual(regular);
    expect(nextSample(withTargetSample(slow, GOOD), 30_000)).toEqual(quick);
  });

  test("comes at its interval where nothing was found out, or nothing can be confirmed", () => {
    expect(nextSample(after(BLIND), 30_000)).toEqual(regular);
    const mixed = after(GOOD, BAD, GOOD);
    expect([statusOfTarget(mixed), nextSample(mixed, 30_000)]).toEqual(["UNKNOWN", regular]);
  });

  test("does not come sooner than its interval", () => {
    expect(nextSample(withTargetSample(UP, BAD), 5000)).toEqual({ type: "REGULAR", intervalMs: 5000 });
    expect(nextSample(withTargetSample(UP, BAD), 5001)).toEqual(quick);
  });

  test("comes soon again for a change that begins where another is confirmed", () => {
    const up = [SLOW, SLOW].reduce(withTargetSample, DOWN);
    expect(up.standing).toBe("UP");
    expect(nextSample([BAD, BAD].reduce(withTargetSample, up), 30_000)).toEqual(quick);
  });

  test("comes soon for the first three samples alone, whatever they show", () => {
    expect(nextSample(after(GOOD, SLOW, SLOW), 30_000)).toEqual(quick);
    expect(nextSample(after(GOOD, SLOW, SLOW, BAD), 30_000)).toEqual(regular);
  });

  test("comes half as often after ten failures", () => {
    const downFor = (count: number): TargetState =>
      Array.from({ length: count }, () => BAD).reduce(withTargetSample, NEW_TARGET);
    expect(nextSample(downFor(9), 30_000)).toEqual(regular);
    expect(nextSample(downFor(10), 30_000)).toEqual({ type: "REGULAR", intervalMs: 60_000 });
    expect(nextSample(downFor(500), 30_000)).toEqual({ type: "REGULAR", intervalMs: 60_000 });
  });

  test("confirms within an outage of a minute: 30 s, two timeouts of 5 s each 5 s apart", () => {
    let state = UP;
    let at = 30_000 + 5000;
    state = withTargetSample(state, BAD);
    while (state.standing === "UP") {
      const next = nextSample(state, 30_000);
      at += (next.type === "QUICK" ? next.afterMs : next.intervalMs) + 5000;
      state = withTargetSample(state, BAD);
    }
    expect(at).toBeLessThanOrEqual(60_000);
  });

  test("is quick three times in a row at most, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(sample(), { maxLength: 60 }), (samples) => {
        let state = NEW_TARGET;
        let quickInARow = 0;
        for (const one of samples) {
          const before = state;
          state = withTargetSample(state, one);
          quickInARow = nextSample(state, 30_000).type === "QUICK" ? quickInARow + 1 : 0;
          // A change that is confirmed begins another count.
          if (state.standing !== before.standing || state.slow !== before.slow) quickInARow = 0;
          expect(quickInARow).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});

function sample(): fc.Arbitrary<CountedSample> {
  return fc.constantFrom(GOOD, GOOD, BAD, BAD, SLOW, ENDING, BLIND);
}

type Step = CountedSample | "HOLD";

/** The standing of a target, found by reading all of its past: the last time that enough equal samples were in a row. */
function plainStanding(steps: readonly Step[]): TargetStanding {
  let standing: TargetStanding = "UNKNOWN";
  let past: ("GOOD" | "BAD")[] = [];
  let blind = 0;
  for (const step of steps) {
    if (step === "HOLD") {
      // What is known stays; the trend away from it is cut.
      past = past
        .filter((grade) => standing === (grade === "GOOD" ? "UP" : "DOWN"))
        .slice(standing === "UNKNOWN" ? 0 : -20);
      blind = 0;
      continue;
    }
    const grade = gradeOf(step);
    if (grade === "BLIND") {
      blind++;
      if (blind >= HEALTH_LIMITS.failAfter) [standing, past] = ["UNKNOWN", []];
      continue;
    }
    blind = 0;
    past.push(grade);
    if (past.length >= 3 && past.slice(-3).every((one) => one === "BAD")) standing = "DOWN";
    if (past.length >= 2 && past.slice(-2).every((one) => one === "GOOD")) standing = "UP";
  }
  return standing;
}

test("the counters agree with a plain reading of the whole past", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 12, arbitrary: sample() }, fc.constant("HOLD" as const))), (steps) => {
      const state = steps.reduce<TargetState>(
        (now, step) => (step === "HOLD" ? withoutTrend(now) : withTargetSample(now, step)),
        NEW_TARGET,
      );
      expect(state.standing).toBe(plainStanding(steps));
    }),
    { numRuns: 2000 },
  );
});

test("a state that does not change is written once, however long it lasts", () => {
  fc.assert(
    fc.property(fc.array(sample(), { maxLength: 30 }), sample(), (samples, steady) => {
      const before = samples.reduce(withTargetSample, NEW_TARGET);
      const settled = Array.from({ length: 12 }, () => steady).reduce(withTargetSample, before);
      expect(isSameState(settled, withTargetSample(settled, steady))).toBe(true);
    }),
  );
});
