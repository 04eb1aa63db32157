import { describe, expect, it } from "vitest";
import {
  movedCommits,
  type OriginMember,
  overlap,
  type Promotion,
  promotionState,
  type PromotionStage,
  soakedAt,
  stepsOf,
} from "../../../src/model/promotion/promotion.ts";
import { selects } from "../../../src/model/workspace/label.ts";

const stage = (name: string, label: string): PromotionStage => ({ name, label, automatic: false, soakMinutes: 0 });
const DEV = stage("dev", "env:dev");

function member(change: Partial<OriginMember> = {}): OriginMember {
  return {
    workspaceId: "ws_a",
    labels: ["env:dev"],
    source: { type: "git", url: "https://git.example.com/a", branch: "main", path: "." },
    outcome: "APPLIED",
    isSkipped: false,
    commit: "aaaa",
    ...change,
  };
}
const ofRepository = (name: string): OriginMember["source"] => {
  return { type: "git", url: `https://git.example.com/${name}`, branch: "main", path: "." };
};
const entries = (members: OriginMember[]) => {
  const found = movedCommits(DEV, members);
  return "problem" in found ? found.problem : [...found];
};

describe("a selector", () => {
  it.each([
    ["env", ["env:dev"], true],
    ["env", ["env"], true],
    ["env:dev", ["env:dev"], true],
    ["env:dev", ["env"], false],
    ["env:dev", ["env:prod"], false],
    ["env", ["environment:dev", "team"], false],
  ])("%s of %j: %s", (selector, labels, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });

  it("overlaps with one that selects the same workspaces", () => {
    expect(overlap("env:dev", "env")).toBe(true);
    expect(overlap("env", "env:dev")).toBe(true);
    expect(overlap("env:dev", "env:dev")).toBe(true);
    expect(overlap("env:dev", "env:prod")).toBe(false);
    expect(overlap("env:dev", "team:dev")).toBe(false);
  });
});

describe("the commits that move", () => {
  it("are those that were applied, one of each repository", () => {
    const other = member({ source: ofRepository("b"), commit: "bbbb", outcome: "NO_CHANGES" });
    expect(entries([member(), member(), other])).toEqual([
      ["https://git.example.com/a", "aaaa"],
      ["https://git.example.com/b", "bbbb"],
    ]);
  });

  it("are none of runs that were skipped, or whose source is no repository", () => {
    const skipped = member({ isSkipped: true, outcome: null, commit: "cccc" });
    expect(entries([member(), skipped])).toEqual([["https://git.example.com/a", "aaaa"]]);
    const folder = member({ source: { type: "directory", path: "/a" }, commit: null });
    expect(entries([folder])).toMatch(/a commit of a repository/);
    expect(entries([{ ...folder, commit: "eeee" }])).toMatch(/a commit of a repository/);
    expect(entries([skipped])).toMatch(/a commit of a repository/);
    // The source of the workspace was replaced since.
    expect(entries([member({ commit: null })])).toMatch(/a commit of a repository/);
  });

  it("are not known of two commits of one repository", () => {
    expect(entries([member(), member({ commit: "dddd" })])).toMatch(/it has applied two/);
  });

  it("take that all workspaces are of the stage, and applied", () => {
    expect(entries([])).toMatch(/all of its workspaces need the label env:dev/);
    expect(entries([member(), member({ labels: ["env:prod"] })])).toMatch(/all of its workspaces need the label/);
    for (const outcome of ["APPLY_SKIPPED", "PLANNED", null] as const) {
      expect(entries([member(), member({ outcome })])).toMatch(/applied, or without changes, in all/);
    }
  });
});

describe("a pipeline", () => {
  it("has a step to each stage but the first", () => {
    const stages = [DEV, stage("stage", "env:stage"), stage("prod", "env:prod")];
    expect(stepsOf({ stages }).map((step) => [step.before.name, step.stage.name])).toEqual([
      ["dev", "stage"],
      ["stage", "prod"],
    ]);
  });

  it("lets a stage soak for minutes", () => {
    expect(soakedAt("2026-01-01T23:50:00.000Z", { soakMinutes: 15 })).toBe("2026-01-02T00:05:00.000Z");
    expect(soakedAt("2026-01-01T23:50:00.000Z", { soakMinutes: 0 })).toBe("2026-01-01T23:50:00.000Z");
  });
});

it("a promotion is where its facts say", () => {
  const facts: Promotion = {
    originId: "cs_a",
    pipelineId: "pipe_a",
    stage: "prod",
    organizationId: "org_a",
    passedAt: "2026-01-01T00:00:00.000Z",
    repositories: [],
    dueAt: "2026-01-01T00:00:00.000Z",
    changesetId: null,
    supersededById: null,
    problem: null,
  };
  expect(promotionState(facts)).toBe("SOAKING");
  expect(promotionState({ ...facts, problem: "No." })).toBe("FAILED");
  expect(promotionState({ ...facts, supersededById: "cs_b" })).toBe("SUPERSEDED");
  expect(promotionState({ ...facts, changesetId: "cs_c" })).toBe("PROMOTED");
});
