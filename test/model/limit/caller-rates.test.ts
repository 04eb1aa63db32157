import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallerRateSettings, createCallerRates } from "../../../src/model/limit/caller-rates.ts";
import { createShedder } from "../../../src/model/limit/shedding.ts";

const SETTINGS: CallerRateSettings = {
  credential: { perMinute: 60, burst: 10 },
  organization: { perMinute: 120, burst: 15 },
  uploads: { perMinute: 1, burst: 2 },
  subscriptions: 2,
};

function rates(settings: Partial<CallerRateSettings> = {}) {
  const time = { now: 0 };
  const clock = () => new Date(time.now);
  return { time, ...createCallerRates({ settings: { ...SETTINGS, ...settings }, clock, maxKeys: 100 }) };
}

const points = (count: number) => ({ points: count, nodes: count });
const of = (credentialId: string, organizationId: string | null = null) => ({ credentialId, organizationId });

describe("the points of a caller", () => {
  test("are those of its credential, and come back with time", () => {
    const { charge, check, time } = rates();
    expect(charge(of("a"), points(10))).toMatchObject({
      type: "charged",
      quotas: [{ policy: { whose: "credential", limit: 10, fullMs: 10_000 }, remaining: 0, resetMs: 10_000 }],
    });
    expect(check(of("a"))).toMatchObject({ type: "exhausted", whose: "credential", retryAfterMs: 1000 });
    expect(charge(of("a"), points(3))).toMatchObject({ type: "exhausted", whose: "credential", retryAfterMs: 3000 });
    expect(charge(of("b"), points(10)).type).toBe("charged");
    time.now += 3000;
    expect(check(of("a"))).toBeNull();
    expect(charge(of("a"), points(3)).type).toBe("charged");
  });

  test("are also those of its organization, and a refusal there takes nothing from the credential", () => {
    const { charge, time } = rates();
    expect(charge(of("a", "x"), points(10)).type).toBe("charged");
    const refused = charge(of("b", "x"), points(10));
    expect(refused).toMatchObject({ type: "exhausted", whose: "organization", retryAfterMs: 2500 });
    expect(charge(of("b", "x"), points(5))).toMatchObject({
      type: "charged",
      quotas: [{ remaining: 5 }, { policy: { whose: "organization" }, remaining: 0 }],
    });
    expect(charge(of("b", "y"), points(5)).type).toBe("charged");
    time.now += 500;
    expect(charge(of("c", "x"), points(1)).type).toBe("charged");
  });

  test("never suffice for what costs more than is available at once", () => {
    const { charge } = rates();
    expect(charge(of("a"), points(11))).toEqual({ type: "tooExpensive", points: 11, limit: 10 });
    expect(charge(of("a"), points(10)).type).toBe("charged");
  });

  test("are bounded by those of the organization, where these are fewer, also where there are no others", () => {
    const organization = { perMinute: 120, burst: 4 };
    expect(rates({ organization }).charge(of("a", "x"), points(5))).toMatchObject({ type: "tooExpensive", limit: 4 });
    const { charge, check } = rates({ organization, credential: null });
    expect(charge(of("a", "x"), points(4))).toMatchObject({
      type: "charged",
      quotas: [{ policy: { whose: "organization" } }],
    });
    expect(charge(of("b", "x"), points(1))).toMatchObject({ type: "exhausted", whose: "organization" });
    expect(check(of("b", "x"))).toMatchObject({ whose: "organization", retryAfterMs: 500, quotas: [{ remaining: 0 }] });
    expect(check(of("b", "y"))).toBeNull();
  });

  test("are checked to the last one", () => {
    const { charge, check, time } = rates();
    charge(of("a"), points(9));
    expect(check(of("a"))).toBeNull();
    charge(of("a"), points(1));
    time.now += 999;
    expect(check(of("a"))).toMatchObject({ type: "exhausted" });
  });

  test("are without limit where there is none", () => {
    const { charge, check, upload, open } = rates({
      credential: null,
      organization: null,
      uploads: null,
      subscriptions: null,
    });
    for (let time = 0; time < 5; time += 1) {
      expect(charge(of("a", "x"), points(1e9))).toMatchObject({ type: "charged", quotas: [] });
      expect(upload("a")).toBe(0);
      expect(open("a")).not.toBeNull();
    }
    expect(check(of("a"))).toBeNull();
  });

  test("allow a credential no more than its burst and its rate, whatever others of its organization take", () => {
    const step = fc.record({
      credential: fc.constantFrom("a", "b", "c"),
      organization: fc.constantFrom("x", null),
      afterMs: fc.integer({ min: 0, max: 2000 }),
      cost: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { charge, time } = rates();
        const taken = new Map<string, number>();
        for (const { credential, organization, afterMs, cost } of steps) {
          time.now += afterMs;
          if (charge(of(credential, organization), points(cost)).type !== "charged") continue;
          for (const key of organization === null ? [credential] : [credential, organization]) {
            taken.set(key, (taken.get(key) ?? 0) + cost);
          }
        }
        const seconds = time.now / 1000;
        for (const [key, sum] of taken) expect(sum).toBeLessThanOrEqual(key === "x" ? 15 + 2 * seconds : 10 + seconds);
      }),
    );
  });
});

