import { describe, expect, it } from "vitest";
import { findCycle, wavesOf } from "../../../src/model/dependency/dependency.ts";

const on = (downstreamId: string, upstreamId: string) => ({ downstreamId, upstreamId });
const after = (workspaceId: string, afterId: string) => ({ workspaceId, afterId });

describe("findCycle", () => {
  it("names the way from a workspace back to itself", () => {
    expect(findCycle("a", [on("a", "b"), on("b", "c"), on("c", "a"), on("b", "d")])).toEqual(["a", "b", "c", "a"]);
    expect(findCycle("a", [on("a", "b"), on("b", "a")])).toEqual(["a", "b", "a"]);
  });

  it("finds none where two ways meet, or another one has a cycle", () => {
    expect(findCycle("a", [on("a", "b"), on("a", "c"), on("b", "d"), on("c", "d")])).toBeNull();
    expect(findCycle("a", [on("a", "b"), on("b", "c"), on("c", "b")])).toBeNull();
  });
});

describe("wavesOf", () => {
  it("puts each behind the last of those that it comes after", () => {
    const waves = wavesOf(["c", "a", "b", "d"], [after("b", "a"), after("c", "b"), after("c", "a"), after("d", "a")]);
    expect(Object.fromEntries(waves)).toEqual({ a: 0, b: 1, c: 2, d: 1 });
  });

  it("works out first what comes before, whatever the order of the names", () => {
    const chain = [after("d", "c"), after("d", "x"), after("c", "b"), after("b", "a")];
    for (const ids of [["a", "b", "c", "d", "x"], ["x", "d", "c", "b", "a"], ["d"]]) {
      expect(wavesOf(ids, chain).get("d")).toBe(3);
    }
  });

  it("takes a chain of any length", () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `w${i}`);
    const chain = ids.slice(1).map((id, i) => after(id, ids[i] ?? ""));
    expect(wavesOf(ids.toReversed(), chain).get("w4999")).toBe(4999);
  });
});
