import { describe, expect, it } from "vitest";
import {
  addFinder,
  branchOf,
  compareRefs,
  hookHealth,
  lookPauseMs,
  pollMs,
  polledShare,
  tagOf,
} from "../../../src/model/repository/look.ts";

const MINUTE = 60_000;

it("a ref is a branch or a tag by its beginning", () => {
  expect([branchOf("refs/heads/a/b"), tagOf("refs/tags/v1")]).toEqual(["a/b", "v1"]);
  for (const ref of ["refs/pull/1/head", "a/refs/heads/", "a/refs/tags/"])
    expect([branchOf(ref), tagOf(ref)]).toEqual([null, null]);
});

describe("the health of hooks", () => {
  it.each([
    ["", "UNPROVEN"],
    ["HH", "UNPROVEN"],
    ["PHHH", "WORKING"],
    ["HHHP", "UNPROVEN"],
    ["HHPP", "UNPROVEN"],
    ["HHPPP", "MISSING"],
    ["PPHPP", "MISSING"],
    ["PPHHH", "WORKING"],
    ["PPP", "MISSING"],
  ])("after %s is %s", (foundBy, health) => {
    expect(hookHealth("GITHUB", foundBy)).toBe(health);
  });

  it("is not judged where none are sent", () => {
    expect(hookHealth("GIT", "PPPPP")).toBe("UNPROVEN");
  });

  it("remembers five changes, and no request of a caller", () => {
    const finders = ["POLL", "HOOK", "CALLER", "HOOK", "HOOK", "POLL", "POLL"] as const;
    const foundBy = finders.reduce<string>(addFinder, "");
    expect(foundBy).toBe("HHHPP");
    expect(polledShare(foundBy)).toBe("2 of the last 5");
  });
});

describe("the pause between looks", () => {
  it("is a minute, and ten once hooks are proven, with a tenth more or less", () => {
    expect(pollMs("WORKING")).toBe(10 * MINUTE);
    for (const health of ["UNPROVEN", "MISSING"] as const) {
      expect([0, 0.5, 1].map((random) => lookPauseMs(health, 0, random))).toEqual([54_000, MINUTE, 66_000]);
    }
    expect(lookPauseMs("WORKING", 0, 0.5)).toBe(10 * MINUTE);
  });

  it("grows with failures up to half an hour", () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => lookPauseMs("WORKING", failures, 0.5) / MINUTE);
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });
});

describe("the difference between two looks", () => {
  const compare = (
    known: Record<string, string | null>,
    found: Record<string, string>,
    followed: { branches?: string[]; tags?: boolean; tagsSeen?: boolean } = {},
  ) => {
    const { branches = ["main"], tags = false, tagsSeen = true } = followed;
    const maps = [new Map(Object.entries(known)), new Map(Object.entries(found))] as const;
    return compareRefs(...maps, { branches, tags }, tagsSeen);
  };
  const MAIN = "refs/heads/main";

  it("has no change of a branch that is followed for the first time", () => {
    expect(compare({}, { [MAIN]: "a" })).toEqual({ moved: [], set: [{ ref: MAIN, oid: "a" }], forget: [] });
    expect(compare({}, {})).toEqual({ moved: [], set: [{ ref: MAIN, oid: null }], forget: [] });
  });

  it("has nothing of a branch that is not followed, also where all tags are", () => {
    const [other, tags] = ["refs/heads/other", true];
    expect(compare({ [MAIN]: "a" }, { [MAIN]: "a", [other]: "b" }, { tags })).toEqual({
      moved: [],
      set: [],
      forget: [],
    });
    expect(compare({ [MAIN]: "a", [other]: "b" }, { [MAIN]: "a" }, { tags })).toEqual({
      moved: [],
      set: [],
      forget: [other],
    });
  });

  it("has a push, a deletion and a branch that is there at last", () => {
    expect(compare({ [MAIN]: "a" }, { [MAIN]: "b" })).toEqual({
      moved: [{ ref: MAIN, before: "a", after: "b" }],
      set: [{ ref: MAIN, oid: "b" }],
      forget: [],
    });
    expect(compare({ [MAIN]: "a" }, {}).moved).toEqual([{ ref: MAIN, before: "a", after: null }]);
    expect(compare({ [MAIN]: null }, { [MAIN]: "a" }).moved).toEqual([{ ref: MAIN, before: null, after: "a" }]);
    expect(compare({ [MAIN]: "a" }, { [MAIN]: "a" })).toEqual({ moved: [], set: [], forget: [] });
  });

  it("forgets a branch that no workspace follows any more, which is no change", () => {
    expect(compare({ [MAIN]: "a", "refs/heads/x": "b" }, { [MAIN]: "a" })).toEqual({
      moved: [],
      set: [],
      forget: ["refs/heads/x"],
    });
  });

  it("has tags that are new, that moved and that were deleted, once all are remembered", () => {
    const found = { "refs/tags/new": "a", "refs/tags/moved": "b" };
    const known = { "refs/tags/moved": "a", "refs/tags/old": "c" };
    const tags = { branches: [], tags: true };
    expect(compare(known, found, tags).moved).toEqual([
      { ref: "refs/tags/new", before: null, after: "a" },
      { ref: "refs/tags/moved", before: "a", after: "b" },
      { ref: "refs/tags/old", before: "c", after: null },
    ]);
    expect(compare({}, found, { ...tags, tagsSeen: false })).toMatchObject({ moved: [], set: [{}, {}] });
    expect(compare(known, found, { branches: [], tags: false })).toEqual({
      moved: [],
      set: [],
      forget: Object.keys(known),
    });
  });
});