describe("an overloaded server", () => {
  const SHARES = { perMinute: 60, burst: 100 };

  function overloaded(bound: number) {
    const shedder = { bound };
    const clock = () => new Date(0);
    const settings = { ...SETTINGS, credential: SHARES, organization: null };
    return { shedder, rates: createCallerRates({ settings, clock, maxKeys: 1000, shedder, shedRetryMs: 2000 }) };
  }

  test("refuses those that used most, takes nothing from them, and spares what is urgent", () => {
    const { shedder, rates: caller } = overloaded(1);
    caller.charge(of("heavy"), points(60));
    caller.charge(of("light"), points(40));
    shedder.bound = 0.5;
    expect(caller.charge(of("heavy"), points(1))).toEqual({ type: "shed", retryAfterMs: 2000 });
    expect(caller.charge(of("heavy"), { ...points(1), urgent: true })).toMatchObject({ quotas: [{ remaining: 39 }] });
    expect(caller.check(of("heavy"))).toBeNull();
    expect(caller.charge(of("light"), points(1)).type).toBe("charged");
    shedder.bound = 1;
    expect(caller.charge(of("heavy"), points(1))).toMatchObject({ quotas: [{ remaining: 38 }] });
  });

  test("serves a caller that is just at the bound, and everyone where tokens have no points", () => {
    const { shedder, rates: caller } = overloaded(1);
    caller.charge(of("a"), points(50));
    shedder.bound = 0.5;
    expect(caller.charge(of("a"), points(1)).type).toBe("charged");
    expect(caller.charge(of("a"), points(1)).type).toBe("shed");
    const unlimited = createCallerRates({
      settings: { ...SETTINGS, credential: null },
      clock: () => new Date(0),
      maxKeys: 10,
      shedder,
    });
    expect(unlimited.charge(of("a"), points(9)).type).toBe("charged");
    expect(unlimited.charge(of("a", "x"), points(9)).type).toBe("charged");
    expect(unlimited.charge(of("b", "x"), points(1)).type).toBe("charged");
  });

  test("refuses no one that used less than one that it serves", () => {
    const uses = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(uses, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (used, bound) => {
        const { shedder, rates: caller } = overloaded(1);
        for (const [index, count] of used.entries()) caller.charge(of(`${index}`), points(count));
        shedder.bound = bound;
        const outcomes = used.map((count, index) => ({ count, type: caller.charge(of(`${index}`), points(1)).type }));
        const counts = (type: string) => outcomes.filter((outcome) => outcome.type === type).map(({ count }) => count);
        expect(Math.max(0, ...counts("charged"))).toBeLessThan(Math.min(Infinity, ...counts("shed")));
      }),
    );
  });

  test("lowers the bound as long as the overload lasts, and raises it again", () => {
    const shedder = createShedder();
    shedder.sample(false);
    expect(shedder.bound).toBe(1);
    const bounds = Array.from({ length: 40 }, () => {
      shedder.sample(true);
      return shedder.bound;
    });
    expect(bounds.slice(0, 2)).toEqual([0.8, expect.closeTo(0.64)]);
    expect(bounds.at(-1)).toBe(0.01);
    for (let time = 0; time < 60; time += 1) shedder.sample(false);
    expect(shedder.bound).toBe(1);
  });
});

test("uploads of a credential are limited", () => {
  const { upload, time } = rates();
  expect([upload("a"), upload("a"), upload("a"), upload("b")]).toEqual([0, 0, 60_000, 0]);
  time.now += 60_000;
  expect(upload("a")).toBe(0);
});

test("open subscriptions of a credential are counted until they are closed", () => {
  const { open, close } = rates();
  const [first, second] = [open("a"), open("a")];
  expect(open("a")).toBeNull();
  expect(open("b")).not.toBeNull();
  if (first === null || second === null) throw new Error("They were refused.");
  close(first);
  expect(open("a")).not.toBeNull();
  expect(open("a")).toBeNull();
});
