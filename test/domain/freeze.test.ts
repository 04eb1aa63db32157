import { describe, expect, it } from "vitest";
import { frozenUntil, nextFreeze, windowAt } from "../../src/domain/rules/freeze.ts";
import type { FreezeWindow } from "../../src/model/approval/run-rules.ts";

const HOUR = 3_600_000;

function freeze(cron: string, hours: number, timeZone = "UTC"): FreezeWindow {
  return { name: `${cron} ${hours}`, cron, durationMs: hours * HOUR, timeZone };
}
const until = (windows: FreezeWindow[], at: string) => frozenUntil(windows, new Date(at));

describe("a freeze window", () => {
  const night = freeze("0 22 * * *", 8);
  it.each([
    ["2026-03-01T21:59:59.999Z", null],
    ["2026-03-01T22:00:00.000Z", "2026-03-02T06:00:00.000Z"],
    ["2026-03-02T05:59:59.999Z", "2026-03-02T06:00:00.000Z"],
    ["2026-03-02T06:00:00.000Z", null],
  ])("holds from its opening to before its end: %s", (at, end) => {
    expect(until([night], at)).toBe(end);
  });

  it("opens by the clock of its time zone, in summer as in winter", () => {
    const berlin = freeze("0 22 * * *", 8, "Europe/Berlin");
    expect(until([berlin], "2026-01-10T21:00:00.000Z")).toBe("2026-01-11T05:00:00.000Z");
    expect(until([berlin], "2026-07-10T20:00:00.000Z")).toBe("2026-07-11T04:00:00.000Z");
    expect(until([berlin], "2026-07-10T19:59:59.999Z")).toBeNull();
  });

  it("lasts so many hours that pass, also where the clock is moved", () => {
    // 02:00 becomes 03:00 on 29 March 2026, and 03:00 becomes 02:00 on 25 October.
    const berlin = freeze("0 22 * * 6", 8, "Europe/Berlin");
    expect(until([berlin], "2026-03-28T21:00:00.000Z")).toBe("2026-03-29T05:00:00.000Z");
    expect(until([berlin], "2026-10-24T20:00:00.000Z")).toBe("2026-10-25T04:00:00.000Z");
  });

  it("opens once where its hour comes twice, and on a day that has no such hour as well", () => {
    const berlin = freeze("30 2 * * *", 0.25, "Europe/Berlin");
    const open = (at: string) => until([berlin], at) !== null;
    const autumn = ["2026-10-25T00:35:00.000Z", "2026-10-25T01:35:00.000Z"].filter(open);
    expect(autumn).toHaveLength(1);
    const spring = ["2026-03-29T00:35:00.000Z", "2026-03-29T01:05:00.000Z", "2026-03-29T01:35:00.000Z"].filter(open);
    expect(spring).toHaveLength(1);
  });
});

describe("several windows", () => {
  const at = "2026-03-01T12:30:00.000Z";
  it("that overlap end with the last of them", () => {
    expect(until([freeze("0 12 * * *", 2), freeze("0 13 * * *", 6)], at)).toBe("2026-03-01T19:00:00.000Z");
    expect(until([freeze("0 12 * * *", 10), freeze("0 13 * * *", 1)], at)).toBe("2026-03-01T22:00:00.000Z");
  });
  it("that follow each other count as one; with a gap they do not", () => {
    const noon = freeze("0 12 * * *", 2);
    expect(until([noon, freeze("0 14 * * *", 3)], at)).toBe("2026-03-01T17:00:00.000Z");
    expect(until([noon, freeze("1 14 * * *", 3)], at)).toBe("2026-03-01T14:00:00.000Z");
  });
  it("one that opens again before it closes goes on, and one that never ends is looked at in parts", () => {
    const always = freeze("0 * * * *", 1);
    const end = until([always], at);
    expect(end !== null && end > "2026-03-02").toBe(true);
  });
});

it("says whether it is open and when it opens next", () => {
  const noon = freeze("0 12 * * 1", 2);
  expect(windowAt(noon, new Date("2026-03-02T13:00:00.000Z"))).toEqual({
    open: true,
    nextOpensAt: "2026-03-09T12:00:00.000Z",
  });
  expect(windowAt(noon, new Date("2026-03-02T14:00:00.000Z")).open).toBe(false);
});

it("the next window is the first of those that open", () => {
  const at = new Date("2026-03-01T12:00:00.000Z");
  const [noon, evening] = [freeze("0 12 * * *", 2), freeze("0 18 * * *", 2)];
  expect(nextFreeze([noon, evening], at)).toBe("2026-03-01T18:00:00.000Z");
  expect(nextFreeze([evening, noon], at)).toBe("2026-03-01T18:00:00.000Z");
  expect(nextFreeze([noon], at)).toBe("2026-03-02T12:00:00.000Z");
  expect(nextFreeze([], at)).toBeNull();
});

it("the next window opens by the clock of its time zone", () => {
  const berlin = freeze("0 12 * * 1", 2, "Europe/Berlin");
  expect(windowAt(berlin, new Date("2026-03-02T11:30:00.000Z"))).toEqual({
    open: true,
    nextOpensAt: "2026-03-09T11:00:00.000Z",
  });
});

it("that never opened holds nothing", () => {
  // No year has a 31 February.
  const never = freeze("0 0 31 2 *", 24);
  expect(until([never], "2026-03-01T12:00:00.000Z")).toBeNull();
  expect(windowAt(never, new Date("2026-03-01T12:00:00.000Z"))).toEqual({ open: false, nextOpensAt: null });
  expect(nextFreeze([never], new Date("2026-03-01T12:00:00.000Z"))).toBeNull();
});

it("windows in a row are looked at for fifty of them", () => {
  const hourly = freeze("0 * * * *", 1);
  expect(until([hourly], "2026-03-01T12:30:00.000Z")).toBe("2026-03-03T14:00:00.000Z");
});
