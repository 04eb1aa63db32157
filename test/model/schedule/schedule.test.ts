import { describe, expect, it } from "vitest";
import { spreadOf } from "../../../src/model/schedule/schedule.ts";

const MINUTE_MS = 60_000;

describe("the spread of runs", () => {
  it("is none without minutes", () => {
    expect(spreadOf("ws_1", 0)).toBe(0);
  });

  it("is always the same for a workspace", () => {
    // A change of these would move the runs of every workspace to other instants.
    expect([spreadOf("ws_1", 60), spreadOf("ws_2", 60), spreadOf("ws_1", 7)]).toEqual([2_016_586, 206_800, 36_586]);
  });

  it("is even over workspaces, also where their ids end alike", () => {
    const count = 6000;
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < count; index += 1) {
      const spread = spreadOf(`ws_${String(index).padStart(8, "0")}same`, 10);
      expect(spread).toBeGreaterThanOrEqual(0);
      expect(spread).toBeLessThan(10 * MINUTE_MS);
      const tenth = Math.floor(spread / MINUTE_MS);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const each of tenths) expect(Math.abs(each - count / 10)).toBeLessThan(count / 50);
  });
});
