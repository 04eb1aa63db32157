import { describe, expect, it } from "vitest";
import {
  bestHits,
  idRange,
  type Match,
  type SearchHit,
  type SearchKind,
} from "../../../src/model/search/search-hit.ts";

const hit = (kind: SearchKind, id: string, match: Match): SearchHit => ({ kind, id, match, title: id });
const titles = (hits: SearchHit[]): string[] => hits.map(({ title }) => title);

describe("the best hits", () => {
  it("are exact ones, then prefixes, and the kinds alternate", () => {
    const found = [
      hit("workspace", "ws_a", "PART"),
      hit("workspace", "ws_b", "PREFIX"),
      hit("workspace", "ws_c", "PREFIX"),
      hit("team", "team_a", "PREFIX"),
      hit("policySet", "pset_a", "EXACT"),
    ];
    expect(titles(bestHits(found, 10))).toEqual(["pset_a", "ws_b", "team_a", "ws_c", "ws_a"]);
    expect(titles(bestHits(found, 3))).toEqual(["pset_a", "ws_b", "team_a"]);
  });

  it("have an object once, by its better match", () => {
    const found = [
      hit("organization", "org_a", "PART"),
      hit("team", "team_a", "PREFIX"),
      hit("organization", "org_a", "EXACT"),
    ];
    expect(bestHits(found, 2)).toEqual([found[2], found[1]]);
  });
});

describe("the range of ids", () => {
  it("has all that begin with a text", () => {
    expect(idRange("run_01jd3f")).toEqual({
      kind: "run",
      from: `run_01jd3f${"0".repeat(20)}`,
      to: `run_01jd3f${"z".repeat(20)}`,
    });
    const id = `ws_${"0".repeat(26)}`;
    expect(idRange(id.toUpperCase())).toEqual({ kind: "workspace", from: id, to: id });
  });

  it.each(["run_01jd3", "run_01jd3i", `run_${"0".repeat(27)}`, "tok_01jd3f", "01jd3f", "x run_01jd3f", "run_01jd3f\n"])(
    "is none of %j",
    (text) => {
      expect(idRange(text)).toBeNull();
    },
  );
});
