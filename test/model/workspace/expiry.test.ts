import { describe, expect, it } from "vitest";
import {
  decideExpiry,
  type Expiry,
  expiryDueAt,
  type ExpiryStep,
  newExpiry,
} from "../../../src/model/workspace/expiry.ts";

const END = Date.parse("2026-03-10T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const before = (hours: number): Date => new Date(END - hours * HOUR_MS);
const begun = (hours: number): Expiry => newExpiry(new Date(END).toISOString(), "usr_1", before(hours));

describe("reminders", () => {
  it("come a day and an hour before the end", () => {
    const expiry = begun(100);
    expect(expiryDueAt(expiry)).toBe(before(24).toISOString());
    const day = decideExpiry(expiry, "FULL", before(24));
    expect(day).toMatchObject({ step: "REMIND", dueAt: before(1).toISOString() });
    const hour = decideExpiry(day.after, "FULL", before(1));
    expect(hour).toMatchObject({ step: "REMIND", dueAt: before(0).toISOString() });
    expect(decideExpiry(hour.after, "FULL", before(0)).step).toBe("DESTROY");
  });

  it("are dropped where the end is nearer, and come once after an outage", () => {
    expect(expiryDueAt(begun(2))).toBe(before(1).toISOString());
    expect(expiryDueAt(begun(0.5))).toBe(before(0).toISOString());
    const late = decideExpiry(begun(100), "FULL", before(0.5));
    expect(late).toMatchObject({ step: "REMIND", dueAt: before(0).toISOString() });
    const missed = decideExpiry(begun(100), "FULL", before(-5));
    expect(missed).toMatchObject({ step: "WAIT", after: { reminded: 2 } });
    expect(decideExpiry(missed.after, "FULL", before(-5)).step).toBe("DESTROY");
  });
});

describe("the end", () => {
  it("does nothing early", () => {
    expect(decideExpiry(begun(0.5), "EMPTY", before(0.1))).toMatchObject({
      step: "WAIT",
      dueAt: before(0).toISOString(),
    });
  });

  it("deletes an empty workspace, and waits for one in use", () => {
    expect(decideExpiry(begun(0), "EMPTY", before(0))).toMatchObject({ step: "DELETE", dueAt: null });
    const busy = decideExpiry(begun(0), "BUSY", before(0));
    expect(busy).toMatchObject({ step: "WAIT", dueAt: new Date(END + 60_000).toISOString() });
  });

  it("destroys three times within a day, then gives up", () => {
    let expiry = begun(0);
    const steps: [ExpiryStep, number][] = [];
    let atMs = END;
    for (let step: ExpiryStep = "WAIT"; step !== "GIVE_UP"; ) {
      const decided = decideExpiry(expiry, "FULL", new Date(atMs));
      ({ step, after: expiry } = decided);
      if (step !== "WAIT") steps.push([step, (atMs - END) / HOUR_MS]);
      atMs = decided.dueAt === null ? atMs : Math.max(atMs, Date.parse(decided.dueAt));
      if (steps.length > 10) throw new Error("It never ends.");
    }
    expect(steps.map(([step]) => step)).toEqual(["DESTROY", "DESTROY", "DESTROY", "GIVE_UP"]);
    expect(steps.slice(0, 3).map(([, hours]) => Math.round(hours))).toEqual([0, 8, 16]);
    expect(steps[2]?.[1]).toBeLessThan(24);
  });
});
